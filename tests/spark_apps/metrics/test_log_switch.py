from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from spark_apps.metrics import logs
from tests.spark_apps.rows import HALF_HOUR, START, between, levels, sections

GIB = 1 << 30


def switch(hours: float, number: int, **changed: Any) -> list[dict[str, Any]]:
    """The two messages of a switch to the data set that begins ``number`` GiB into the log."""
    at = {"event_utc": START + timedelta(hours=hours)}
    ended = {"message_id": "CSQJ002I", "end_rba": number * GIB - 1, "text": f"{number} ended"}
    began = {"message_id": "CSQJ001I", "start_rba": number * GIB, "text": f"{number} began"}
    return [{**at, **ended, **changed}, {**at, **began, **changed}]


def records(count: int, pages: int) -> list[dict[str, Any]]:
    return [
        {"qjstbffl": pages, **between(START + n * HALF_HOUR, START + (n + 1) * HALF_HOUR)}
        for n in range(count)
    ]


def test_log_switches_give_growth_and_the_deviation_of_the_records() -> None:
    pages = GIB // 4096 // 2
    start_of_manager = {"message_id": "CSQJ001I", "start_rba": 0, "text": "start"}
    other = [*switch(1, 1, qmgr="CSQ2"), *switch(2, 2, qmgr="CSQ2")]
    events = [start_of_manager, *switch(1, 1), *switch(2, 2), *switch(4, 3), *other]
    rows = sections(console_event=events, section_qjst=records(8, pages))
    by_subject = levels(logs.log_switches(rows))
    assert by_subject["log_growth_console_mib_per_s", "PLEX1/CSQ1"] == [1024 / 3600, 1024 / 7200]
    assert by_subject["log_growth_deviation_pct", "PLEX1/CSQ1"] == pytest.approx([50.0])
    assert ("log_growth_deviation_pct", "PLEX1/CSQ2") not in by_subject


def test_messages_that_repeat_or_go_back_or_lie_in_other_days_are_no_growth() -> None:
    again = switch(2, 1, text="repeated after a restart")
    reset = switch(3, 0)
    other_day = switch(24, 9)
    events = [*switch(1, 1), *again, *reset, *other_day]
    assert levels(logs.log_switches(sections(console_event=events))) == {}
