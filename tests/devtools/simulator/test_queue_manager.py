"""A simulated queue manager: restarts, storage, outages, log and upgrades."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import pytest

from devtools.simulator.events import Outage, Upgrade
from devtools.simulator.queue_manager import (
    first_day,
    first_rba,
    simulate_queue_manager,
    simulated_period,
)
from devtools.simulator.spec import sample_spec
from devtools.simulator.timeline import day_number
from devtools.simulator.workload import Load
from mqcap.domain.units import MIB_BYTES
from tests.devtools.simulator.builders import (
    ANCHOR,
    estate_spec,
    period,
    plex_spec,
    qmgr_spec,
    queue_manager,
    steady,
)


@pytest.mark.parametrize(("days_back", "begin_back"), [(88, 89), (89, 89), (90, 90)])
def test_the_history_is_simulated_even_where_only_its_end_is_written(
    days_back: int, begin_back: int
) -> None:
    spec = estate_spec(anchor_date=ANCHOR)
    span = simulated_period(spec, ANCHOR - timedelta(days=days_back), ANCHOR)
    assert span.first == ANCHOR - timedelta(days=begin_back)


def test_without_an_anchor_the_last_day_is_it() -> None:
    span = simulated_period(estate_spec(anchor_date=None), ANCHOR, ANCHOR + timedelta(days=3))
    assert span.anchor == ANCHOR + timedelta(days=3)


@pytest.mark.parametrize(("offset", "days_back"), [(None, 9), (-10, 9), (-9, 9), (-8, 8), (1, -1)])
def test_a_subject_begins_on_its_day_but_not_before_the_first(
    offset: int | None, days_back: int
) -> None:
    assert first_day(period(10), offset) == ANCHOR - timedelta(days=days_back)


@pytest.mark.parametrize(("offset", "intervals"), [(-1, 48), (0, 24), (1, None)])
def test_a_queue_manager_that_starts_after_the_last_day_does_not_exist(
    offset: int, intervals: int | None
) -> None:
    made = simulate_queue_manager(plex_spec(), qmgr_spec(first_day_offset=offset), period())
    assert (None if made is None else len(made.grid)) == intervals


def test_the_log_begins_at_a_data_set_and_grows_by_complete_control_intervals() -> None:
    made = queue_manager(active_log_size_mib=1024)
    start = first_rba("PLEXA", made.spec)
    assert start % (1024 * MIB_BYTES) == 0
    assert made.rba_start[0] == start
    assert (made.rba_end - made.rba_start == made.log_ci * 4096).all()


def test_log_bytes_are_the_load_times_the_length_of_the_interval() -> None:
    made = queue_manager(log_mib_per_s=steady(2.0), restart_every_days=None)
    busiest = made.grid.local_hour == 10
    assert set(made.log_bytes[busiest].tolist()) == {2 * 3600 * MIB_BYTES}


@pytest.mark.parametrize(("wanted", "most"), [(8_000, 8_000), (10_500, 9_999)])
def test_channels_do_not_exceed_what_the_initiator_allows(wanted: float, most: int) -> None:
    assert queue_manager(channels=steady(wanted)).channels.max() == most


def test_a_restart_ends_an_interval_early_and_gives_storage_back() -> None:
    made = queue_manager(days=90, restart_every_days=28)
    starts = np.flatnonzero(made.sequence == 1)[1:]
    assert len(starts) >= 2
    seconds = made.grid.seconds
    for place in starts:
        assert seconds[place - 1] == 600
        assert seconds[place] == 3600 - 600 - 7 * 60
        assert made.storage.used_31bit_mib[place] < made.storage.used_31bit_mib[place - 1]
        assert made.rba_start[place] == made.rba_end[place - 1]


def test_storage_only_rises_between_restarts_while_below_the_scavenger() -> None:
    made = queue_manager(days=90, place=1)
    steps = np.diff(made.storage.used_31bit_mib)
    falls = np.flatnonzero(steps < 0) + 1
    assert len(falls) > 0
    assert set(falls.tolist()) <= set(np.flatnonzero(made.sequence == 1).tolist())


def test_the_scavenger_gives_storage_back_at_three_quarters() -> None:
    channels = Load(at_anchor=7_200, profile="steady")
    made = queue_manager(days=90, channels=channels, restart_every_days=None)
    used = made.storage.used_31bit_mib
    falls = np.flatnonzero(np.diff(used) < 0)
    assert len(falls) > 10
    assert (used[falls] >= 0.75 * 1588 - 1).all()


def test_storage_does_not_exceed_the_region() -> None:
    assert queue_manager(channels=steady(9_500)).storage.used_31bit_mib.max() == 1588


def test_during_an_outage_there_is_no_interval_and_no_log_growth() -> None:
    outage = Outage(day_offset=-3, start_local="08:00", minutes=180)
    made = queue_manager(outages=(outage,), restart_every_days=None)
    day = made.grid.local_day == day_number(ANCHOR - timedelta(days=3))
    assert made.grid.local_hour[day].tolist() == [*range(8), *range(11, 24)]
    assert (made.rba_start[1:] == made.rba_end[:-1]).all()


@pytest.mark.parametrize(("day_offset", "happens"), [(-6, True), (-5, True), (-4, False)])
def test_an_upgrade_comes_with_the_first_start_on_or_after_its_day(
    day_offset: int, happens: bool
) -> None:
    outage = Outage(day_offset=-5, start_local="08:00", minutes=180)
    made = queue_manager(
        outages=(outage,),
        restart_every_days=None,
        upgrade=Upgrade(day_offset=day_offset, from_level="9.3.5"),
    )
    levels = [made.level_at(place) for place in range(len(made.grid))]
    start = int(np.flatnonzero(made.sequence == 1)[-1])
    assert levels[:start] == ["9.3.5"] * start
    assert set(levels[start:]) == {"9.4.5" if happens else "9.3.5"}


def test_without_an_upgrade_the_version_is_always_that_of_today() -> None:
    assert queue_manager(upgrade=None).level_at(0) == "9.4.5"


def test_another_queue_manager_changes_nothing_for_the_others() -> None:
    more = plex_spec(qmgrs=(qmgr_spec(name="MQA0"), *plex_spec().qmgrs))
    before, after = queue_manager(place=1), queue_manager(place=1, plex=more)
    assert before.log_ci.tolist() == after.log_ci.tolist()
    assert before.pool_used_pct.tolist() == after.pool_used_pct.tolist()


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
