"""The exact solver of the model of Prophet."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from forecasting.engine.exact import _planned
from forecasting.models.prophet import ProphetModel
from forecasting.models.prophet_exact import ProphetExact, _predicted
from forecasting.specification import CONFIGURATIONS
from tests.forecasting.builders import DAYS, history, noise, weekly

TIME = np.arange(DAYS)


SPREAD = {
    "growing": 30 + 0.05 * TIME + 4 * weekly() + noise(scale=0.8),
    "compound": 2 * np.exp(0.003 * TIME + 0.2 * weekly() + noise(scale=0.04)),
    "stepped": np.where(TIME > 250, 40.0, 60.0) + noise(),
    "bending": 30 + 0.1 * np.maximum(TIME - 200, 0) + noise(),
    "gappy": np.where(TIME % 13 == 5, np.nan, 30 + noise()),
}


@pytest.mark.parametrize("values", SPREAD.values(), ids=SPREAD.keys())
def test_the_exact_solver_forecasts_what_prophet_forecasts(values: Any) -> None:
    past = history(values)
    slow = ProphetModel(CONFIGURATIONS[0]).predict(past, 90)
    fast = ProphetExact(CONFIGURATIONS[0]).predict(past, 90)
    scale = np.nanmax(np.abs(np.log(values) if slow.log_scale else values))
    assert np.abs(slow.expected - fast.expected).max() < 0.005 * scale
    assert np.sqrt(slow.variance) == pytest.approx(np.sqrt(fast.variance), rel=0.05)


def test_two_years_give_both_solvers_the_same_yearly_season() -> None:
    days = np.arange(760)
    past = history(50 + 10 * np.sin(2 * np.pi * days / 365.25) + noise(760))
    slow = ProphetModel(CONFIGURATIONS[0]).predict(past, 30)
    fast = ProphetExact(CONFIGURATIONS[0]).predict(past, 30)
    assert slow.expected == pytest.approx(fast.expected, abs=0.4)


@pytest.mark.parametrize(
    ("other", "shared"), [("growing", 1), ("stepped", 0), ("gappy", 0)], ids=str
)
def test_series_share_a_design_where_days_and_regressors_are_the_same_and_no_byte_changes(
    other: str, shared: int
) -> None:
    model = ProphetExact(CONFIGURATIONS[0])
    first, past = history(50 + noise()), history(SPREAD[other])

    def forgotten() -> None:
        for kept in (_predicted, _planned):
            kept.cache_clear()

    forgotten()
    alone = model.predict(past, 30)
    forgotten()
    model.predict(first, 30)
    after = model.predict(past, 30)
    assert _planned.cache_info().hits == shared
    assert after.expected.tobytes() == alone.expected.tobytes()
    assert after.variance.tobytes() == alone.variance.tobytes()
