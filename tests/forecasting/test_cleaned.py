"""Days that a forecast leaves out, with the reasons, and level shifts that it detects."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import pytest

from forecasting.arrays import FloatArray
from forecasting.cleaned import Cleaned, LeftOut, cleaned
from forecasting.options import ForecastOptions
from forecasting.prepare import prepare
from tests.forecasting.builders import FIRST, history

DAYS = 120


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
