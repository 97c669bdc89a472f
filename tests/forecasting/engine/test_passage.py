"""The first passage of a threshold."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forecasting.engine.passage import first_passage, rolling_week


def test_the_week_reaches_back_before_the_origin() -> None:
    assert rolling_week(np.full(10, 7.0), np.zeros(8)).tolist() == [6, 5, 4, 3, 2, 1, 0, 0]


def test_missing_days_are_left_out_of_the_week() -> None:
    before = np.array([np.nan, np.nan, 4.0])
    assert rolling_week(before, np.array([2.0, np.nan])).tolist() == [3, 3]


def test_a_certain_path_crosses_on_its_day() -> None:
    reached = first_passage(np.arange(1.0, 101.0), np.full(100, 1e-9), 39.5)
    assert [reached.quantile_day(share) for share in (0.1, 0.5, 0.9)] == [40, 40, 40]
    assert (reached.within(39), reached.within(40)) == (0.0, 1.0)


def test_a_downward_limit_mirrors_an_upward_one() -> None:
    centre, spread = np.linspace(0, 1, 200), np.full(200, 0.3)
    up = first_passage(centre, spread, 0.8)
    down = first_passage(-centre, spread, -0.8, upward=False)
    assert up.probability == pytest.approx(down.probability)


@settings(max_examples=40, deadline=None)
@given(st.floats(-2, 2), st.floats(0, 0.02), st.floats(0.01, 1), st.floats(-2, 2))
def test_dates_and_probabilities_are_consistent(
    start: float, slope: float, width: float, limit: float
) -> None:
    days = np.arange(1.0, 366.0)
    reached = first_passage(start + slope * days, width * np.sqrt(days / 90), limit)
    dates = [reached.quantile_day(share) or 366 for share in (0.1, 0.5, 0.9)]
    probabilities = [reached.within(days) for days in (30, 60, 90, 180)]
    assert dates == sorted(dates)
    assert probabilities == sorted(probabilities)
    assert all(
        (probability >= 0.5) == (dates[1] <= days)
        for probability, days in zip(probabilities, (30, 60, 90, 180), strict=True)
    )
