from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import polars as pl
import pytest

from mqcap.ingest.mqsmfcsv.rows import LOWEST_PRINTED_HASH
from spark_apps.read import row_schema
from spark_apps.transforms.deduplicate import conflicts, deduplicated, with_sysplex
from spark_apps.transforms.keys import key_of
from tests.spark_apps.rows import frame, records

KEY = key_of("section_qjst")
COLUMNS = row_schema("section_qjst").names()


def once(rows: pl.LazyFrame) -> list[Any]:
    return records(deduplicated(rows, COLUMNS, KEY))


def test_the_same_section_from_two_dumps_counts_once() -> None:
    rows = [{"qjstbffl": 5, "file_sha256": name} for name in ("b", "a", "b")]
    result = once(frame("section_qjst", rows))
    assert [(row.qjstbffl, row.file_sha256) for row in result] == [(5, "a")]


def test_of_contradicting_sections_always_the_same_one_is_kept() -> None:
    rows = [
        {"qjstbffl": 5, "record_hash": 9, "file_sha256": "a"},
        {"qjstbffl": 6, "record_hash": 2, "file_sha256": "b"},
    ]
    for order in (rows, list(reversed(rows))):
        result = once(frame("section_qjst", order))
        assert [row.qjstbffl for row in result] == [6]


def test_contradicting_sections_are_reported() -> None:
    rows: list[Mapping[str, Any]] = [
        {"record_hash": 9},
        {"record_hash": 2},
        {"qmgr": "CSQ2", "record_hash": 3},
        {"qmgr": "CSQ2", "record_hash": 3},
    ]
    result = records(conflicts(frame("section_qjst", rows), "section_qjst", KEY))
    assert [(row.subject, row.kept_hash, row.other_hash) for row in result] == [("SYS1/CSQ1", 2, 9)]


@pytest.mark.parametrize(
    ("microseconds", "text"), [(0, "13:00:00"), (10_000, "13:00:00.01"), (1, "13:00:00.000001")]
)
def test_numbers_and_instants_of_a_key_are_readable(microseconds: int, text: str) -> None:
    started = datetime(2025, 3, 10, 13, 0, 0, microseconds, UTC)
    row = {"qcstchnm": "A.TO.B", "qcstcnnm": "10.0.0.1", "qcststrt": started}
    rows = [{**row, "record_hash": 9}, {**row, "record_hash": 2}]
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
    placed = with_sysplex(frame("section_qjst", [given]), COLUMNS, by_smfid, by_qmgr)
    assert records(placed)[0].sysplex == expected
