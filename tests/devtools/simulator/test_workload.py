"""Loads over time: growth, calendar and noise."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import pytest

from devtools.simulator.timeline import clock_of, day_number, grid_of
from devtools.simulator.workload import (
    GrowthKind,
    Load,
    calendar_ratio,
    daily_peak,
    growth_ratio,
    values,
)
from tests.devtools.simulator.builders import ANCHOR


def _days(first: date, count: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return day_number(first) + np.arange(count, dtype=np.int64)


def test_compounding_growth_doubles_and_linear_growth_adds() -> None:
    days = _days(ANCHOR - timedelta(days=365), 731)
    compounding = Load(at_anchor=1, growth=GrowthKind.compounding, growth_ratio_per_year=1.0)
    linear = Load(at_anchor=1, growth_ratio_per_year=0.5)
    assert growth_ratio(compounding, days, ANCHOR)[[0, 365, 730]].tolist() == [0.5, 1.0, 2.0]
    assert growth_ratio(linear, days, ANCHOR)[[0, 365, 730]].tolist() == [0.5, 1.0, 1.5]


def test_weekends_are_quieter_month_ends_busier_and_holidays_like_sundays() -> None:
    load = Load(at_anchor=1, month_end_ratio=1.2, weekday_ratio=(1, 1, 1, 1, 1, 0.5, 0.25))
    ratio = calendar_ratio(load, _days(date(2025, 12, 1), 31), "DK")
    by_day = {date(2025, 12, 1 + place).day: float(value) for place, value in enumerate(ratio)}
    assert by_day[1] == pytest.approx(1.2)
    assert by_day[2] == 1.0
    assert by_day[6] == 0.5
    assert by_day[7] == 0.25
    assert by_day[25] == 0.25
    assert by_day[31] == pytest.approx(1.2)


def test_the_anchor_value_holds_on_an_ordinary_monday() -> None:
    load = Load(at_anchor=7.5, growth_ratio_per_year=0.4)
    assert daily_peak(load, _days(ANCHOR, 1), ANCHOR, None).tolist() == [7.5]


def test_noise_is_small_unbiased_and_does_not_depend_on_the_range() -> None:
    load = Load(at_anchor=1)
    clock = clock_of("Europe/Copenhagen", ANCHOR - timedelta(days=90), ANCHOR)
    complete = grid_of(clock, ANCHOR - timedelta(days=90), ANCHOR, 60, ())
    part = grid_of(clock, ANCHOR - timedelta(days=5), ANCHOR, 60, ())
    key = (1, "PLEX/QM/log")
    long, short = (values(load, grid, ANCHOR, None, key) for grid in (complete, part))
    assert long[-len(part) :].tolist() == short.tolist()
    plain = load.model_copy(update={"day_noise_ratio": 0.0, "hour_noise_ratio": 0.0})
    ratio = long / values(plain, complete, ANCHOR, None, key)
    assert 0.005 < float(ratio.std()) < 0.03
    assert float(ratio.mean()) == pytest.approx(1.0, abs=0.005)
