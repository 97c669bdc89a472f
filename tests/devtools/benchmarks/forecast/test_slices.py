"""Stated probabilities against outcomes, by slices."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from devtools.benchmarks.forecast.slices import (
    LEAST_CASES,
    NEAR,
    SHORT_DAYS,
    alert_scores,
    date_error_days,
    slice_table,
    worst_gap,
)


def cases(count: int = 8, **changed: object) -> pd.DataFrame:
    columns = {
        "series": "a",
        "days": np.resize([30, 60, 90, 180], count),
        "stated": 0.5,
        "came": 0.0,
        "distance": 0.0,
        "history_days": 540,
        "growing": False,
        "restarts": False,
    }
    return pd.DataFrame(columns | changed)


def test_the_gap_is_stated_minus_observed() -> None:
    row = slice_table(cases(came=[1.0, 0.0, 0.0, 0.0] * 2)).loc["all"]
    assert (row["cases"], row["gap"]) == (8, 0.25)
    assert (row["gap_30"], row["gap_60"]) == (-0.5, 0.5)


@pytest.mark.parametrize(
    ("above", "name"), [(NEAR - 0.001, "near limit"), (NEAR + 0.001, "far limit")]
)
def test_a_limit_up_to_a_tenth_above_the_highest_week_is_near(above: float, name: str) -> None:
    table = slice_table(cases(distance=np.log1p(above)))
    assert set(table.index) & {"near limit", "far limit"} == {name}


@pytest.mark.parametrize(
    ("days", "name"),
    [(SHORT_DAYS - 1, "short history"), (SHORT_DAYS, "long history")],
)
def test_a_history_is_short_below_its_length(days: int, name: str) -> None:
    table = slice_table(cases(history_days=days))
    assert set(table.index) & {"short history", "long history"} == {name}


@pytest.mark.parametrize(("count", "judged"), [(LEAST_CASES - 4, False), (LEAST_CASES, True)])
def test_slices_of_few_cases_are_not_judged(count: int, judged: bool) -> None:
    gap = worst_gap(slice_table(cases(count)))
    assert gap == (0.5 if judged else pytest.approx(np.nan, nan_ok=True))


def test_alerts_are_scored_ninety_days_ahead_from_one_half_on() -> None:
    stated = [0.49, 0.50, 0.51, 0.9, 0.1]
    came = [1.0, 1.0, 0.0, 1.0, 0.0]
    others = cases(4, days=[60] * 4, came=1.0)
    judged = cases(5, days=[90] * 5, stated=stated, came=came, series=list("abcde"))
    scores, _ = alert_scores(pd.concat([others, judged], ignore_index=True))
    assert scores == pytest.approx((1 / 3, 1 / 3, 2 / 3))


def test_limits_of_one_series_count_as_one_draw() -> None:
    apart = cases(64, days=[90] * 64, stated=0.6, came=np.resize([0.0, 1.0], 64), series=range(64))
    together = apart.assign(series=np.repeat(["a", "b"], 32), came=np.repeat([0.0, 1.0], 32))
    errors = [alert_scores(one)[1].false_alarm for one in (apart, together)]
    assert errors[0] == pytest.approx(0.5 / 64**0.5, rel=0.15)
    assert errors[1] == pytest.approx(0.5 / 2**0.5, rel=0.15)


def courses(*first_days: float, crossed: float) -> pd.DataFrame:
    """A limit per first day from which half is stated, all of them crossed on one day."""
    days = np.arange(1, 366)
    blocks = [
        pd.DataFrame({"series": "a", "limit": limit, "days": days, "stated": 0.5 * (days >= first)})
        for limit, first in enumerate(first_days)
    ]
    return pd.concat(blocks).assign(crossed_after_days=crossed)


@pytest.mark.parametrize(("crossed", "error"), [(180.0, 70.0), (181.0, np.nan)])
def test_dates_are_judged_where_the_limit_is_crossed_within_half_a_year(
    crossed: float, error: float
) -> None:
    judged = date_error_days(courses(110, 250, crossed=crossed))
    assert judged == pytest.approx(error, nan_ok=True)


def test_a_date_that_is_not_reached_counts_as_a_year_and_a_day() -> None:
    assert date_error_days(courses(400, crossed=100.0)) == 266.0
