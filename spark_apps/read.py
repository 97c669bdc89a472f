"""Read datasets of the lake for the metrics: placed, counted once, empty where there is nothing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from domain.datasets import CF_SECTION_COLUMNS, CONSOLE_EVENT, SECTION_COLUMNS
from ingest.smf.layout import column_names, layouts
from spark_apps.intervals import INTERVAL, Sections
from spark_apps.lake import Manifest, dataset_files
from spark_apps.registry import datasets_read
from spark_apps.sections import SECTION_KEYS, once, placed
from spark_apps.stale import Placement

_SECTION: Final = "section_"
_FACILITY: Final = "section_r744"


def read_sections(
    spark: SparkSession, lake: Path, sources: Sequence[Manifest], place: Placement
) -> Sections:
    """Every dataset that a metric reads, with the rows of the given sources.

    Rows without an interval cannot be laid over hours and are left out.
    """
    frames = {
        name: once(read_placed(spark, lake, name, sources, place), SECTION_KEYS[name])
        for name in datasets_read()
    }
    return Sections(frames, place.chinit_31bit_limits_mib)


def read_placed(
    spark: SparkSession, lake: Path, name: str, sources: Sequence[Manifest], place: Placement
) -> DataFrame:
    """Rows of one dataset with their sysplex; duplicates are still among them."""
    frame = read_dataset(spark, name, dataset_files(lake, name, sources))
    frame = placed(frame, place.sysplex_by_smfid, place.sysplex_by_qmgr)
    return frame.dropna(subset=list(INTERVAL)) if name.startswith(_SECTION) else frame


def read_dataset(spark: SparkSession, name: str, paths: Sequence[str]) -> DataFrame:
    """Rows of one dataset; without files, no rows but the columns of its layout."""
    if not paths:
        return spark.createDataFrame([], _empty_schema(name))
    schema = from_arrow_schema(pq.read_schema(paths[0]))
    return spark.read.schema(schema).parquet(*paths)


def _empty_schema(name: str) -> str:
    if not name.startswith(_SECTION):
        return CONSOLE_EVENT.spark_schema
    layout = layouts()[name.removeprefix(_SECTION).upper()]
    fixed = CF_SECTION_COLUMNS if name.startswith(_FACILITY) else SECTION_COLUMNS
    kinds = {**dict.fromkeys(column_names(layout), "double"), **fixed}
    return ", ".join(f"{column} {kind}" for column, kind in kinds.items())
