"""Console logs: their form, storage of the channel initiator, log switches and backups."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from devtools.simulator.console import LogLine, console_lines, console_text, shortage_lines
from devtools.simulator.events import LogShortage
from mqcap.domain.console.comparison import events_of
from mqcap.domain.console.states import states_of
from mqcap.ingest.console.catalogue import catalogue
from tests.devtools.simulator.builders import ANCHOR, part_of, queue_manager
from tests.factories import console_message
from tests.mqcap.ingest.reading import read_all

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
