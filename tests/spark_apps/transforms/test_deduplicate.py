from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import polars as pl
import pytest

from mqcap.ingest.mqsmfcsv.rows import LOWEST_PRINTED_HASH
from spark_apps.read import row_schema
from spark_apps.transforms.duplicates import (
    OCCURRENCE,
    conflicts,
    deduplicated,
    of_one_file,
    replaced,
    sysplex_of,
    with_occurrence,
)
from spark_apps.transforms.keys import key_of, task_key_of
from tests.spark_apps.rows import frame, records

KEY = key_of("section_qjst")
COLUMNS = row_schema("section_qjst").names()


def once(rows: pl.LazyFrame) -> list[Any]:
    return records(deduplicated(rows, COLUMNS, KEY))


def test_contradicting_sections_are_reported_with_both_figures_and_files() -> None:
    of_a, of_b = {"file_sha256": "a"}, {"file_sha256": "b"}
    rows: list[Mapping[str, Any]] = [
        {**of_a, "record_hash": 2, "qjstbffl": 5},
        {**of_b, "record_hash": 9, "qjstbffl": 6},
        {**of_a, "qmgr": "CSQ2", "record_hash": 3, "qjstbffl": 5},
        {**of_b, "qmgr": "CSQ2", "record_hash": 4, "qjstbffl": 5},
    ]
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
    for order in (rows, list(reversed(rows))):
        counted = with_occurrence(frame("console_event", order))
        key = (*key_of("console_event"), OCCURRENCE)
        assert (
            len(records(deduplicated(counted, row_schema("console_event").names(), key))) == events
        )


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
    assert [row.qjstbffl for row in once(both)] == [5]
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
    given: Mapping[str, Any],
    by_smfid: Mapping[str, str],
    by_qmgr: Mapping[str, str],
    expected: str,
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
