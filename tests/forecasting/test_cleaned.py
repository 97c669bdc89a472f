"""Days that are left out or repaired before a model is fitted."""

import weakref
from datetime import date, timedelta

import numpy as np
import pytest

from forecasting.arrays import FloatArray
from forecasting.level_shift import level_shift_refusal
from forecasting.lines import ForecastLines, lines_of, with_lines
from forecasting.options import ForecastOptions
from forecasting.prepare import prepare
from mq_capacity_page.pages.series.marks import Cleaned, LeftOut, cleaned
from tests.factories import DAY, forecast
from tests.forecasting.builders import CUTOFF, FIRST, history, noise, weekly

DAYS = 120
LONG = 400
TIME = np.arange(LONG)
LINES = [(1.0, 2.0, 4.0), (1.0, 3.0, 5.0), (2.0, 2.5, 3.0)]


def noisy(days: int = DAYS) -> FloatArray:
    return 100 + np.random.default_rng(7).normal(0, 1, days)


def day(position: int) -> date:
    return FIRST + timedelta(days=position)


def test_a_zero_is_an_outage_and_a_lone_peak_a_spike() -> None:
    values = noisy()
    values[40], values[70] = 0.0, 400.0
    kept = cleaned(history(values))
    assert kept.removed == ((day(40), LeftOut.outage), (day(70), LeftOut.spike))
    assert kept.shifts == ()


def test_as_many_days_are_left_out_as_the_forecast_counts() -> None:
    values = noisy()
    values[[10, 11, 55]] = 0.0
    values[90] = 500.0
    values[30] = np.nan
    counted = prepare(history(values), ForecastOptions(), day(DAYS - 1)).removed_count
    assert len(cleaned(history(values)).removed) == counted == 4


def test_a_new_level_is_dated_by_its_first_day() -> None:
    values = noisy()
    values[60:] += 80
    [kept] = cleaned(history(values)).shifts
    assert abs((kept - day(60)).days) <= 1


def test_an_announced_change_is_the_better_date_and_is_known_as_announced() -> None:
    values = noisy()
    values[60:] += 80
    kept = cleaned(history(values, known_changes=(day(58),)))
    assert kept.shifts == (day(58),)
    assert kept.known == {day(58)}


@pytest.mark.parametrize("values", [np.empty(0), np.full(5, np.nan), np.zeros(5)])
def test_nothing_is_reported_of_a_history_without_values(values: FloatArray) -> None:
    assert cleaned(history(values)) == Cleaned()


@pytest.mark.parametrize("late", [2, 5, 8])
def test_a_level_that_changed_within_days_is_refused(late: int) -> None:
    values = 20 + weekly(size=3.0) + noise(scale=0.3) + np.where(LONG - late <= TIME, 15.0, 0.0)
    refusal = level_shift_refusal(history(values, last=CUTOFF))
    assert refusal is not None
    assert refusal.startswith("the level changed on 2026-0")


@pytest.mark.parametrize("late", [0, 1, 30])
def test_one_odd_day_and_an_older_change_are_not(late: int) -> None:
    values = 20 + weekly(size=3.0) + noise(scale=0.3) + np.where(LONG - late <= TIME, 15.0, 0.0)
    assert level_shift_refusal(history(values, last=CUTOFF)) is None


def test_the_lines_have_all_days_up_to_the_horizon_and_after_it() -> None:
    made = forecast(lines=LINES)
    made = made.model_copy(update={"points": made.points[:2], "after_horizon": made.points[2:]})
    days, lower, expected, upper = lines_of(made)
    assert days == tuple(DAY + timedelta(days=ahead) for ahead in (1, 2, 3))
    assert list(zip(lower, expected, upper, strict=True)) == LINES


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
