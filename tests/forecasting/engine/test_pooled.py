"""The table of pooled figures."""

from __future__ import annotations

import pytest

from forecasting.engine.calibration import FEWEST_ORIGINS
from forecasting.engine.kinds import KINDS
from forecasting.engine.pooled import pooled_figures


@pytest.mark.parametrize("step", KINDS)
def test_every_step_has_figures_of_enough_origins(step: str) -> None:
    row = pooled_figures(step)
    assert row.step == step
    assert row.origins > FEWEST_ORIGINS
    assert row.series <= row.origins


@pytest.mark.parametrize("step", KINDS)
def test_errors_lie_on_both_sides_and_grow_with_the_steps_ahead(step: str) -> None:
    row = pooled_figures(step)
    assert row.lower < -1 < 1 < row.upper
    assert 0 < row.growth_power < 1
    assert row.own_to_naive > 0
