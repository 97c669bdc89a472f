"""Read datasets of the lake for the metrics: with sysplex, deduplicated, empty without files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final, cast

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from mqcap.domain.datasets import (
    CONSOLE_EVENT,
    QMGR_SAMPLE,
    QUARANTINE,
    SITE_SAMPLE,
    ZOS_SAMPLE,
    ZTPF_SAMPLE,
    ZTPF_SWEEP,
)
from mqcap.domain.errors import ConfigurationError
from mqcap.ingest.smf.layout import layouts
from mqcap.ingest.smf.sections import dataset_schema as layout_schema
from mqcap.lake.manifest import Manifest, dataset_files
from spark_apps.digests import Placement
from spark_apps.distributed_placement import DistributedPlacement
from spark_apps.registry import datasets_read
from spark_apps.transforms.deduplicate import deduplicated, with_sysplex
from spark_apps.transforms.duplicates import may_hold_duplicates
from spark_apps.transforms.intervals import Sections
from spark_apps.transforms.keys import INTERVAL, key_of
from spark_apps.transforms.samples import placed_samples, placed_systems
from spark_apps.transforms.site_samples import placed_site_samples

_SECTION: Final = "section_"
_PLAIN: Final = {
    dataset.name: dataset
    for dataset in (
        CONSOLE_EVENT,
        QUARANTINE,
        QMGR_SAMPLE,
        SITE_SAMPLE,
        ZOS_SAMPLE,
        ZTPF_SAMPLE,
        ZTPF_SWEEP,
    )
}
_OF_ZTPF: Final = frozenset({ZTPF_SAMPLE.name, ZTPF_SWEEP.name})
_COUNTED_ONCE: Final = frozenset({ZOS_SAMPLE.name})
"""Datasets whose rows may repeat: their metrics decide between them."""


def read_sections(
    spark: SparkSession, lake: Path, sources: Sequence[Manifest], place: Placement
) -> Sections:
    """Return every dataset that a metric reads, with the rows of the given sources.

    Rows without an interval cannot be apportioned to hours and are left out.
    """
    frames = {}
    for name in datasets_read():
        if name == QMGR_SAMPLE.name:
            frames[name] = read_samples(spark, lake, sources, place.distributed)
            continue
        if name == SITE_SAMPLE.name:
            frame = read_dataset(spark, name, dataset_files(lake, name, sources))
            frames[name] = placed_site_samples(frame, place.site_figures)
            continue
        if name in _OF_ZTPF:
            rows = read_dataset(spark, name, dataset_files(lake, name, sources))
            frames[name] = placed_systems(rows, place.distributed, place.site_days)
            continue
        frame = read_placed(spark, lake, name, sources, place)
        if name not in _COUNTED_ONCE and may_hold_duplicates(name, sources):
            frame = deduplicated(frame, key_of(name))
        frames[name] = frame
    return Sections(
        frames,
        place.chinit_31bit_limits_mib,
        place.bridge_queues,
        place.log_volumes,
        place.distributed.periods,
    )


def read_samples(
    spark: SparkSession, lake: Path, sources: Sequence[Manifest], place: DistributedPlacement
) -> DataFrame:
    """Return the samples of distributed queue managers that one place lists, as placed.

    The same sample may come from several files: ``counted_once`` decides between them.
    """
    frame = read_dataset(spark, QMGR_SAMPLE.name, dataset_files(lake, QMGR_SAMPLE.name, sources))
    return placed_samples(frame, place)


def read_placed(
    spark: SparkSession, lake: Path, name: str, sources: Sequence[Manifest], place: Placement
) -> DataFrame:
    """Return the rows of one dataset with their sysplex; duplicates are still among them.

    Rows without interval, or of a coupling facility without a name, are left out.
    """
    frame = read_dataset(spark, name, dataset_files(lake, name, sources))
    frame = with_sysplex(frame, place.sysplex_by_smfid, place.sysplex_by_qmgr)
    if name.startswith(_SECTION):
        frame = frame.dropna(subset=[*INTERVAL, *({"cf"} & set(frame.columns))])
    return frame


def read_dataset(spark: SparkSession, name: str, paths: Sequence[str]) -> DataFrame:
    """Return the rows of one dataset; without files, no rows but all its columns."""
    schema = dataset_schema(name)
    if not paths:
        return spark.createDataFrame([], schema).limit(0)  # the optimizer drops what reads it
    return spark.read.schema(schema).parquet(*paths)


def dataset_schema(name: str) -> StructType:
    """Return the columns of a dataset of the lake that ``decode`` writes.

    Raises ConfigurationError when there is no such dataset.
    """
    if name in _PLAIN:
        return cast("StructType", StructType.fromDDL(_PLAIN[name].spark_schema))
    layout = layouts().get(name.removeprefix(_SECTION).upper())
    if layout is None or not name.startswith(_SECTION):
        raise ConfigurationError(
            "no dataset has this name",
            found=name,
            expected="console_event, quarantine, or section_ and the name of a structure",
        )
    return from_arrow_schema(layout_schema(layout))
