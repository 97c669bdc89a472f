"""Datasets of the lake as metrics read them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from mqcap.domain.errors import ConfigurationError
from mqcap.ingest.smf.layout import layouts
from mqcap.ingest.smf.sections import dataset_schema as layout_schema
from mqcap.lake.layout import rows_path
from mqcap.lake.manifest import Manifest, dataset_files
from spark_apps.digests import Placement
from spark_apps.read import dataset_schema, read_dataset, read_placed, read_sections
from spark_apps.registry import datasets_read
from tests.spark_apps.manifests import NEXT, manifest
from tests.spark_apps.rows import COMMON

PLACE: Final = Placement(
    sysplex_by_smfid={"SYS1": "PLEX1"}, chinit_31bit_limits_mib={"PLEX1/CSQ1": 1_588}
)
LATER: Final = {"interval_start_utc": datetime(2025, 3, 10, 14, tzinfo=UTC)}


def stored(lake: Path, sha256: str, structure: str, *rows: Mapping[str, Any]) -> Manifest:
    """Write rows as those of one file of the lake; columns not given are as usual, else null."""
    dataset = f"section_{structure}"
    schema = layout_schema(layouts()[structure.upper()])
    common = {**COMMON, "sysplex": None, "file_sha256": sha256}
    table = pa.Table.from_pylist([{**common, **row} for row in rows], schema)
    path = rows_path(lake, dataset, NEXT, sha256)
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(table, path)
    return manifest(sha256, rows={dataset: len(rows)})


@pytest.mark.parametrize("name", ["section_none", "qjst", "metric_hourly", "section_"])
def test_an_unknown_dataset_is_named(name: str) -> None:
    with pytest.raises(ConfigurationError, match=f"no dataset has this name; found {name};"):
        dataset_schema(name)


@pytest.mark.spark
@pytest.mark.parametrize("name", ["section_qjst", "section_r744s", "console_event", "quarantine"])
def test_a_dataset_without_files_has_all_its_columns(spark: SparkSession, name: str) -> None:
    rows = read_dataset(spark, name, [])
    assert rows.schema == dataset_schema(name)
    assert rows.count() == 0


@pytest.mark.spark
def test_rows_are_those_of_the_given_files_alone(spark: SparkSession, tmp_path: Path) -> None:
    first = stored(tmp_path, "a", "qjst", {"qjstbffl": 1})
    stored(tmp_path, "b", "qjst", {"qjstbffl": 2})
    rows = read_dataset(spark, "section_qjst", dataset_files(tmp_path, "section_qjst", [first]))
    assert [row.qjstbffl for row in rows.collect()] == [1]
    assert rows.schema == dataset_schema("section_qjst")


@pytest.mark.spark
@pytest.mark.parametrize(
    ("structure", "row", "kept"),
    [
        ("qjst", {}, True),
        ("qjst", {"interval_start_utc": None}, False),
        ("qjst", {"interval_end_utc": None}, False),
        ("qjst", {"smfid": None}, True),
        ("r744f", {}, True),
        ("r744f", {"cf": None}, False),
    ],
)
def test_rows_that_belong_to_no_hour_or_facility_are_left_out(
    spark: SparkSession, tmp_path: Path, structure: str, row: dict[str, Any], kept: bool
) -> None:
    source = stored(tmp_path, "a", structure, row)
    assert read_placed(spark, tmp_path, f"section_{structure}", [source], PLACE).count() == kept


@pytest.mark.spark
def test_rows_get_the_sysplex_of_their_system(spark: SparkSession, tmp_path: Path) -> None:
    source = stored(tmp_path, "a", "qjst", {}, {"smfid": "SYS9"})
    rows = read_placed(spark, tmp_path, "section_qjst", [source], PLACE).collect()
    assert {row.smfid: row.sysplex for row in rows} == {"SYS1": "PLEX1", "SYS9": "UNKNOWN"}


@pytest.mark.spark
def test_metrics_read_a_record_of_two_files_once(spark: SparkSession, tmp_path: Path) -> None:
    sources = [
        stored(tmp_path, "a", "qjst", {"qjstbffl": 1}, {"qjstbffl": 2, **LATER}),
        stored(tmp_path, "b", "qjst", {"qjstbffl": 2, **LATER}),
    ]
    placed = read_placed(spark, tmp_path, "section_qjst", sources, PLACE)
    sections = read_sections(spark, tmp_path, sources, PLACE)
    assert placed.count() == 3
    assert sorted(row.qjstbffl for row in sections["section_qjst"].collect()) == [1, 2]


@pytest.mark.spark
def test_every_dataset_of_a_metric_is_there_even_without_rows(
    spark: SparkSession, tmp_path: Path
) -> None:
    sections = read_sections(spark, tmp_path, [], PLACE)
    assert set(sections.frames) == set(datasets_read())
    assert sections["section_r744p"].count() == 0
    assert sections.chinit_31bit_limits_mib == {"PLEX1/CSQ1": 1_588}
