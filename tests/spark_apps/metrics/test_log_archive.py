from __future__ import annotations

from datetime import timedelta
from typing import Any

from spark_apps.metrics import logs
from tests.spark_apps.rows import START, levels, sections


def message(message_id: str, minutes: float, **changed: Any) -> dict[str, Any]:
    """A message so many minutes after the start, of its own text."""
    at = START + timedelta(minutes=minutes)
    return {"event_utc": at, "message_id": message_id, "text": f"{message_id} {at}", **changed}


def full(minutes: float, number: int, **changed: Any) -> list[dict[str, Any]]:
    """Both copies of a log that is full."""
    copies = ("one", "two")
    return [
        message("CSQJ002I", minutes, start_rba=number, text=f"{number} {copy}", **changed)
        for copy in copies
    ]


def test_each_offload_of_one_log_has_its_minutes() -> None:
    events = [*full(0, 1), message("CSQJ139I", 9), *full(30, 2), message("CSQJ139I", 42.5)]
    rows = logs.archive_time(sections(console_event=events))
    assert levels(rows) == {("log_archive_min", "PLEX1/CSQ1"): [9.0, 12.5]}


def test_offloads_of_several_logs_or_without_a_beginning_or_end_are_left_out() -> None:
    unknown_begin = [message("CSQJ139I", 1)]
    several = [*full(10, 1), *full(15, 2), message("CSQJ139I", 30)]
    other = [*full(40, 3, qmgr="CSQ2"), message("CSQJ139I", 45)]
    without_end = full(50, 4)
    events = [*unknown_begin, *several, *other, *without_end]
    assert levels(logs.archive_time(sections(console_event=events))) == {}
