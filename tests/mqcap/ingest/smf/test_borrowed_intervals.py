"""Intervals and record times in UTC: zones, clock changes, leap days, records without times."""

import random
import tempfile
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devtools.simulator.encode.framing import write_dump
from devtools.simulator.encode.mq_records import MQ_RECORD_KINDS, Group, Intervals, mq_records
from mqcap.ingest.registry import source_for
from mqcap.ingest.smf.source import SmfReading
from tests.mqcap.ingest.dumps import identity, with_markers
from tests.mqcap.ingest.reading import SHA, in_order, read_all
from tests.mqcap.ingest.smf.test_header import STUB, record, section, short_qwhs

HALF_HOUR: Final = timedelta(minutes=30)
MINUTE: Final = timedelta(minutes=1)
BERLIN: Final = "Europe/Berlin"
TIMES: Final = (
    "interval_start_utc",
    "interval_end_utc",
    "interval_seconds",
    "utc_offset_minutes",
    "record_utc",
)
DAYS: Final = {
    "a winter day": ("America/New_York", datetime(2025, 1, 15, tzinfo=UTC)),
    "spring forward": (BERLIN, datetime(2025, 3, 30, tzinfo=UTC)),
    "autumn back": (BERLIN, datetime(2025, 10, 26, tzinfo=UTC)),
    "autumn back overseas": ("America/New_York", datetime(2025, 11, 2, 4, tzinfo=UTC)),
    "half an hour of summer": ("Australia/Lord_Howe", datetime(2025, 4, 5, 12, tzinfo=UTC)),
    "a leap day": (BERLIN, datetime(2024, 2, 29, tzinfo=UTC)),
    "the day behind a leap day": ("Asia/Tokyo", datetime(2024, 2, 29, 14, tzinfo=UTC)),
    "the end of a leap year": ("Asia/Kolkata", datetime(2024, 12, 31, 12, tzinfo=UTC)),
    "the end of a year": ("Pacific/Auckland", datetime(2025, 12, 31, 6, tzinfo=UTC)),
    "the end of the century": ("UTC", datetime(2000, 12, 31, 18, tzinfo=UTC)),
}


def micros(moment: datetime) -> int:
    return (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)


def offset_minutes(zone: str, moment: datetime) -> int:
    offset = moment.astimezone(ZoneInfo(zone)).utcoffset()
    assert offset is not None
    return offset // MINUTE


def half_hours(zone: str, first: datetime, count: int = 24) -> Intervals:
    """Half hours one after another, as a system in that zone has them."""
    moments = [first + number * HALF_HOUR for number in range(count + 1)]
    offsets = np.array([offset_minutes(zone, moment) for moment in moments])
    instants = np.array([micros(moment) for moment in moments])
    return Intervals(instants[:-1], instants[1:], offsets[1:], offsets[:-1])


def statistics(intervals: Intervals, kind: tuple[int, int] = (115, 1), **who: Any) -> list[bytes]:
    """One record per interval, with a section that holds nothing."""
    position, name = {(115, 1): (11, "QJST"), (115, 231): (1, "QCCT"), (116, 10): (1, "QCST")}[kind]
    blank = np.frombuffer(section(name), np.uint8)
    rows = np.repeat(blank[None, :], len(intervals), axis=0)
    groups = {position: Group(rows, len(blank), 1)}
    return [
        row.tobytes()
        for row in mq_records(MQ_RECORD_KINDS[kind], identity(**who), intervals, groups)
    ]


def stub(like: bytes, subtype: int = 6, name: str = "QSGM") -> bytes:
    """A record without times, written when another one was, by the same queue manager."""
    made = record((115, subtype), STUB, {1: section(name)}, 2)
    return made[:6] + like[6:22] + made[22:]


