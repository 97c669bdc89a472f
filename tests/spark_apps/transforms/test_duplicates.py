"""Records and rows that arrive twice."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pyarrow as pa
import pytest

from mqcap.ingest.mqsmfcsv.rows import LOWEST_PRINTED_HASH
from spark_apps.read import row_schema
from spark_apps.transforms.duplicates import (
    OCCURRENCE,
    RepeatedKeys,
    conflicts,
    deduplicated,
    may_hold_duplicates,
    of_one_file,
    replaced,
    sysplex_of,
    with_occurrence,
)
from spark_apps.transforms.keys import key_of, task_key_of
from tests.spark_apps.manifests import manifest
from tests.spark_apps.rows import frame, records

MIDNIGHT = datetime(2025, 3, 11, tzinfo=UTC)
LATER = {"first_interval_utc": MIDNIGHT, "last_interval_utc": datetime(2025, 3, 12, tzinfo=UTC)}
KEY = key_of("section_qjst")
COLUMNS = row_schema("section_qjst").names()


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        ({}, True),
        (LATER, False),
        ({"smfids": ("SYS2",)}, False),
        ({"rows": {"section_qpst": 1}}, False),
        ({**LATER, "repeated": ("section_qjst",)}, True),
        ({"first_interval_utc": None}, True),
    ],
)
def test_rows_are_compared_only_where_files_can_overlap(
    second: dict[str, Any], expected: bool
) -> None:
    assert may_hold_duplicates("section_qjst", [manifest("a"), manifest("b", **second)]) is expected


def test_logs_that_meet_in_one_instant_and_a_file_within_another_can_share_records() -> None:
    rows = {"console_event": 1}
    pair = [manifest("a", rows=rows), manifest("b", rows=rows, **LATER)]
    assert may_hold_duplicates("console_event", pair)
    long = manifest("a", last_interval_utc=datetime(2025, 3, 13, tzinfo=UTC))
    assert may_hold_duplicates("section_qjst", [manifest("b", **LATER), long])


def test_one_file_or_files_without_rows_hold_no_duplicates() -> None:
    assert not may_hold_duplicates("section_qjst", [])
    assert not may_hold_duplicates("section_qjst", [manifest("a")])
    assert not may_hold_duplicates("section_qjst", [manifest("a"), manifest("b", rows={})])


def table(**columns: list[Any]) -> pa.Table:
    """Rows of ``section_qjst``; the columns that are not given are equal."""
    count = len(next(iter(columns.values())))
    start = [datetime(2025, 3, 10, tzinfo=UTC)] * count
    rows = {"smfid": ["SYS1"] * count, "qmgr": ["CSQ1"] * count, "interval_start_utc": start}
    return pa.table(rows | columns)


def repeated(*tables: pa.Table, dataset: str = "section_qjst") -> tuple[str, ...]:
    keys = RepeatedKeys()
    for some in tables:
        keys.add(dataset, some)
    return keys.datasets()


def test_a_key_that_occurs_twice_is_found_in_one_table_and_across_tables() -> None:
    assert repeated(table(qmgr=["CSQ1", "CSQ1"])) == ("section_qjst",)
    assert repeated(table(qmgr=["CSQ1", "CSQ2"])) == ()
    assert repeated(table(qmgr=["CSQ1"]), table(qmgr=["CSQ2"])) == ()
    assert repeated(table(qmgr=["CSQ1"]), table(qmgr=["CSQ2", "CSQ1"])) == ("section_qjst",)


def test_every_column_of_the_key_and_no_other_distinguishes_rows() -> None:
    later = datetime(2025, 3, 10, 0, 0, 0, 1, UTC)
    start = datetime(2025, 3, 10, tzinfo=UTC)
    assert repeated(table(interval_start_utc=[start, later])) == ()
    assert repeated(table(smfid=["SYS1", "SYS2"])) == ()
    assert repeated(table(qmgr=["AB", "A"], smfid=["C", "BC"])) == ()
    assert repeated(table(qjstbffl=[1, 2])) == ("section_qjst",)
    assert repeated(table(qmgr=["CSQ1", "CSQ1"]), dataset="section_wtas") == ()


def test_missing_values_are_values_of_the_key() -> None:
    assert repeated(table(qmgr=["CSQ1", None])) == ()
    assert repeated(table(qmgr=[None, None])) == ("section_qjst",)
    start = datetime(2025, 3, 10, tzinfo=UTC)
    typed = pa.array([start, None, None], pa.timestamp("us", "UTC"))
    assert repeated(table(smfid=["A"] * 3, interval_start_utc=typed)) == ("section_qjst",)


def test_equal_texts_are_equal_whatever_their_dictionary() -> None:
    first = table(qmgr=pa.array(["CSQ2", "CSQ1"]).dictionary_encode())
    second = table(qmgr=pa.array(["CSQ1"]).dictionary_encode())
    assert repeated(first.slice(0, 1), second) == ()
    assert repeated(first, second) == ("section_qjst",)


def test_files_of_two_sysplexes_do_not_overlap() -> None:
    files = [manifest("a"), manifest("b")]
    assert not may_hold_duplicates("section_qjst", files, {"a": "PLEXA", "b": "PLEXB"})
    for other in ({"b": "PLEXA"}, {}, {"b": ""}):
        assert may_hold_duplicates("section_qjst", files, {"a": "PLEXA", **other})


def test_contradicting_sections_are_reported_with_both_figures_and_files() -> None:
    of_a, of_b = {"file_sha256": "a"}, {"file_sha256": "b"}
    rows: list[Mapping[str, Any]] = [
        {**of, "qmgr": qmgr, "record_hash": number, "qjstbffl": flushed}
        for of, qmgr, number, flushed in (
            (of_a, "CSQ1", 2, 5), (of_b, "CSQ1", 9, 6), (of_a, "CSQ2", 3, 5), (of_b, "CSQ2", 4, 5),
        )
    ]  # fmt: skip
    [row] = records(conflicts(frame("section_qjst", rows), "section_qjst", KEY, ("a", "b")))
    assert (row.subject, row.place, row.field) == ("SYS1/CSQ1", "PLEX1/CSQ1", "qjstbffl")
    assert (row.kept_hash, row.kept_file, row.kept_value) == (9, "b", "6")
    assert (row.other_hash, row.other_file, row.other_value) == (2, "a", "5")


@pytest.mark.parametrize(
    ("seconds", "events"),
    [
        ([(0, 0)], 2),
        ([(0, 0, 0), (0, 0)], 3),
        ([(0, 1, 0, 1)], 2),
        ([(0, 0, 1, 0, 0, 1)], 3),
        ([(0, 1), (1, 2)], 3),
    ],
    ids=["twice in a second", "in two files", "a doubled file", "doubled with both", "overlap"],
)
def test_equal_messages_of_a_file_are_events_and_those_of_several_files_the_same_ones(
    seconds: list[tuple[int, ...]], events: int
) -> None:
    start = datetime(2025, 3, 10, tzinfo=UTC)
    rows = [
        {"event_utc": start + timedelta(seconds=second), "message_id": "CSQW133E", "text": "lost",
         "file_sha256": str(file), "line_number": line}
        for file, of_file in enumerate(seconds)
        for line, second in enumerate(of_file)
    ]  # fmt: skip
    key, columns = (*key_of("console_event"), OCCURRENCE), row_schema("console_event").names()
    for order in (rows, list(reversed(rows))):
        counted = with_occurrence(frame("console_event", order))
        assert len(records(deduplicated(counted, columns, key))) == events


@pytest.mark.parametrize(
    ("microseconds", "text"), [(0, "13:00:00"), (10_000, "13:00:00.01"), (1, "13:00:00.000001")]
)
def test_numbers_and_instants_of_a_key_are_readable(microseconds: int, text: str) -> None:
    started = datetime(2025, 3, 10, 13, 0, 0, microseconds, UTC)
    row = {"qcstchnm": "A.TO.B", "qcstcnnm": "10.0.0.1", "qcststrt": started}
    rows = [{**row, "record_hash": 9, "qcstll": 1}, {**row, "record_hash": 2, "qcstll": 2}]
    key = key_of("section_qcst")
    [found] = records(conflicts(frame("section_qcst", rows), "section_qcst", key))
    assert found.subject == f"SYS1/CSQ1/A.TO.B/10.0.0.1/2025-03-10 {text}"


def test_a_printed_row_gives_way_to_the_record_without_contradicting_it() -> None:
    later = datetime(2025, 3, 10, 13, 30, 0, 4, UTC)
    rows: list[Mapping[str, Any]] = [
        {"qjstbffl": 6, "record_hash": LOWEST_PRINTED_HASH, "interval_end_utc": later},
        {"qjstbffl": 5, "record_hash": 9},
    ]
    both = frame("section_qjst", rows)
    assert [row.qjstbffl for row in records(deduplicated(both, COLUMNS, KEY))] == [5]
    assert records(conflicts(both, "section_qjst", KEY)) == []


@pytest.mark.parametrize(
    ("given", "by_smfid", "by_qmgr", "expected"),
    [
        ({"sysplex": "OWN"}, {"SYS1": "MAP"}, {}, "OWN"),
        ({"sysplex": ""}, {"SYS1": "MAP"}, {}, "MAP"),
        ({"sysplex": None}, {"SYS1": "MAP"}, {"CSQ1": "QM"}, "MAP"),
        ({"sysplex": None, "smfid": None}, {"SYS1": "MAP"}, {"CSQ1": "QM"}, "QM"),
        ({"sysplex": None}, {}, {}, "UNKNOWN"),
    ],
)
def test_a_row_is_placed_by_the_best_that_is_known(
    given: Mapping[str, Any], by_smfid: Mapping[str, str], by_qmgr: Mapping[str, str], expected: str
) -> None:
    sysplex = sysplex_of(COLUMNS, by_smfid, by_qmgr)
    placed = frame("section_qjst", [given]).with_columns(sysplex=sysplex)
    assert records(placed)[0].sysplex == expected


TASK = task_key_of("section_wtas")


def test_corrected_accounting_replaces_the_old_one_and_is_told_once() -> None:
    first = [{"record_hash": number, "wtasjwb": number, "file_sha256": "a"} for number in (1, 2, 3)]
    corrected = [{**row, "record_hash": number + 10, "file_sha256": "b"}
                 for number, row in enumerate(first)]  # fmt: skip
    corrected[0]["wtasjwb"] = 700
    rows = frame("section_wtas", [*first, *corrected])
    for arrivals, total in ((("a", "b"), 705), (("b", "a"), 6)):
        kept = records(of_one_file(rows, TASK, arrivals))
        assert sum(row.wtasjwb for row in kept) == total
        assert len(records(conflicts(replaced(rows, TASK, arrivals), "section_wtas", TASK))) == 1


def test_accounting_of_dumps_that_overlap_counts_once_and_contradicts_nothing() -> None:
    every = [{"record_hash": number, "file_sha256": "a"} for number in (1, 2, 3)]
    later = [{**row, "file_sha256": "b"} for row in every[1:]]
    rows = frame("section_wtas", [*every, *later])
    for arrivals in (("a", "b"), ("b", "a")):
        assert len(records(of_one_file(rows, TASK, arrivals))) == 3
        assert records(replaced(rows, TASK, arrivals)) == []
