"""Intervals on local clocks, gaps, days, and events."""

from datetime import date, time
from typing import Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devtools.simulator.events import LoadChange, changed
from devtools.simulator.timeline import (
    HOUR_US,
    MINUTE_US,
    date_of,
    day_number,
    grid_of,
    instant,
    offsets,
)
from tests.devtools.simulator.builders import ANCHOR

SPRING: Final = date(2026, 3, 29)
AUTUMN: Final = date(2026, 10, 25)
ONE_UTC_US: Final = 1_774_746_000_000_000
"""2026-03-29 01:00 UTC, when Copenhagen sets its clock forward."""


@pytest.mark.parametrize(
    ("instant_us", "minutes"), [(ONE_UTC_US - 1, 60), (ONE_UTC_US, 120), (ONE_UTC_US + 1, 120)]
)
def test_the_offset_changes_at_the_instant_of_the_transition(instant_us: int, minutes: int) -> None:
    assert offsets("Europe/Copenhagen", np.array([instant_us])).tolist() == [minutes]


def test_a_local_time_that_happens_twice_is_its_first_instant() -> None:
    two, three = (instant("Europe/Copenhagen", AUTUMN, time(hour)) for hour in (2, 3))
    assert three - two == 2 * HOUR_US


@pytest.mark.parametrize(
    ("timezone", "day", "hours"),
    [
        ("Europe/Copenhagen", date(2025, 10, 26), 25),
        ("Europe/Copenhagen", date(2026, 3, 29), 23),
        ("America/New_York", date(2025, 11, 2), 25),
        ("America/New_York", date(2026, 3, 8), 23),
        ("America/New_York", date(2026, 3, 29), 24),
        ("UTC", date(2025, 10, 26), 24),
    ],
)
def test_a_day_of_clock_change_has_its_real_hours(timezone: str, day: date, hours: int) -> None:
    grid = grid_of(timezone, day, day, 60, ())
    starts, ends = grid.intervals.start_us, grid.intervals.end_us
    assert len(grid) == hours
    assert (starts[1:] == ends[:-1]).all()
    assert (ends - starts == HOUR_US).all()
    local = [int(hour) for hour in grid.local_hour]
    expected = list(range(24))
    if hours == 25:
        expected.insert(2 if timezone == "Europe/Copenhagen" else 1, local[2])
    if hours == 23:
        expected.remove(2)
    assert local == sorted(expected)
    assert {date_of(int(number)) for number in grid.local_day} == {day}


@given(
    minute=st.integers(0, 23 * 60),
    length=st.integers(1, 200),
    interval=st.sampled_from([15, 30, 60]),
)
def test_a_gap_removes_exactly_its_own_time(minute: int, length: int, interval: int) -> None:
    begin = instant("UTC", ANCHOR)
    gap = (begin + minute * MINUTE_US, begin + (minute + length) * MINUTE_US)
    grid = grid_of("UTC", ANCHOR, ANCHOR, interval, [gap])
    inside = min(gap[1], begin + 24 * HOUR_US) - gap[0]
    assert round(float(grid.seconds.sum()) * 1e6) == 24 * HOUR_US - inside
    starts, ends = grid.intervals.start_us, grid.intervals.end_us
    assert (ends > starts).all()
    assert (starts[1:] >= ends[:-1]).all()
    assert ((ends <= gap[0]) | (starts >= gap[1])).all()


def test_both_halves_of_a_cut_interval_have_its_slot_and_the_rest_keep_theirs() -> None:
    begin = instant("UTC", ANCHOR)
    gap = (begin + 150 * MINUTE_US, begin + 160 * MINUTE_US)
    grid = grid_of("UTC", ANCHOR, ANCHOR, 60, [gap])
    assert grid.slot.tolist() == [0, 1, 2, *range(2, 24)]
    assert grid.seconds[1:5].tolist() == [3600, 1800, 1200, 3600]


def test_intervals_carry_the_offset_at_their_end_as_records_do() -> None:
    grid = grid_of("Europe/Copenhagen", SPRING, SPRING, 60, ())
    assert grid.intervals.offset_minutes.tolist() == [60, *[120] * 22]


@pytest.mark.parametrize(
    ("gradual", "ratios"), [(False, [0.5, 0.5, 1.0, 1.0]), (True, [0.5, 0.5, 0.75, 1.0])]
)
def test_a_change_comes_at_once_or_grows_until_the_anchor(
    gradual: bool, ratios: list[float]
) -> None:
    days = np.array([day_number(ANCHOR) + offset for offset in (-9, -2, -1, 0)])
    change = LoadChange(day_offset=-1, before=0.5, gradual=gradual)
    assert changed(change, days, ANCHOR).tolist() == ratios
    assert changed(None, days, ANCHOR).tolist() == [1.0] * 4
