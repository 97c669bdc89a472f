from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
import pytest

from spark_apps.transforms.duplicates import RepeatedKeys, may_hold_duplicates
from tests.spark_apps.manifests import manifest

MIDNIGHT = datetime(2025, 3, 11, tzinfo=UTC)
LATER = {"first_interval_utc": MIDNIGHT, "last_interval_utc": datetime(2025, 3, 12, tzinfo=UTC)}


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


def test_logs_that_meet_in_one_instant_can_share_a_message() -> None:
    rows = {"console_event": 1}
    pair = [manifest("a", rows=rows), manifest("b", rows=rows, **LATER)]
    assert may_hold_duplicates("console_event", pair)


def test_one_file_or_files_without_rows_hold_no_duplicates() -> None:
    assert not may_hold_duplicates("section_qjst", [])
    assert not may_hold_duplicates("section_qjst", [manifest("a")])
    assert not may_hold_duplicates("section_qjst", [manifest("a"), manifest("b", rows={})])


def test_a_long_file_overlaps_with_one_that_is_not_its_neighbour() -> None:
    long = manifest("a", last_interval_utc=datetime(2025, 3, 13, tzinfo=UTC))
    inside = manifest("b", **LATER)
    assert may_hold_duplicates("section_qjst", [inside, long])


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


def test_every_column_of_the_key_distinguishes_rows() -> None:
    later = datetime(2025, 3, 10, 0, 0, 0, 1, UTC)
    start = datetime(2025, 3, 10, tzinfo=UTC)
    assert repeated(table(interval_start_utc=[start, later])) == ()
    assert repeated(table(smfid=["SYS1", "SYS2"])) == ()
    assert repeated(table(qmgr=["AB", "A"], smfid=["C", "BC"])) == ()


def test_columns_outside_the_key_do_not_matter() -> None:
    assert repeated(table(qjstbffl=[1, 2])) == ("section_qjst",)


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


def test_a_dataset_without_a_key_is_never_repeated() -> None:
    assert repeated(table(qmgr=["CSQ1", "CSQ1"]), dataset="section_wtas") == ()


@pytest.mark.parametrize(
    ("sysplexes", "expected"),
    [
        ({"a": "PLEXA", "b": "PLEXB"}, False),
        ({"a": "PLEXA", "b": "PLEXA"}, True),
        ({"a": "PLEXA"}, True),
        ({"a": "PLEXA", "b": ""}, True),
    ],
)
def test_files_of_two_sysplexes_do_not_overlap(sysplexes: dict[str, str], expected: bool) -> None:
    files = [manifest("a"), manifest("b")]
    assert may_hold_duplicates("section_qjst", files, sysplexes) is expected
