"""Periods side by side, and hours of the week."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from mqcap.lake.readers import HourValue
from mqcap.queries.series_days import hours_of_week, period_pairs

DAY = date(2026, 1, 31)


def days(count: int) -> list[tuple[date, float]]:
    """One more each day, up to 1,000 on ``DAY``."""
    return [(DAY - timedelta(days=back), 1_000.0 - back) for back in range(count)]


def test_periods_are_compared_with_those_before_and_a_year_ago() -> None:
    pairs = {pair.name: pair for pair in period_pairs(days(400), DAY)}
    assert list(pairs) == ["Week", "Four weeks", "Quarter", "Four weeks, a year ago"]
    week = pairs["Week"]
    assert (week.now.mean, week.before.mean) == (997.0, 990.0)
    assert (week.now.highest, week.before.highest) == (1_000.0, 993.0)
    year = pairs["Four weeks, a year ago"]
    assert year.before.last == DAY - timedelta(days=364)
    assert year.before.last.weekday() == DAY.weekday()


@pytest.mark.parametrize(("count", "names"), [(0, 0), (7, 0), (8, 1), (29, 2), (92, 3), (365, 4)])
def test_a_period_without_a_measured_day_is_compared_with_nothing(count: int, names: int) -> None:
    assert len(period_pairs(days(count), DAY)) == names


def test_days_that_were_not_measured_are_no_zeros() -> None:
    some = [each for each in days(14) if each[0] != DAY]
    [week, *_] = period_pairs(some, DAY)
    assert (week.now.measured, week.now.highest) == (6, 999.0)


def test_hours_of_the_week_are_means_and_an_hour_never_measured_is_absent() -> None:
    monday = datetime(2026, 1, 5, 9, tzinfo=UTC)
    hours = [
        HourValue(monday + timedelta(days=7 * week), value, value, monday, 3_600.0, 2)
        for week, value in enumerate((1.0, 3.0))
    ]
    assert hours_of_week(hours) == {(0, 9): 2.0}
