"""The table of pooled figures."""

from __future__ import annotations

import pytest

from forecasting.engine.calibration import FEWEST_ORIGINS
from forecasting.engine.kinds import KINDS
from forecasting.engine.pooled import PooledFigures, pooled_figures, untested_figures

ROWS = [pooled_figures(step) for step in KINDS] + [
    row for row in map(untested_figures, KINDS) if row is not None
]


def test_all_steps_have_figures_and_those_of_days_and_weeks_without_a_backtest_too() -> None:
    assert [(row.step, row.has_backtest) for row in ROWS] == [
        ("h", True),
        ("D", True),
        ("W", True),
        ("D", False),
        ("W", False),
    ]
    assert untested_figures("h") is None


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.step}-{row.has_backtest}")
def test_every_row_is_of_enough_origins(row: PooledFigures) -> None:
    assert row.origins > FEWEST_ORIGINS
    assert row.series <= row.origins


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.step}-{row.has_backtest}")
def test_errors_lie_on_both_sides_and_grow_with_the_steps_ahead(row: PooledFigures) -> None:
    assert row.lower < -1 < 1 < row.upper
    assert 0 < row.growth_power < 1
    assert row.own_to_naive > 0


@pytest.mark.parametrize("step", ["D", "W"])
def test_an_interval_without_a_backtest_is_wider_than_one_with_it(step: str) -> None:
    tested, untested = pooled_figures(step), untested_figures(step)
    assert untested is not None
    assert untested.upper > tested.upper * tested.own_to_naive
    assert untested.lower < tested.lower * tested.own_to_naive
