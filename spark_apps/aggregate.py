"""Spark app: aggregate decoded sections to hourly metrics, for dates whose sources changed."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Final

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from mqcap.domain.datasets import METRIC_INTERVAL
from mqcap.domain.estate import Estate
from mqcap.domain.numbers import counted
from mqcap.lake.aggregated import source_digests, write_metric_catalogue
from mqcap.lake.files import remove_before, remove_unfinished
from mqcap.lake.layout import METRIC_SOURCES, metric_catalogue_path, partitions
from mqcap.lake.location import Location, open_lake
from mqcap.lake.manifest import manifests
from mqcap.lake.retention_state import frozen_dates
from mqcap.locks import LakePart, exclusive
from mqcap.settings import Settings
from mqcap.settings.analysis import AttributionSettings
from spark_apps.catalogue import declared_metrics
from spark_apps.digests import date_digests, placement, stale_dates
from spark_apps.hours import hours
from spark_apps.measure import DATE, MEASURED, Aggregation, Measure
from spark_apps.registry import all_metrics
from spark_apps.replace_dates import KEYS, REPLACED, ReplaceDate
from spark_apps.runtime.job_progress import job_progress
from spark_apps.runtime.session import arguments, spark_session
from spark_apps.runtime.task_errors import reporting

APP: Final = "aggregate"
PARTITIONS_PER_CORE: Final = 2
"""So that no core waits long for the last partition (ours)."""
PARTITION_ROWS_MAX: Final = 400_000
"""Bounds the memory of a Python worker, to some 800 MiB (ours)."""
BLOCK_ROWS: Final = 20_000
"""Fewer rows than this take no longer than to begin another partition (ours)."""
_log: Final = logging.getLogger(__name__)
INTERVAL_DAYS: Final = 35
"""Newest dates of which the single intervals are kept, as far back as rules look for a peak
(ours)."""


def main(argv: Sequence[str] | None = None) -> dict[str, int]:
    """Rewrite the stale dates of ``metric_hourly``; returns the counts of ``aggregate``."""
    args = arguments("Rewrite hourly metrics of dates whose sources have changed.", argv)
    with exclusive(args.settings, LakePart.hourly):
        plan = declared_plan(args.settings)
        if not plan.stale:
            return {"hour_dates": 0, "removed": 0}
        if plan.damaged:
            _log.warning(
                "The aggregated rows of %s (%s to %s) were gone or damaged; they are made again.",
                counted(len(plan.damaged), "UTC date"),
                plan.damaged[0],
                plan.damaged[-1],
            )
        remove_unfinished(unfinished(args.lake))
        with spark_session(APP, args.settings.spark) as spark:
            return aggregate(spark, plan)


def declared_plan(settings: Settings) -> Aggregation:
    """Return the plan of the settings' lake, and write the catalogue of all metrics into it."""
    lake = open_lake(settings.lake)
    metrics = (*all_metrics(), *declared_metrics(settings.site_figures))
    write_metric_catalogue(lake, [metric.model_dump(mode="json") for metric in metrics])
    estate, zone = settings.complete_estate(), settings.site.timezone
    return aggregation_plan(lake, estate, zone, settings.attribution)


def unfinished(lake: Location) -> Iterator[Location]:
    """Yield the temporary files and folders that a killed aggregation has left."""
    yield from lake.glob(f".{metric_catalogue_path(lake).name}.*")
    yield from (lake / METRIC_SOURCES).glob(".*")
    for dataset in KEYS:
        yield from (lake / dataset).glob(f".{DATE}=*")


def aggregation_plan(
    lake: Location,
    estate: Estate,
    site_zone: str = "UTC",
    attribution: AttributionSettings | None = None,
) -> Aggregation:
    """Return the dates whose sources have changed, with their files; none with removed records."""
    every = manifests(lake)
    usable = [manifest for manifest in every if manifest.problem is None]
    place = placement(estate, usable, site_zone, attribution)
    intact = source_digests(lake)
    changed = stale_dates(date_digests(usable, place, all_metrics()), intact)
    frozen = frozen_dates(lake, every)
    stale = {day: digest for day, digest in changed.items() if day not in frozen}
    touching = tuple(source for source in usable if not stale.keys().isdisjoint(source.hour_dates))
    newest = max((day for source in usable for day in source.hour_dates), default=date.max)
    first = newest - timedelta(days=INTERVAL_DAYS - 1)
    damaged = sorted(stale.keys() & partitions(lake, METRIC_SOURCES).keys() - intact.keys())
    return Aggregation(lake.absolute(), stale, touching, place, first, tuple(damaged))


def aggregate(spark: SparkSession, of: Aggregation) -> dict[str, int]:
    """Write the partitions of the stale dates; returns the counts of rewritten and removed ones."""
    what = f"aggregate {counted(len(of.stale), 'date')}"
    with job_progress(spark, what):
        replaced = aggregated(spark, of)
        removed = sum(row.removed for row in replaced.select("removed").collect())
    remove_before(of.lake, METRIC_INTERVAL.name, of.intervals_from)
    return {"hour_dates": len(of.stale), "removed": removed}


def aggregated(spark: SparkSession, of: Aggregation) -> DataFrame:
    """Return the program that rewrites the dates, with a row for each: ``REPLACED``."""
    rows = of.rows()
    wanted = max(
        PARTITIONS_PER_CORE * spark.sparkContext.defaultParallelism,
        rows.total() // PARTITION_ROWS_MAX,
    )
    measured = (
        divided(spark, rows)
        .repartitionByRange(max(1, min(wanted, rows.total() // BLOCK_ROWS)), DATE, "share")
        .mapInArrow(reporting(Measure(of)), from_arrow_schema(MEASURED))
    )
    by_date = hours(measured.repartition(DATE), of.place.site_days).groupBy(DATE)
    return by_date.applyInArrow(reporting(ReplaceDate(of)), REPLACED)


def divided(spark: SparkSession, rows: Mapping[date, int]) -> DataFrame:
    """Return a row per ``BLOCK_ROWS`` of a date: the date, its share, number of shares."""
    return (
        spark.createDataFrame(pa.table({DATE: [*rows], "rows": [*rows.values()]}))
        .selectExpr(
            DATE,
            f"explode(sequence(0, rows DIV {BLOCK_ROWS})) AS block",
            f"rows DIV {PARTITION_ROWS_MAX} + 1 AS shares",
        )
        .selectExpr(DATE, "block % shares AS share", "shares")
    )
