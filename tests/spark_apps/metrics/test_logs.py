"""The log, from records and console: growth, writer, switches, archives, volumes, recovery."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from spark_apps.metrics import console, logs
from spark_apps.metrics.logs import BYPASS, REQUESTS, log_volumes
from tests.spark_apps.rows import HALF_HOUR, START, between, figures, levels, sections

CSQ1 = "PLEX1/CSQ1"
HALF_HOUR_US = 1_800e6


def test_the_log_writer_is_busy_when_it_is_not_idle() -> None:
    row = {"qjstslptu": 0.75 * HALF_HOUR_US}
    assert figures(logs.log_writer, CSQ1, section_qjst=[row]) == {"log_task_busy_pct": 25.0}


@pytest.mark.parametrize(
    ("field", "busy_pct"),
    [
        (1_350e6, 25.0),
        (1_800e6, 0.0),
        (1_801e6, 0.0),
        (3_600e6, 0.0),
        (3_601e6, 100 - 100 * 3_601 / 4_096 / 1_800),
        (4_096 * 1_350e6, 25.0),
    ],
)
def test_the_idle_time_is_in_microseconds_or_in_units_of_the_tod_clock(
    field: float, busy_pct: float
) -> None:
    """The column is the field in TOD units as microseconds."""
    found = figures(logs.log_writer, CSQ1, section_qjst=[{"qjstslptu": field / 4_096}])
    assert found == {"log_task_busy_pct": pytest.approx(busy_pct)}


def test_a_record_without_idle_time_gives_no_task_busy() -> None:
    assert figures(logs.log_writer, CSQ1, section_qjst=[{"qjstslptu": 0.0}]) == {}


def test_zhyperlink_writes_show_their_time_and_how_many_stayed_synchronous() -> None:
    row = {"qjsthlsciw": 800, "qjsthlmciw": 200, "qjsthlscis": 790, "qjsthlmcis": 190}
    row |= {"qjsthlsciwttot": int(0.3 * HALF_HOUR_US), "qjsthlmciwttot": int(0.1 * HALF_HOUR_US)}
    found = figures(logs.log_writer, CSQ1, section_qjst=[row])
    assert found == {"zhyperlink_busy_pct": 40.0, "zhyperlink_sync_pct": 98.0}


def message(message_id: str, minutes: float, **changed: Any) -> dict[str, Any]:
    """A message so many minutes after the start, of its own text."""
    at = START + timedelta(minutes=minutes)
    return {"event_utc": at, "message_id": message_id, "text": f"{message_id} {at}", **changed}


def full(minutes: float, number: int, **changed: Any) -> list[dict[str, Any]]:
    """Both copies of a log that is full."""
    return [
        message("CSQJ002I", minutes, start_rba=number, text=f"{number} {copy}", **changed)
        for copy in ("one", "two")
    ]


def test_each_offload_of_one_log_has_its_minutes() -> None:
    events = [*full(0, 1), message("CSQJ139I", 9), *full(30, 2), message("CSQJ139I", 42.5)]
    assert figures(logs.archive_time, CSQ1, console_event=events) == {
        "log_archive_min": [9.0, 12.5]
    }


def test_offloads_of_several_logs_or_without_a_beginning_or_end_are_left_out() -> None:
    unknown_begin, without_end = [message("CSQJ139I", 1)], full(50, 4)
    several = [*full(10, 1), *full(15, 2), message("CSQJ139I", 30)]
    other = [*full(40, 3, qmgr="CSQ2"), message("CSQJ139I", 45)]
    events = [*unknown_begin, *several, *other, *without_end]
    assert figures(logs.archive_time, CSQ1, console_event=events) == {}


GIB = 1 << 30


def switch(hours: float, number: int, **changed: Any) -> list[dict[str, Any]]:
    """The two messages of a switch to the data set that begins ``number`` GiB into the log."""
    at = {"event_utc": START + timedelta(hours=hours)}
    ended = {"message_id": "CSQJ002I", "end_rba": number * GIB - 1, "text": f"{number} ended"}
    began = {"message_id": "CSQJ001I", "start_rba": number * GIB, "text": f"{number} began"}
    return [{**at, **ended, **changed}, {**at, **began, **changed}]


def of_records(count: int, pages: int) -> list[dict[str, Any]]:
    return [
        {"qjstbffl": pages, **between(START + n * HALF_HOUR, START + (n + 1) * HALF_HOUR)}
        for n in range(count)
    ]


def test_log_switches_give_growth_and_the_deviation_of_the_records() -> None:
    pages = GIB // 4096 // 2
    start_of_manager = {"message_id": "CSQJ001I", "start_rba": 0, "text": "start"}
    other = [*switch(1, 1, qmgr="CSQ2"), *switch(2, 2, qmgr="CSQ2")]
    events = [start_of_manager, *switch(1, 1), *switch(2, 2), *switch(4, 3), *other]
    rows = sections(console_event=events, section_qjst=of_records(8, pages))
    by_subject = levels(logs.log_switches(rows))
    assert by_subject["log_growth_console_mib_per_s", "PLEX1/CSQ1"] == [1024 / 3600, 1024 / 7200]
    assert by_subject["log_growth_deviation_pct", "PLEX1/CSQ1"] == pytest.approx([50.0])
    assert ("log_growth_deviation_pct", "PLEX1/CSQ2") not in by_subject


def test_messages_that_repeat_or_go_back_or_lie_in_other_days_are_no_growth() -> None:
    again = switch(2, 1, text="repeated after a restart")
    events = [*switch(1, 1), *again, *switch(3, 0), *switch(24, 9)]
    assert figures(logs.log_switches, CSQ1, console_event=events) == {}


CSQ2 = "PLEX1/CSQ2"
NEXT = between(START + HALF_HOUR, START + 2 * HALF_HOUR)


def device(volume: str, bypassed: float | None = None, **changed: Any) -> dict[str, Any]:
    """Return a device with 800 I/Os, 100 of each kind that counts as one."""
    ios = {name.lower(): 100.0 for name in REQUESTS}
    return {"r745dvol": volume, "r745dfwb": bypassed, **ios, **changed}


def shares(*rows: dict[str, Any], **volumes: tuple[str, ...]) -> Any:
    by_manager = {f"PLEX1/{name}": serials for name, serials in volumes.items()}
    return levels(log_volumes(sections(log_volumes=by_manager, section_r745d=rows)))


def test_the_volume_with_the_highest_share_counts_in_each_interval() -> None:
    rows = [
        device("MQL001", 2.0),
        device("MQL002", 16.0),
        device("MQL001", 4.0, **NEXT),
        device("MQL002", 0.0, **NEXT),
        device("DATA01", 400.0),
        device("MQL001", 800.0, sysplex="PLEX2"),
        device("MQL001", 2.0, smfid="SYS2"),
    ]
    assert shares(*rows, CSQ1=("MQL001", "MQL002"), CSQ2=("MQL001",)) == {
        (BYPASS, CSQ1): [2.0, 0.5],
        (BYPASS, CSQ2): [0.25, 0.5],
    }


def test_a_volume_without_ios_or_without_the_count_has_no_share() -> None:
    idle = {name.lower(): 0.0 for name in REQUESTS}
    rows = [device("MQL001", 0.0, **idle), device("MQL002"), device("MQL003", 1.0, r745dicl=None)]
    assert shares(*rows, CSQ1=("MQL001", "MQL002", "MQL003")) == {}


def test_without_named_volumes_or_without_records_there_is_no_row() -> None:
    assert shares(device("MQL001", 9.0)) == {}
    assert shares(device("DATA01", 9.0), CSQ1=("MQL001",)) == {}
    assert shares(CSQ1=("MQL001",)) == {}


def test_messages_are_counted_in_the_hours_that_have_them() -> None:
    events = [
        {"message_id": text, "event_utc": START + timedelta(minutes=after)}
        for text, after in (("CSQW133E", 1), ("CSQW133E", 2), ("CSQJ160I", 3), ("CSQW133E", 61))
    ]
    found = figures(console.message_counts, CSQ1, console_event=events)
    assert found == {"trace_lost_count": [2.0, 1.0], "long_unit_of_work_count": 1.0}


def test_the_end_of_a_recovery_is_foreseen_as_in_the_report() -> None:
    places = [(0, "3E022000"), (120, "2E39A11D"), (240, "1E686466"), (1_000, "0EAB6000")]
    events = [
        {
            "message_id": "CSQR032I",
            "event_utc": START - timedelta(seconds=1),
            "start_rba": Decimal(int("3E022000", 16)),
            "end_rba": Decimal(int("08561B58", 16)),
        },
        *(
            {
                "message_id": "CSQR033I",
                "event_utc": START + timedelta(seconds=after),
                "start_rba": Decimal(int(place, 16)),
            }
            for after, place in places
        ),
    ]
    assert figures(console.recovery_time, CSQ1, console_event=events) == {
        "recovery_remaining_s": pytest.approx([288.069, 167.447], abs=0.001)
    }
