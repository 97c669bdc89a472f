"""The days of a forecast as arrays."""

from __future__ import annotations

import weakref
from datetime import timedelta

from forecasting.lines import ForecastLines, lines_of, with_lines
from tests.factories import DAY, forecast

LINES = [(1.0, 2.0, 4.0), (1.0, 3.0, 5.0), (2.0, 2.5, 3.0)]


def test_the_lines_have_all_days_up_to_the_horizon_and_after_it() -> None:
    made = forecast(lines=LINES)
    made = made.model_copy(update={"points": made.points[:2], "after_horizon": made.points[2:]})
    days, lower, expected, upper = lines_of(made)
    assert days == tuple(DAY + timedelta(days=ahead) for ahead in (1, 2, 3))
    assert list(zip(lower, expected, upper, strict=True)) == LINES


def test_a_forecast_without_days_has_empty_lines() -> None:
    assert [len(line) for line in lines_of(forecast(lines=[]))] == [0, 0, 0, 0]


def test_other_values_are_on_the_same_days_before_and_after_the_horizon() -> None:
    made = forecast(lines=LINES)
    made = made.model_copy(update={"points": made.points[:2], "after_horizon": made.points[2:]})
    known = lines_of(made)
    doubled = with_lines(made, ForecastLines(known.days, *(2 * line for line in known[1:])))
    assert [point.expected for point in doubled.points] == [4.0, 6.0]
    assert [(point.lower, point.upper) for point in doubled.after_horizon] == [(4.0, 6.0)]
    assert [point.site_date for point in doubled.every_day] == list(known.days)
    assert lines_of(made) is known
    assert list(lines_of(doubled).upper) == [8.0, 10.0, 6.0]


def test_the_lines_of_a_forecast_go_with_it() -> None:
    made = forecast(lines=LINES)
    lines = weakref.ref(lines_of(made).upper)
    assert lines_of(made).upper is lines()
    del made
    assert lines() is None
