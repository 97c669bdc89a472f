"""A simulated queue manager: its traffic, restarts, storage, outages, log, console."""

from datetime import date, time, timedelta
from pathlib import Path

import pytest

from devtools.simulator.console import console_lines, console_text
from devtools.simulator.events import Outage
from devtools.simulator.queue_manager import (
    simulate_queue_manager,
    simulated_period,
)
from devtools.simulator.spec import sample_spec
from devtools.simulator.timeline import day_number
from mqcap.domain.console.ledger import events_of
from mqcap.domain.console.states import states_of
from mqcap.ingest.console.catalogue import catalogue
from tests.devtools.simulator.builders import (
    ANCHOR,
    period,
    plex_spec,
    qmgr_spec,
    queue_manager,
)
from tests.factories import console_message
from tests.mqcap.ingest.reading import read_all


@pytest.mark.parametrize(("offset", "days_back"), [(None, 9), (-10, 9), (-9, 9), (-8, 8), (1, -1)])
def test_a_subject_begins_on_its_day_but_not_before_the_first(
    offset: int | None, days_back: int
) -> None:
    assert period(10).first_day(offset) == ANCHOR - timedelta(days=days_back)


@pytest.mark.parametrize(("offset", "intervals"), [(-1, 48), (0, 24), (1, None)])
def test_a_queue_manager_that_starts_after_the_last_day_does_not_exist(
    offset: int, intervals: int | None
) -> None:
    made = simulate_queue_manager(plex_spec(), qmgr_spec(first_day_offset=offset), period())
    assert (None if made is None else len(made.grid)) == intervals


def test_during_an_outage_there_is_no_interval_and_no_log_growth() -> None:
    outage = Outage(day_offset=-3, start_local=time(8), minutes=180)
    made = queue_manager(outages=(outage,), restart_every_days=None)
    day = made.grid.local_day == day_number(ANCHOR - timedelta(days=3))
    assert made.grid.local_hour[day].tolist() == [*range(8), *range(11, 24)]
    assert (made.rba_start[1:] == made.rba_end[:-1]).all()


def test_another_queue_manager_changes_nothing_for_the_others() -> None:
    more = plex_spec(qmgrs=(qmgr_spec(name="MQA0"), *plex_spec().qmgrs))
    before, after = queue_manager(place=1), queue_manager(place=1, plex=more)
    assert before.log_ci.tolist() == after.log_ci.tolist()
    assert before.lowest_buffers.tolist() == after.lowest_buffers.tolist()


@pytest.mark.parametrize("last", [date(2026, 1, 7) + timedelta(days=61 * n) for n in range(5)])
def test_noise_does_not_carry_a_later_crossing_into_the_observed_weeks(last: date) -> None:
    spec = sample_spec()
    plex = spec.sysplexes[0]
    span = simulated_period(spec, last - timedelta(days=399), last)
    crossing, over = (simulate_queue_manager(plex, qmgr, span) for qmgr in plex.qmgrs[:2])
    assert crossing is not None
    assert over is not None
    rate = crossing.log_bytes / 2**20 / crossing.grid.seconds
    recent = crossing.grid.local_day > day_number(last) - 35
    assert 0.9 < float(rate[recent].max()) < 2048 / 1800
    assert float((over.log_bytes / 2**20 / over.grid.seconds).max()) > 1024 / 1800
    recent = over.grid.local_day > day_number(last) - 35
    assert 65 < float(over.used_31bit_mib[recent].max()) / 15.88 < 80


def test_planted_shortages_of_400_days_are_read_back_as_exactly_those_events(
    tmp_path: Path,
) -> None:
    """Twelve planted shortages, through the text of the log, its reader and the states."""
    offsets = [-390, -351, -300, -290, -211, -200, -150, -120, -90, -55, -20, 0]
    planted = tuple(
        Outage(day_offset=offset, start_local=time(10), minutes=7) for offset in offsets
    )
    made = queue_manager(400, archiving_failures=planted, restart_every_days=None)
    written = console_lines(made, "TST1", int(made.intervals.end_us[-1]))
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
