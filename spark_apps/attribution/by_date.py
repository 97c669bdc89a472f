"""Attribution on Spark: a task per UTC date, which reads the rows of the date itself."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from mqcap.domain.datasets import METRIC_PART, SOURCE_PAIR
from mqcap.lake.manifest import Manifest, dataset_files
from spark_apps.attribution import compare
from spark_apps.attribution.compare import source_pairs as pairs_of_day
from spark_apps.attribution.daily import MODULES, parts_of_day
from spark_apps.attribution.days import DAYS, SiteDays
from spark_apps.attribution.rows import DayRows
from spark_apps.transforms.duplicates import may_hold_duplicates

DATASETS: Final = tuple(sorted({name for module in (*MODULES, compare) for name in module.READS}))
"""Datasets that attribution reads."""
_TYPES: Final = {"string": pa.string(), "double": pa.float64(), "date": pa.date32()}
_NO_PARTS: Final = pa.schema(
    [(name, _TYPES[kind]) for name, kind in METRIC_PART.columns.items()]
).empty_table()
Days = Mapping[date, DayRows]


def days_of(
    lake: Path,
    dates: Collection[date],
    sources: Iterable[Manifest],
    sysplexes: tuple[Mapping[str, str], Mapping[str, str]],
) -> Days:
    """Return where the rows of each date are; ``sysplexes`` are by SMF id and by queue manager."""
    touching: dict[date, list[Manifest]] = {day: [] for day in dates}
    for source in sources:
        for day in touching.keys() & set(source.hour_dates):
            touching[day].append(source)
    return {day: _day(lake.absolute(), day, files, sysplexes) for day, files in touching.items()}


def metric_parts(
    wholes: DataFrame, days: Days, site_days: SiteDays, parts_per_day: int
) -> DataFrame:
    """Return the rows of METRIC_PART for these dates; ``wholes`` may hold others as well."""
    compute = partial(_parts, days=days, site_days=site_days, parts_per_day=parts_per_day)
    dates = _dates(wholes.sparkSession, days).groupBy(DAYS[0])
    return dates.cogroup(wholes.groupBy(DAYS[0])).applyInArrow(compute, METRIC_PART.spark_schema)


def source_pairs(spark: SparkSession, days: Days, site_days: SiteDays) -> DataFrame:
    """Return the rows of SOURCE_PAIR for these dates."""
    compute = partial(_pairs, days=days, site_days=site_days)
    dates = _dates(spark, days).repartition(spark.sparkContext.defaultParallelism)
    return dates.mapInArrow(compute, SOURCE_PAIR.spark_schema)


def _day(
    lake: Path,
    day: date,
    sources: Sequence[Manifest],
    sysplexes: tuple[Mapping[str, str], Mapping[str, str]],
) -> DayRows:
    files = {name: dataset_files(lake, name, sources) for name in DATASETS}
    repeated = frozenset(name for name in DATASETS if may_hold_duplicates(name, sources))
    return DayRows(day, files, repeated, *sysplexes)


def _dates(spark: SparkSession, days: Days) -> DataFrame:
    return spark.createDataFrame([(day,) for day in sorted(days)], f"{DAYS[0]} date")


def _parts(
    key: tuple[Any, ...], asked: pa.Table, wholes: pa.Table, /, days: Days, **options: Any
) -> pa.Table:
    """Return the parts of one date; none of a date that was not asked for."""
    if not asked.num_rows:
        return _NO_PARTS
    return parts_of_day(days[key[0].as_py()], wholes.drop_columns(DAYS[0]), **options)


def _pairs(
    dates: Iterable[pa.RecordBatch], days: Days, site_days: SiteDays
) -> Iterator[pa.RecordBatch]:
    """Yield the pairs of each date."""
    for batch in dates:
        for day in batch.column(0).to_pylist():
            yield from pairs_of_day(days[day], site_days).to_batches()
