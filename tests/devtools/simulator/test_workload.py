from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devtools.simulator.events import Outage
from devtools.simulator.queue_manager import simulate_queue_manager, simulated_period
from devtools.simulator.spec import GrowthKind, Load, QueueManagerSpec, sample_spec, small_spec
from devtools.simulator.timeline import EstateClock, clock_of, date_of, day_number, grid_of
from devtools.simulator.truth import CrossingClass, planted_truths
from devtools.simulator.workload import calendar_ratio, daily_peak, growth_ratio, values

_ANCHOR = date(2026, 3, 16)
_HOUR_US = 3_600_000_000


def _days(first: date, count: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return day_number(first) + np.arange(count, dtype=np.int64)


def test_compounding_growth_doubles_and_linear_growth_adds() -> None:
    days = _days(_ANCHOR - timedelta(days=365), 731)
    compounding = Load(at_anchor=1, growth=GrowthKind.compounding, growth_ratio_per_year=1.0)
    linear = Load(at_anchor=1, growth_ratio_per_year=0.5)
    assert growth_ratio(compounding, days, _ANCHOR)[[0, 365, 730]].tolist() == [0.5, 1.0, 2.0]
    assert growth_ratio(linear, days, _ANCHOR)[[0, 365, 730]].tolist() == [0.5, 1.0, 1.5]


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
    assert daily_peak(load, _days(_ANCHOR, 1), _ANCHOR, None).tolist() == [7.5]


def test_noise_is_small_unbiased_and_does_not_depend_on_the_range() -> None:
    load = Load(at_anchor=1)
    clock = clock_of("Europe/Copenhagen", _ANCHOR - timedelta(days=90), _ANCHOR)
    whole = grid_of(clock, _ANCHOR - timedelta(days=90), _ANCHOR, 60, ())
    part = grid_of(clock, _ANCHOR - timedelta(days=5), _ANCHOR, 60, ())
    key = (1, "PLEX/QM/log")
    long, short = (values(load, grid, _ANCHOR, None, key) for grid in (whole, part))
    assert long[-len(part) :].tolist() == short.tolist()
    plain = load.model_copy(update={"day_noise_ratio": 0.0, "hour_noise_ratio": 0.0})
    ratio = long / values(plain, whole, _ANCHOR, None, key)
    assert 0.005 < float(ratio.std()) < 0.03
    assert float(ratio.mean()) == pytest.approx(1.0, abs=0.005)


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
    clock = clock_of(timezone, day, day)
    grid = grid_of(clock, day, day, 60, ())
    starts, ends = grid.intervals.start_us, grid.intervals.end_us
    assert len(grid) == hours
    assert (starts[1:] == ends[:-1]).all()
    assert (ends - starts == _HOUR_US).all()
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
    clock: EstateClock = clock_of("UTC", _ANCHOR, _ANCHOR)
    begin = clock.instant_us(_ANCHOR)
    gap = (begin + minute * 60_000_000, begin + (minute + length) * 60_000_000)
    grid = grid_of(clock, _ANCHOR, _ANCHOR, interval, [gap])
    inside = min(gap[1], begin + 24 * _HOUR_US) - gap[0]
    assert round(float(grid.seconds.sum()) * 1e6) == 24 * _HOUR_US - inside
    starts, ends = grid.intervals.start_us, grid.intervals.end_us
    assert (ends > starts).all()
    assert (starts[1:] >= ends[:-1]).all()
    assert ((ends <= gap[0]) | (starts >= gap[1])).all()


def _first_qmgr(**changes: object) -> QueueManagerSpec:
    return small_spec().sysplexes[0].qmgrs[0].model_copy(update=changes)


def test_a_restart_ends_an_interval_early_and_gives_storage_back() -> None:
    plex = small_spec().sysplexes[0]
    span = simulated_period(small_spec(), _ANCHOR - timedelta(days=60), _ANCHOR)
    life = simulate_queue_manager(plex, _first_qmgr(restart_every_days=28), span)
    assert life is not None
    starts = np.flatnonzero(life.sequence == 1)[1:]
    assert len(starts) >= 2
    seconds = life.grid.seconds
    for place in starts:
        assert seconds[place - 1] == 600
        assert seconds[place] == 3600 - 600 - 7 * 60
        assert life.storage.used_31bit_mib[place] < life.storage.used_31bit_mib[place - 1]
        assert life.rba_start[place] == life.rba_end[place - 1]


def test_storage_only_rises_between_restarts_while_below_the_scavenger() -> None:
    span = simulated_period(small_spec(), _ANCHOR - timedelta(days=60), _ANCHOR)
    life = simulate_queue_manager(
        small_spec().sysplexes[0], small_spec().sysplexes[0].qmgrs[1], span
    )
    assert life is not None
    steps = np.diff(life.storage.used_31bit_mib)
    falls = np.flatnonzero(steps < 0) + 1
    assert set(falls.tolist()) <= set(np.flatnonzero(life.sequence == 1).tolist())


def test_the_scavenger_gives_storage_back_at_three_quarters() -> None:
    channels = Load(at_anchor=7_200, profile="steady")
    span = simulated_period(small_spec(), _ANCHOR - timedelta(days=20), _ANCHOR)
    life = simulate_queue_manager(
        small_spec().sysplexes[0], _first_qmgr(channels=channels, restart_every_days=None), span
    )
    assert life is not None
    used = life.storage.used_31bit_mib
    falls = np.flatnonzero(np.diff(used) < 0)
    assert len(falls) > 10
    assert (used[falls] >= 0.75 * 1588 - 1).all()


def test_during_an_outage_there_is_no_interval_and_no_log_growth() -> None:
    outage = Outage(day_offset=-3, start_local="08:00", minutes=180)
    span = simulated_period(small_spec(), _ANCHOR - timedelta(days=10), _ANCHOR)
    plex = small_spec().sysplexes[0]
    life = simulate_queue_manager(
        plex, _first_qmgr(outages=(outage,), restart_every_days=None), span
    )
    assert life is not None
    day = life.grid.local_day == day_number(_ANCHOR - timedelta(days=3))
    assert life.grid.local_hour[day].tolist() == [*range(8), *range(11, 24)]
    assert (life.rba_end[1:] - life.rba_start[1:] == life.log_bytes[1:]).all()
    assert (life.rba_start[1:] == life.rba_end[:-1]).all()


def test_another_queue_manager_changes_nothing_for_the_others() -> None:
    plex = small_spec().sysplexes[0]
    more = plex.model_copy(update={"qmgrs": (_first_qmgr(name="MQA0"), *plex.qmgrs)})
    span = simulated_period(small_spec(), _ANCHOR - timedelta(days=10), _ANCHOR)
    before = simulate_queue_manager(plex, plex.qmgrs[1], span)
    after = simulate_queue_manager(more, more.qmgrs[2], span)
    assert before is not None
    assert after is not None
    assert before.log_ci.tolist() == after.log_ci.tolist()
    assert before.pool_used_pct.tolist() == after.pool_used_pct.tolist()


_HEADLINES = {
    "PLEX1/CSQ1": CrossingClass.crosses_within_90_days,
    "PLEX1/CSQ2": CrossingClass.already_over,
    "PLEX1/CSQ3": CrossingClass.never,
    "PLEX1/CSQ8": CrossingClass.not_enough_data,
    "PLEX1/CF01": CrossingClass.crosses_within_90_days,
    "PLEX1/CF02": CrossingClass.never,
    "PLEX1/CF03": CrossingClass.not_enough_data,
    "PLEX2/CF11": CrossingClass.already_over,
    "31 PLEX1/CSQ1/CHINIT": CrossingClass.never,
    "31 PLEX1/CSQ2/CHINIT": CrossingClass.crosses_within_90_days,
    "31 PLEX1/CSQ3/CHINIT": CrossingClass.already_over,
    "31 PLEX1/CSQ8/CHINIT": CrossingClass.not_enough_data,
    "64 PLEX1/CSQ1/CHINIT": CrossingClass.never,
    "64 PLEX1/CSQ3/CHINIT": CrossingClass.crosses_within_90_days,
    "64 PLEX1/CSQ8/CHINIT": CrossingClass.not_enough_data,
    "64 PLEX2/CSQ9/CHINIT": CrossingClass.already_over,
}


@pytest.mark.parametrize("last", [date(2026, 1, 1) + timedelta(days=23 * n) for n in range(20)])
def test_each_headline_limit_is_seen_in_every_class_on_any_day(last: date) -> None:
    spec = sample_spec()
    truths = planted_truths(spec, simulated_period(spec, last - timedelta(days=399), last))
    found = {
        f"{truth.metric[7:9]} {truth.subject}" if "chinit" in truth.metric else truth.subject: truth
        for truth in truths
    }
    assert {name: found[name].crossing_class for name in _HEADLINES} == _HEADLINES
    for truth in truths:
        if truth.crossing_class is CrossingClass.crosses_within_90_days:
            assert truth.first_crossing_date is not None
            assert truth.working_day_crossing_date is not None
            assert last < truth.first_crossing_date <= truth.working_day_crossing_date
            assert truth.working_day_crossing_date <= last + timedelta(days=100)


@pytest.mark.parametrize("last", [date(2026, 1, 7) + timedelta(days=61 * n) for n in range(5)])
def test_noise_does_not_carry_a_later_crossing_into_the_observed_weeks(last: date) -> None:
    spec = sample_spec()
    plex = spec.sysplexes[0]
    span = simulated_period(spec, last - timedelta(days=399), last)
    crossing = simulate_queue_manager(plex, plex.qmgrs[0], span)
    over = simulate_queue_manager(plex, plex.qmgrs[1], span)
    chinit = simulate_queue_manager(plex, plex.qmgrs[1], span)
    assert crossing is not None
    assert over is not None
    assert chinit is not None
    recent = crossing.grid.local_day > day_number(last) - 35
    rate = crossing.log_bytes / 2**20 / crossing.grid.seconds
    assert 0.9 < float(rate[recent].max()) < 2048 / 1800
    assert float((over.log_bytes / 2**20 / over.grid.seconds).max()) > 1024 / 1800
    recent = chinit.grid.local_day > day_number(last) - 35
    assert 65 < float(chinit.storage.used_31bit_mib[recent].max()) / 15.88 < 80
