"""A simulated queue manager: its traffic, restarts, storage, outages, log, console."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from pydantic import ValidationError

from devtools.simulator.console import LogLine, console_lines, console_text, shortage_lines
from devtools.simulator.events import LogShortage, Outage, Upgrade
from devtools.simulator.mq_statistics import Slice
from devtools.simulator.queue_manager import (
    first_day,
    first_rba,
    simulate_queue_manager,
    simulated_period,
)
from devtools.simulator.senders import ChannelGroup, Sender
from devtools.simulator.spec import sample_spec
from devtools.simulator.timeline import day_number
from devtools.simulator.traffic import traffic_records
from devtools.simulator.workload import Load
from mqcap.domain.console.comparison import events_of
from mqcap.domain.console.states import states_of
from mqcap.domain.units import MIB_BYTES
from mqcap.ingest.console.catalogue import catalogue
from mqcap.ingest.smf.encode import write_dump
from tests.devtools.simulator.builders import (
    ANCHOR,
    estate_spec,
    part_of,
    period,
    plex_spec,
    qmgr_spec,
    queue_manager,
    steady,
)
from tests.factories import console_message
from tests.mqcap.ingest.dumps import with_markers
from tests.mqcap.ingest.reading import is_accounted, read_all


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


@pytest.mark.parametrize(("length", "accepted"), [(0, False), (1, True), (48, True), (49, False)])
def test_a_queue_has_a_name_of_mq(length: int, accepted: bool) -> None:
    if accepted:
        assert Sender(queue="Q" * length, application="APP").weight == 1
        return
    with pytest.raises(ValidationError):
        Sender(queue="Q" * length, application="APP")


@pytest.mark.parametrize(("length", "accepted"), [(0, False), (20, True), (21, False)])
def test_a_channel_has_a_name_of_mq(length: int, accepted: bool) -> None:
    if accepted:
        assert ChannelGroup(name="C" * length).change is None
        return
    with pytest.raises(ValidationError):
        ChannelGroup(name="C" * length)


SENDERS = (
    Sender(queue="PAY.IN", application="PAYAPP", user="PAY", weight=3, buffer_pool=1),
    Sender(queue="CSQ.", application="CSQ1CHIN", channel="A.SVRCONN", is_dynamic=True),
)


def tables(part: Slice, days: int, folder: Path) -> dict[str, list[dict[str, Any]]]:
    """Rows of all sections, read by the product."""
    rows = [row.tobytes() for _, records in traffic_records(part, days) for row in records]
    path = folder / "traffic.smf"
    write_dump(path, with_markers(rows), "rdw")
    read = read_all(path)
    return {name.removeprefix("section_"): t.to_pylist() for name, t in read.tables.items()}


@pytest.mark.thorough
@pytest.mark.parametrize(("weekday", "count"), [(6, 2), (0, 2), (1, 0)])
def test_accounting_on_one_day_of_the_week_has_no_other_days(
    tmp_path: Path, weekday: int, count: int
) -> None:
    part = part_of(
        queue_manager(
            2,  # a Sunday and a Monday
            channel_groups=(ChannelGroup(name="A.TO.B"),),
            restart_every_days=None,
            accounting_hours=12,
            accounting_weekday=weekday,
        )
    )
    found = tables(part, 2, tmp_path)
    assert len({row["interval_start_utc"] for row in found.get("qcst", [])}) == count


def test_without_accounting_senders_have_queue_statistics_alone(tmp_path: Path) -> None:
    part = part_of(queue_manager(1, senders=SENDERS, upgrade=None, accounting=False))
    found = tables(part, 1, tmp_path)
    assert "qqst" in found
    assert not {"wtas", "wtid", "wqst"} & found.keys()


@pytest.mark.parametrize(("level", "written"), [("9.3.1", False), ("9.3.3", True)])
def test_queue_statistics_begin_with_a_version(tmp_path: Path, level: str, written: bool) -> None:
    part = part_of(queue_manager(1, senders=SENDERS, upgrade=None, mq_level=level))
    assert ("qqst" in tables(part, 1, tmp_path)) is written


def test_accounting_that_is_cut_off_in_a_record_is_read_up_to_it(tmp_path: Path) -> None:
    part = part_of(queue_manager(1, senders=SENDERS, upgrade=None))
    [_, (_, records), *_] = traffic_records(part, 1)
    path = tmp_path / "cut.smf"
    write_dump(path, with_markers([row.tobytes() for row in records]), "rdw")
    content, length = path.read_bytes(), records.shape[1]
    begin = 18 + 9 * length  # of the tenth task, behind the header of the dump
    path.write_bytes(content[: begin + length // 2])
    read = read_all(path)
    for name in ("wtid", "wtas", "wqst"):
        assert read.tables[f"section_{name}"].num_rows == 9
    assert is_accounted(read.summary)
    [problem] = read.summary.problems
    assert str(begin) in problem.replace(",", "")


NEVER_US: Final = 2**62


def lines(switches_from_us: int = NEVER_US, days: int = 1, **changed: Any) -> list[LogLine]:
    """Return the messages of a queue manager without a restart."""
    made = queue_manager(days, **{"restart_every_days": None, **changed})
    return list(console_lines(part_of(made), "TST1", switches_from_us))


def texts(messages: Sequence[LogLine], message_id: str) -> list[str]:
    return [message.text for message in messages if message_id in message.text]


def test_a_log_is_in_order_of_time_whatever_the_order_of_its_messages() -> None:
    messages = [LogLine(2, 0, "c"), LogLine(1, 1, "b"), LogLine(1, 0, "z"), LogLine(1, 0, "a")]
    assert console_text(messages) == "azbc"


def test_without_a_group_there_is_no_backup() -> None:
    assert texts(lines(qsg=None), "CSQE12") == []


def test_planted_shortages_of_400_days_are_read_back_as_exactly_those_events(
    tmp_path: Path,
) -> None:
    """Twelve planted shortages, through the text of the log, its reader and the states."""
    offsets = [-390, -351, -300, -290, -211, -200, -150, -120, -90, -55, -20, 0]
    planted = tuple(
        LogShortage(day_offset=offset, start_local="10:00", minutes=7) for offset in offsets
    )
    made = queue_manager(400, log_shortages=planted, restart_every_days=None)
    written = shortage_lines(part_of(made), "TST1")
    path = tmp_path / "TST1.log"
    path.write_text(console_text(written), "ascii")
    rows = read_all(path, {"TST1": "Europe/Copenhagen"}).tables["console_event"].to_pylist()
    messages = [
        console_message(row["message_id"], at_utc=row["event_utc"], line_number=row["line_number"])
        for row in rows
    ]
    states = states_of(messages, catalogue(), lambda moment, _: moment.date())
    events = events_of(states)
    assert [(event.site_date - ANCHOR).days for event in events] == offsets
    assert {(event.message_id, event.resource) for event in events} == {
        ("CSQJ111A", "PLEX1/CSQ1/active_log")
    }
    assert {state.ended_by for state in states} == {"CSQJ139I"}
