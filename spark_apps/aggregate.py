"""Spark app: aggregate decoded sections to hourly metrics, for dates whose sources changed.

Run by ``spark-submit``, or in process through ``main``. Only files that touch a stale date are
read; the partitions of those dates are replaced, one file each.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict
from pyspark import StorageLevel
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf
from pyspark.sql.types import StringType

from mqcap.domain.atomic import remove_unfinished
from mqcap.domain.datasets import (
    CONSOLE_EVENT,
    FEED_INTERVAL,
    METRIC_HOURLY,
    METRIC_INTERVAL,
    METRIC_PART,
    SOURCE_PAIR,
)
from mqcap.domain.estate import Estate
from mqcap.domain.metric import SERIES_SEPARATOR
from mqcap.lake.aggregated import source_digests, write_metric_catalogue, write_source_digest
from mqcap.lake.layout import CONFLICT, METRIC_SOURCES, metric_catalogue_path
from mqcap.lake.locks import LakePart, exclusive
from mqcap.lake.manifest import Manifest, manifests
from mqcap.lake.partitions import partition_files, remove_before, remove_unreplaced
from mqcap.lake.retention_state import RetentionState
from mqcap.settings.attribution import AttributionSettings
from spark_apps.attribution.by_date import days_of, metric_parts, source_pairs
from spark_apps.attribution.wholes import attributed, wholes
from spark_apps.digests import Placement, date_digests, placement, stale_dates
from spark_apps.read import read_placed, read_sections
from spark_apps.registry import all_metrics, datasets_read, families
from spark_apps.runtime.session import arguments, leave_counts, spark_session
from spark_apps.site_figure_placement import declared_metrics
from spark_apps.transforms.deduplicate import conflicts
from spark_apps.transforms.duplicates import may_hold_duplicates
from spark_apps.transforms.feeds import feed_intervals
from spark_apps.transforms.hourly import hourly
from spark_apps.transforms.intervals import Sections, union
from spark_apps.transforms.keys import INTERVAL_MAX_US, has_declared_key, key_of

APP: Final = "aggregate"
CONFLICT_KEY: Final = ("dataset", "subject", "interval_start_utc")
INTERVAL_DAYS: Final = 35
"""Newest dates of which the single intervals are kept, as far back as rules look for a peak
(ours)."""
WRITERS: Final = 2
NEVER: Final = "\0"
"""A string that no column has."""
TASKS_PER_CORE: Final = 4
"""Small files make many tasks, and each is sent the complete plan (ours)."""


class AggregationPlan(BaseModel):
    """The dates to aggregate and the files to read for them."""

    model_config = ConfigDict(frozen=True, arbitrary_types_allowed=True)

    stale: Mapping[date, str]
    """The dates to rewrite, each with its new digest."""
    sources: tuple[Manifest, ...]
    """Manifests of the files that touch one of these dates."""
    place: Placement
    intervals_from: date
    """First of the newest dates of the lake, those whose intervals are kept."""

    @property
    def newest(self) -> AggregationPlan:
        """The part of the plan for the dates whose intervals are kept."""
        stale = {day: digest for day, digest in self.stale.items() if day >= self.intervals_from}
        sources = tuple(
            source for source in self.sources if not stale.keys().isdisjoint(source.hour_dates)
        )
        return self.model_copy(update={"stale": stale, "sources": sources})


def main(argv: Sequence[str] | None = None) -> dict[str, int]:
    """Rewrite the stale dates of ``metric_hourly``; returns the counts of ``aggregate``."""
    args = arguments("Rewrite hourly metrics of dates whose sources have changed.", argv)
    with exclusive(args.lake, LakePart.hourly):
        plan = aggregation_plan(
            args.lake,
            args.settings.complete_estate(),
            args.settings.site.timezone,
            args.settings.attribution,
        )
        metrics = (*all_metrics(), *declared_metrics(args.settings.site_figures))
        write_metric_catalogue(args.lake, [metric.model_dump(mode="json") for metric in metrics])
        if not plan.stale:
            return {"hour_dates": 0, "removed": 0}
        remove_unfinished(unfinished(args.lake))
        with spark_session(APP, args.settings.spark) as spark:
            return aggregate(spark, args.lake, plan)


def unfinished(lake: Path) -> Iterator[Path]:
    """Yield the temporary files and folders that a killed aggregation has left."""
    yield from lake.glob(f".{metric_catalogue_path(lake).name}.*")
    yield from (lake / METRIC_SOURCES).glob(".*")
    written = (METRIC_HOURLY, METRIC_INTERVAL, METRIC_PART, SOURCE_PAIR, FEED_INTERVAL)
    for dataset in (*(each.name for each in written), CONFLICT):
        yield from (lake / dataset).glob(".spark-staging-*")
        yield from (lake / dataset).glob("_temporary")


def aggregation_plan(
    lake: Path,
    estate: Estate,
    site_zone: str = "UTC",
    attribution: AttributionSettings | None = None,
) -> AggregationPlan:
    """Return the dates whose sources differ from those they were made from, with their files.

    Dates of which the intervals were removed stay as they are.
    """
    usable = [manifest for manifest in manifests(lake) if manifest.problem is None]
    place = placement(estate, usable, site_zone, attribution)
    changed = stale_dates(date_digests(usable, place, all_metrics()), source_digests(lake))
    interval_from = RetentionState.load(lake).interval_from
    stale = {day: digest for day, digest in changed.items() if day >= interval_from}
    touching = tuple(source for source in usable if not stale.keys().isdisjoint(source.hour_dates))
    newest = max((day for source in usable for day in source.hour_dates), default=date.max)
    first = newest - timedelta(days=INTERVAL_DAYS - 1)
    return AggregationPlan(stale=stale, sources=touching, place=place, intervals_from=first)


def aggregate(spark: SparkSession, lake: Path, plan: AggregationPlan) -> dict[str, int]:
    """Write the partitions of the stale dates; returns the counts of rewritten and removed ones."""
    place = plan.place
    sections = read_sections(spark, lake, plan.sources, place)
    every = every_interval(sections)
    is_short = len(plan.stale) <= INTERVAL_DAYS
    if is_short:  # read once, written several times; of a long history it takes half as long again
        every.persist(StorageLevel.DISK_ONLY)
    sysplexes = (place.sysplex_by_smfid, place.sysplex_by_qmgr)
    days = days_of(lake, plan.stale, plan.sources, sysplexes)
    measured = wholes(every if is_short else attributed(sections), sections, place.site_days)
    tables = [
        (METRIC_HOURLY, hourly(every, place.site_days).select(*METRIC_HOURLY.columns), plan.stale),
        (SOURCE_PAIR, source_pairs(spark, days, place.site_days), plan.stale),
        (
            METRIC_PART,
            metric_parts(measured, days, place.site_days, place.parts_per_day),
            plan.stale,
        ),
        (FEED_INTERVAL, feed_intervals(sections), plan.stale),
    ]
    newest = plan.newest
    if newest.stale:
        kept = every if is_short else _every_of(spark, lake, newest)
        tables.append((METRIC_INTERVAL, metric_interval(kept), newest.stale))
    contradictions = _conflicts(spark, lake, plan)
    with ThreadPoolExecutor(WRITERS) as pool:  # while one is planned, another is computed
        written = [
            pool.submit(_replace, rows, lake, dataset.name, stale, ["hour_date", *dataset.key])
            for dataset, rows, stale in tables
        ]
        if contradictions is not None:
            sort = ["hour_date", *CONFLICT_KEY]
            written.append(pool.submit(_replace, contradictions, lake, CONFLICT, plan.stale, sort))
    removed, *_ = [future.result() for future in written]
    every.unpersist()
    remove_before(lake, METRIC_INTERVAL.name, plan.intervals_from)
    for day, digest in plan.stale.items():
        write_source_digest(lake, day, digest)
    return {"hour_dates": len(plan.stale), "removed": removed}


def every_interval(sections: Sections) -> DataFrame:
    """Return a row per metric, subject and measured interval of everything in ``sections``."""
    every = union([family.intervals(sections) for family in families()])
    tasks = TASKS_PER_CORE * every.sparkSession.sparkContext.defaultParallelism
    return every.coalesce(tasks)


def metric_interval(every: DataFrame) -> DataFrame:
    """Return the columns of METRIC_INTERVAL; drop intervals of no length or more than 25 hours."""
    length_us = sf.unix_micros("interval_end_utc") - sf.unix_micros("interval_start_utc")
    return every.where((length_us > 0) & (length_us <= INTERVAL_MAX_US)).select(
        sf.concat_ws(SERIES_SEPARATOR, "metric", "subject").alias("series_id"),
        "interval_start_utc",
        "interval_end_utc",
        "level",
        sf.to_date("interval_start_utc").alias("hour_date"),
    )


def _every_of(spark: SparkSession, lake: Path, newest: AggregationPlan) -> DataFrame:
    """Return the intervals of the newest dates of a long history, from their files alone."""
    return every_interval(read_sections(spark, lake, newest.sources, newest.place))


def _replace(
    rows: DataFrame, lake: Path, dataset: str, stale: Collection[date], sort: list[str]
) -> int:
    """Replace the partitions of the stale dates; returns how many were removed for want of rows.

    All strings may be null in the files: what Spark finds never to be null, and notes in them,
    depends on which other dates are written with a date.
    """
    before = partition_files(lake, dataset)
    strings = [field.name for field in rows.schema if isinstance(field.dataType, StringType)]
    (
        rows.withColumns({name: sf.nullif(name, sf.lit(NEVER)) for name in strings})
        .where(sf.col("hour_date").isin(list(stale)))
        .repartition("hour_date")
        .sortWithinPartitions(*sort)
        .write.mode("overwrite")
        .option("partitionOverwriteMode", "dynamic")
        .partitionBy("hour_date")
        .parquet(str((lake / dataset).absolute()))
    )
    return remove_unreplaced(lake, dataset, before, stale)


def _conflicts(spark: SparkSession, lake: Path, plan: AggregationPlan) -> DataFrame | None:
    """Return contradicting records of the stale dates; ``None`` when no files overlap.

    Console messages, and sections without a declared key, have no identity beside their content,
    so they cannot contradict.
    """
    frames = [
        conflicts(read_placed(spark, lake, name, plan.sources, plan.place), name, key_of(name))
        for name in datasets_read()
        if name != CONSOLE_EVENT.name
        and has_declared_key(name)
        and may_hold_duplicates(name, plan.sources)
    ]
    if not frames:
        return None
    return union(frames).withColumn("hour_date", sf.to_date("interval_start_utc"))


if __name__ == "__main__":
    leave_counts(APP, main())
