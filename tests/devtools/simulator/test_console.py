"""Console logs: their form, storage of the channel initiator, log switches and backups."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from devtools.simulator import SimulationResult
from devtools.simulator.console import LogLine, console_lines, console_text, shortage_lines
from devtools.simulator.events import LogShortage
from devtools.simulator.spec import ChannelInitiator
from mqcap.domain.console.comparison import events_of
from mqcap.domain.console.states import states_of
from mqcap.ingest.console.catalogue import catalogue
from tests.devtools.simulator.builders import ANCHOR, LAST, part_of, queue_manager, steady
from tests.devtools.simulator.reading import records_of_kind
from tests.factories import console_message
from tests.mqcap.ingest.reading import read_all

NEVER_US: Final = 2**62
KNOWN_MESSAGES: Final = (*("CSQX004I", "CSQJ001I", "CSQJ002I", "CSQJ139I", "CSQE120I", "CSQE121I"),)
SYSLOG: Final = re.compile(
    r"^[A-Z ][A-Z ]\s?[0-9A-F]{7}\s+(\S{1,8})\s+(\d{5}|\d{7})\s+(\d\d:\d\d:\d\d\.\d\d)"
    r"\s+(\S{0,8})\s+([0-9A-F]{8})\s*(.*)$"
)


def lines(switches_from_us: int = NEVER_US, days: int = 1, **changed: Any) -> list[LogLine]:
    """Return the messages of a queue manager without a restart."""
    made = queue_manager(days, **{"restart_every_days": None, **changed})
    return list(console_lines(part_of(made), "TST1", switches_from_us))


def texts(messages: Sequence[LogLine], message_id: str) -> list[str]:
    return [message.text for message in messages if message_id in message.text]


def test_a_log_is_in_order_of_time_whatever_the_order_of_its_messages() -> None:
    messages = [LogLine(2, 0, "c"), LogLine(1, 1, "b"), LogLine(1, 0, "z"), LogLine(1, 0, "a")]
    assert console_text(messages) == "azbc"


def test_console_lines_have_the_hardcopy_form(estate: SimulationResult) -> None:
    for path in estate.console_logs:
        for line in path.read_text("ascii").splitlines():
            if line.startswith("S"):
                continue
            match = SYSLOG.match(line)
            assert match is not None, line
            assert match.group(1) in {"TST1", "TST2"}
            assert match.group(6).startswith(tuple(f"{known} +MQA" for known in KNOWN_MESSAGES))


def test_the_prefix_has_the_local_time_at_which_the_message_came() -> None:
    first = texts(lines(), "CSQX004I")[0]  # 1.2 seconds before 01:00 in Copenhagen
    assert first.startswith("N 0000000 TST1     2026075 00:59:58.80 MQA1CHIN 00000090  CSQX004I +")


def test_console_storage_is_that_of_the_records(estate: SimulationResult) -> None:
    records = records_of_kind(list(estate.dumps), (115, 231), "MQA2")
    used = [int(record.sections(1)[0]["qcctstus"]) for record in records]
    text = "".join(
        path.read_text("ascii")
        for path in sorted(estate.console_logs, key=lambda file: len(file.name))
    )
    pattern = r"CSQX004I \+MQA2 .* is using (\d+) MB of local storage, (\d+) MB are free"
    pairs = [(int(taken), int(free)) for taken, free in re.findall(pattern, text)]
    assert [taken for taken, _ in pairs] == used
    assert {taken + free for taken, free in pairs} == {1588}


@pytest.mark.parametrize(
    ("level", "both_kinds"), [("9.2.5", False), ("9.3.0", True), ("9.3.1", True)]
)
def test_storage_above_the_bar_is_in_the_message_from_9_3_0_on(
    level: str, both_kinds: bool
) -> None:
    [first, *_] = texts(lines(mq_level=level, upgrade=None), "CSQX004I")
    assert ("Above bar: used " in first) is both_kinds
    assert ("MB of local storage, " in first) is not both_kinds


@pytest.mark.parametrize(("limit_mib", "free"), [(4096, "3977MB"), (None, "15EB")])
def test_the_free_storage_above_the_bar_is_that_of_the_limit(
    limit_mib: float | None, free: str
) -> None:
    chinit = ChannelInitiator(limit_64bit_mib=limit_mib, kib_per_channel_64bit=4, max_channels=9984)
    [first, *_] = texts(lines(channels=steady(90_000), chinit=chinit), "CSQX004I")
    assert f"Above bar: used 119MB, free {free}\n" in first  # 80 MiB and 9,984 channels of 4 KiB


def test_log_switches_follow_the_growth_of_the_log(estate: SimulationResult) -> None:
    text = "".join(path.read_text("ascii") for path in estate.console_logs if "TST1" in path.name)
    pattern = r"CSQJ001I \+MQA1 CURRENT COPY 1 .*\nS\s+STARTRBA=(\w+) ENDRBA=(\w+)"
    ranges = [(int(start, 16), int(end, 16)) for start, end in re.findall(pattern, text)]
    assert len(ranges) > 100
    size = 1024 * 2**20
    assert all(end - start + 1 == size and start % size == 0 for start, end in ranges)
    assert all(after[0] - before[0] == size for before, after in itertools.pairwise(ranges))
    since_us = int(np.datetime64(LAST - timedelta(days=9), "us").astype(np.int64))
    switched = sum(
        int(record.sections(11)[0]["qjstcp1n"])
        for record in records_of_kind(list(estate.dumps), (115, 1), "MQA1")
        if record.local_us > since_us
    )
    assert abs(len(ranges) - switched) <= 2 * 24


@pytest.mark.parametrize(("dual", "count"), [(True, 4), (False, 2)])
def test_a_switch_names_the_data_set_that_ended_and_the_next_of_each_copy(
    dual: bool, count: int
) -> None:
    """6 logs of 1 GiB at 2 MiB/s in the busiest hour: several switches an hour."""
    switches = texts(lines(0, log_mib_per_s=steady(2.0), dual_logging=dual), "CSQJ001I")
    head = switches[0].splitlines()[::2]
    assert [line.split("CSQJ")[1][:4] for line in head] == ["002I"] * (count // 2) + ["001I"] * (
        count // 2
    )
    ended, began = (int(re.findall(r"LOGCOPY1\.DS(\d\d)", switches[0])[place]) for place in (0, 1))
    assert began == ended % 6 + 1
    ranges = re.findall(r"STARTRBA=(\w+) ENDRBA=(\w+)", switches[0])
    assert int(ranges[0][1], 16) + 1 == int(ranges[-1][0], 16)
    assert ended == int(ranges[0][0], 16) // 2**30 % 6 + 1
    numbers = {number for text in switches for number in re.findall(r"\.DS(\d\d)", text)}
    assert numbers == {f"{number:02d}" for number in range(1, 7)}


def test_switches_are_written_only_from_the_given_instant_on() -> None:
    every = [message for message in lines(0) if message.order == 1]
    middle = every[len(every) // 2].at_us
    late = [message for message in lines(middle) if message.order == 1]
    assert 0 < len(late) < len(every)
    assert late == every[-len(late) :]


@pytest.mark.parametrize("days", [1, 3])
def test_a_group_member_backs_its_structure_up_at_the_start_of_each_local_day(days: int) -> None:
    messages = lines(days=days)
    started, completed = (texts(messages, f"CSQE12{number}I") for number in (0, 1))
    assert [text.split()[3:5] for text in started] == [
        [f"{2026_075 - back}", "00:00:00.00"] for back in reversed(range(days))
    ]
    assert [text.split()[4] for text in completed] == ["00:00:03.00"] * days
    places = [re.findall(r"RBA=(\w+)", text) for text in started]
    assert places == [re.findall(r"RBA=(\w+)", text) for text in completed]


def test_without_a_group_there_is_no_backup() -> None:
    assert texts(lines(qsg=None), "CSQE12") == []


def test_a_log_is_archived_the_configured_time_after_its_end() -> None:
    written = lines(0, log_mib_per_s=steady(1.0), archive_minutes=8)
    ended = [line.at_us for line in written if "CSQJ002I" in line.text]
    archived = [line.at_us for line in written if "CSQJ139I" in line.text]
    last_us = max(line.at_us for line in written)
    assert archived == [at_us + 480_000_000 for at_us in ended if at_us + 480_000_000 <= last_us]
    assert archived


def test_a_planted_shortage_is_announced_reported_and_ended() -> None:
    planted = LogShortage(day_offset=0, start_local="08:58", minutes=6)
    outside = LogShortage(day_offset=3)
    written = lines(log_shortages=(planted, outside))
    reported = [line.text.split() for line in written if "CSQJ1" in line.text]
    assert [(words[3], words[4][:5], words[7]) for words in reported] == [
        ("2026075", "08:55", "*CSQJ110E"),
        ("2026075", "08:58", "*CSQJ111A"),
        ("2026075", "09:04", "CSQJ139I"),
    ]


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
