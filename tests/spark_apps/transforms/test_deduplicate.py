from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest
from pyspark.sql import SparkSession

from mqcap.ingest.mqsmfcsv.rows import LOWEST_PRINTED_HASH
from spark_apps.transforms.deduplicate import conflicts, deduplicated, with_sysplex
from spark_apps.transforms.keys import key_of
from tests.spark_apps.rows import frame

pytestmark = pytest.mark.spark

KEY = key_of("section_qjst")


def test_the_same_section_from_two_dumps_counts_once(spark: SparkSession) -> None:
    rows = [{"qjstbffl": 5, "file_sha256": name} for name in ("b", "a", "b")]
    result = deduplicated(frame(spark, "section_qjst", rows), KEY).collect()
    assert [(row.qjstbffl, row.file_sha256) for row in result] == [(5, "a")]


def test_of_contradicting_sections_always_the_same_one_is_kept(spark: SparkSession) -> None:
    rows = [
        {"qjstbffl": 5, "record_hash": 9, "file_sha256": "a"},
        {"qjstbffl": 6, "record_hash": 2, "file_sha256": "b"},
    ]
    for order in (rows, list(reversed(rows))):
        result = deduplicated(frame(spark, "section_qjst", order), KEY).collect()
        assert [row.qjstbffl for row in result] == [6]


def test_contradicting_sections_are_reported(spark: SparkSession) -> None:
    rows: list[Mapping[str, Any]] = [
        {"record_hash": 9},
        {"record_hash": 2},
        {"qmgr": "CSQ2", "record_hash": 3},
        {"qmgr": "CSQ2", "record_hash": 3},
    ]
    result = conflicts(frame(spark, "section_qjst", rows), "section_qjst", KEY).collect()
    assert [(row.subject, row.kept_hash, row.other_hash) for row in result] == [("SYS1/CSQ1", 2, 9)]


def test_a_printed_row_gives_way_to_the_record_without_contradicting_it(
    spark: SparkSession,
) -> None:
    later = datetime(2025, 3, 10, 13, 30, 0, 4, UTC)
    rows: list[Mapping[str, Any]] = [
        {"qjstbffl": 6, "record_hash": LOWEST_PRINTED_HASH, "interval_end_utc": later},
        {"qjstbffl": 5, "record_hash": 9},
    ]
    both = frame(spark, "section_qjst", rows)
    assert [row.qjstbffl for row in deduplicated(both, KEY).collect()] == [5]
    assert conflicts(both, "section_qjst", KEY).collect() == []


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
    spark: SparkSession,
    given: Mapping[str, Any],
    by_smfid: Mapping[str, str],
    by_qmgr: Mapping[str, str],
    expected: str,
) -> None:
    placed = with_sysplex(frame(spark, "section_qjst", [given]), by_smfid, by_qmgr)
    assert placed.collect()[0].sysplex == expected