def rows_of(path: Path, structure: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = read_all(path).tables[f"section_{structure}"].to_pylist()
    return rows


def dump(folder: Path, records: list[bytes]) -> Path:
    path = folder / "times.smf"
    write_dump(path, with_markers(records), "rdw")
    return path


@pytest.mark.parametrize("day", sorted(DAYS))
def test_half_hours_follow_each_other_in_utc_whatever_the_local_clock_does(
    tmp_path: Path, day: str
) -> None:
    """In all kinds: QWHSDURN counts microseconds in the first, TOD units in the others."""
    zone, first = DAYS[day]
    kinds = ((115, 1), (115, 231), (116, 10))
    records = [encoded for kind in kinds for encoded in statistics(half_hours(zone, first), kind)]
    tables = read_all(dump(tmp_path, records)).tables
    for structure in ("qjst", "qcct", "qcst"):
        rows = tables[f"section_{structure}"].to_pylist()
        starts = [first + number * HALF_HOUR for number in range(24)]
        assert [row["interval_start_utc"] for row in rows] == starts
        assert all(row["interval_end_utc"] == row["record_utc"] for row in rows)
        assert all(a["interval_end_utc"] == b["interval_start_utc"] for a, b in pairwise(rows))
        assert {row["interval_seconds"] for row in rows} == {1800.0}
        expected = [offset_minutes(zone, row["interval_end_utc"]) for row in rows]
        assert [row["utc_offset_minutes"] for row in rows] == expected


def test_a_clock_change_inside_of_an_interval_does_not_move_it(tmp_path: Path) -> None:
    """Both habits: the start by the clock as it was then, or by the clock at the end."""
    start, end = datetime(2025, 3, 30, 0, 45, tzinfo=UTC), datetime(2025, 3, 30, 1, 15, tzinfo=UTC)
    instants = np.array([micros(start)]), np.array([micros(end)])
    stating = [
        Intervals(*instants, np.array([120]), np.array([60])),
        Intervals(*instants, np.array([120])),
    ]
    records = [encoded for intervals in stating for encoded in statistics(intervals)]
    rows = rows_of(dump(tmp_path, records), "qjst")
    assert [(row["interval_start_utc"], row["interval_end_utc"]) for row in rows] == [
        (start, end)
    ] * 2
    assert {row["utc_offset_minutes"] for row in rows} == {120}


def test_systems_in_different_zones_share_one_file(tmp_path: Path) -> None:
    zones = {
        "NYC1": "America/New_York",
        "BER1": BERLIN,
        "IND1": "Asia/Kolkata",
        "NEP1": "Asia/Kathmandu",
    }
    first = datetime(2025, 10, 25, 22, tzinfo=UTC)
    by_system = {
        smfid: statistics(half_hours(zone, first, 12), smfid=smfid, qmgr=f"MQ{smfid[:2]}")
        for smfid, zone in zones.items()
    }
    mixed = [each for together in zip(*by_system.values(), strict=True) for each in together]
    stubs = [stub(each) for each in mixed]
    records = [each for pair in zip(mixed, stubs, strict=True) for each in pair]
    path = dump(tmp_path, records)
    for structure in ("qjst", "qsgm"):
        rows = rows_of(path, structure)
        for smfid, zone in zones.items():
            mine = [row for row in rows if row["smfid"] == smfid]
            starts = [row["interval_start_utc"] for row in mine]
            assert starts == [first + number * HALF_HOUR for number in range(12)], smfid
            offsets = [offset_minutes(zone, row["interval_end_utc"]) for row in mine]
            assert [row["utc_offset_minutes"] for row in mine] == offsets


@pytest.mark.parametrize(("subtype", "name"), [(5, "QSPH"), (6, "QSGM"), (7, "QSRS")])
def test_records_without_times_take_those_of_their_queue_manager(
    tmp_path: Path, subtype: int, name: str
) -> None:
    ours = statistics(half_hours(BERLIN, datetime(2025, 10, 26, tzinfo=UTC), 6), qmgr="OURS")
    others = statistics(half_hours("UTC", datetime(2025, 10, 26, tzinfo=UTC), 6), qmgr="ELSE")
    records = [
        each
        for our, other in zip(ours, others, strict=True)
        for each in (other, our, stub(our, subtype, name))
    ]
    path = dump(tmp_path, records)
    wanted = [
        [row[name] for name in TIMES] for row in rows_of(path, "qjst") if row["qmgr"] == "OURS"
    ]
    assert [[row[name] for name in TIMES] for row in rows_of(path, name.lower())] == wanted


@pytest.mark.thorough
def test_the_other_records_may_stand_in_the_batch_before_or_behind(tmp_path: Path) -> None:
    stating = statistics(half_hours(BERLIN, datetime(2025, 10, 26, tzinfo=UTC), 8))
    before = [each for source in stating for each in (stub(source), source)]
    behind = [each for source in stating for each in (source, stub(source))]
    for records in (before, behind):
        path = dump(tmp_path, records)
        whole = read_all(path).tables["section_qsgm"]
        for batch_bytes in (900, 1_500, 4_000):
            reading = source_for(path).read(path, SHA)
            assert isinstance(reading, SmfReading)
            reading.batch_bytes = batch_bytes
            parts = [table for dataset, table in reading.tables() if dataset == "section_qsgm"]
            rows = sorted((row for part in parts for row in part.to_pylist()), key=_place)
            assert rows == in_order(whole).to_pylist()
            assert {row["interval_seconds"] for row in rows} == {1800.0}


@pytest.mark.thorough
@given(st.randoms(use_true_random=False))
@settings(max_examples=10, deadline=None)
def test_the_order_of_records_does_not_change_their_times(rng: random.Random) -> None:
    stating = statistics(half_hours(BERLIN, datetime(2025, 7, 1, tzinfo=UTC), 5))
    records = [each for source in stating for each in (source, stub(source))]
    rng.shuffle(records)
    with tempfile.TemporaryDirectory() as folder:
        rows = rows_of(dump(Path(folder), records), "qsgm")
    starts = sorted(row["interval_start_utc"] for row in rows)
    assert starts == [datetime(2025, 7, 1, tzinfo=UTC) + n * HALF_HOUR for n in range(5)]
    assert all(row["record_utc"] == row["interval_end_utc"] for row in rows)


def _place(row: dict[str, Any]) -> tuple[int, int]:
    return row["record_offset_bytes"], row["section_index"]


def test_no_interval_is_invented_for_a_single_record(tmp_path: Path) -> None:
    stating = statistics(half_hours(BERLIN, datetime(2025, 7, 1, tzinfo=UTC), 4))
    hour_later = statistics(half_hours(BERLIN, datetime(2025, 7, 1, 6, tzinfo=UTC), 1))
    (row,) = rows_of(dump(tmp_path, [*stating, stub(hour_later[0])]), "qsgm")
    assert row["interval_start_utc"] is row["interval_seconds"] is None
    assert row["utc_offset_minutes"] == 120
    assert row["record_utc"] == datetime(2025, 7, 1, 6, 30, tzinfo=UTC)


def test_where_the_offset_is_in_doubt_the_time_stays_unknown(tmp_path: Path) -> None:
    stating = statistics(half_hours(BERLIN, datetime(2025, 10, 25, 23, tzinfo=UTC), 6))
    lonely = statistics(half_hours(BERLIN, datetime(2025, 10, 26, 12, tzinfo=UTC), 1))
    (row,) = rows_of(dump(tmp_path, [*stating, stub(lonely[0])]), "qsgm")
    assert row["utc_offset_minutes"] is row["record_utc"] is row["interval_end_utc"] is None


def test_accounting_records_have_the_time_of_writing(tmp_path: Path) -> None:
    start = datetime(2025, 3, 10, 12, 15, tzinfo=UTC)
    end = datetime(2025, 3, 10, 13, 0, tzinfo=UTC)
    user = section("QWHC", qwhcaid="MQUSER")
    task = section("WTAS", wtasints=micros(start), wtasinte=micros(end))
    records = [
        record((116, 0), short_qwhs(3) + user, {2: section("QMAC")}, 7),
        record((116, 1), short_qwhs(3) + user, {1: section("WTID"), 2: task}, 4),
        record((116, 2), short_qwhs(3) + user, {2: section("WQST")}, 4),
    ]
    path = dump(tmp_path, records)
    (message,) = rows_of(path, "qmac")
    (task_row,) = rows_of(path, "wtas")
    (queue,) = rows_of(path, "wqst")
    assert {row["record_utc"] for row in (message, task_row, queue)} == {end}
    assert (task_row["interval_start_utc"], task_row["interval_end_utc"]) == (start, end)
    assert task_row["interval_seconds"] == 2700.0
    assert message["interval_start_utc"] is queue["interval_start_utc"] is None


def test_the_rest_of_a_task_has_the_interval_of_its_first_record(tmp_path: Path) -> None:
    end = micros(datetime(2025, 3, 10, 13, tzinfo=UTC))
    records = []
    for number in (1, 2):
        task = section("WTID", wtidcori=f"{number:02d}" * 12, wtidcfwd=number)
        length = section("WTAS", wtasints=end - number * 60_000_000, wtasinte=end)
        records.append(record((116, 1), short_qwhs(3), {1: task, 2: length}, 4))
    for number in (2, 1, 3):
        task = section("WTID", wtidcori=f"{number:02d}" * 12, wtidcfwd=9)
        queue = section("WQST", objname=f"Q{number}")
        records.append(record((116, 2), short_qwhs(3), {1: task, 2: queue}, 4))
    rows = rows_of(dump(tmp_path, records), "wqst")
    result = {row["objname"]: row["interval_seconds"] for row in rows}
    assert result == {"Q2": 120.0, "Q1": 60.0, "Q3": None}
    assert {row["utc_offset_minutes"] for row in rows} == {-300}


def test_a_task_without_start_or_with_its_end_first_has_no_interval(tmp_path: Path) -> None:
    ends = [{"wtasinte": micros(datetime(2025, 3, 10, 13, tzinfo=UTC))}]
    ends.append({**ends[0], "wtasints": micros(datetime(2025, 3, 10, 14, tzinfo=UTC))})
    records = [
        record((116, 1), short_qwhs(3), {1: section("WTID"), 2: section("WTAS", **end)}, 4)
        for end in ends
    ]
    rows = rows_of(dump(tmp_path, records), "wtas")
    assert [row["interval_seconds"] for row in rows] == [None, None]
    assert all(row["record_utc"] is not None for row in rows)
