"""Make hourly metrics of the decoded sections, for every date whose sources have changed.

Run by ``spark-submit``, or in process through ``main``. Only files that touch a stale date are
read; the partitions of those dates are replaced, one file each.
"""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict
from pyspark import StorageLevel
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from mqcap.domain.datasets import CONSOLE_EVENT, FEED_INTERVAL, METRIC_HOURLY, METRIC_INTERVAL
from mqcap.domain.estate import Estate
from mqcap.domain.metric import SERIES_SEPARATOR
from mqcap.lake.layout import (
    METRIC_CATALOGUE,
    METRIC_SOURCES,
    Manifest,
    manifests,
    partition_files,
    remove_untouched,
    write_json,
)
from mqcap.lake.locks import Part, alone, remove_left
from mqcap.lake.retention_state import Kept
from spark_apps.digests import Placement, digests, placement, record, recorded, stale_dates
from spark_apps.read import read_placed, read_sections
from spark_apps.registry import all_metrics, datasets_read, families
from spark_apps.runtime.session import arguments, leave_counts, spark_session
from spark_apps.transforms.deduplicate import conflicts
from spark_apps.transforms.feeds import feed_intervals
from spark_apps.transforms.hourly import INTERVAL_MAX_US, hourly
from spark_apps.transforms.intervals import Sections, union
from spark_apps.transforms.keys import SECTION_KEYS
from spark_apps.transforms.overlap import may_repeat

APP: Final = "aggregate"
CONFLICT: Final = "conflict"
"""Dataset of the keys under which records contradict each other; partitioned by hour_date."""

CONFLICT_KEY: Final = ("dataset", "subject", "interval_start_utc")
INTERVAL_DAYS: Final = 35
"""Newest dates of which the intervals are kept one by one, as far back as rules look for a peak
(ours)."""
WRITERS: Final = 2
TASKS_PER_CORE: Final = 4
"""Small files make many tasks, and each is sent the whole plan (ours)."""


class Work(BaseModel):
    """What one aggregation has to do."""

    model_config = ConfigDict(frozen=True, arbitrary_types_allowed=True)

    stale: Mapping[date, str]
    """The dates to rewrite, each with its new digest."""
    sources: tuple[Manifest, ...]
    """The files that touch one of them."""
    place: Placement
    intervals_from: date
    """First of the newest dates of the lake, those whose intervals are kept."""

    @property
    def newest(self) -> Work:
        """The part of it that is about dates whose intervals are kept."""
        stale = {day: digest for day, digest in self.stale.items() if day >= self.intervals_from}
        sources = tuple(one for one in self.sources if not stale.keys().isdisjoint(one.hour_dates))
        return self.model_copy(update={"stale": stale, "sources": sources})


def main(argv: Sequence[str] | None = None) -> dict[str, int]:
    """Rewrite the stale dates of ``metric_hourly``; returns the counts of ``aggregate``."""
    given = arguments("Rewrite hourly metrics of dates whose sources have changed.", argv)
    with alone(given.lake, Part.hourly):
        work = stale_work(given.lake, given.settings.whole_estate())
        catalogue = [metric.model_dump(mode="json") for metric in all_metrics()]
        write_json(given.lake / METRIC_CATALOGUE, catalogue)
        if not work.stale:
            return {"hour_dates": 0, "removed": 0}
        remove_left(half_written(given.lake))
        with spark_session("aggregate", given.settings.spark) as spark:
            return aggregate(spark, given.lake, work)


def half_written(lake: Path) -> Iterator[Path]:
    """What an aggregation that was killed has left."""
    yield from lake.glob(f".{METRIC_CATALOGUE}.*")
    yield from (lake / METRIC_SOURCES).glob(".*")
    for dataset in (METRIC_HOURLY.name, METRIC_INTERVAL.name, FEED_INTERVAL.name, CONFLICT):
        yield from (lake / dataset).glob(".spark-staging-*")
        yield from (lake / dataset).glob("_temporary")


def stale_work(lake: Path, estate: Estate) -> Work:
    """Compare what the dates were made from with what there is now.

    Dates of which the intervals were removed stay as they are.
    """
    usable = [manifest for manifest in manifests(lake) if manifest.problem is None]
    place = placement(estate, usable)
    changed = stale_dates(digests(usable, place, all_metrics()), recorded(lake))
    interval_from = Kept.load(lake).interval_from
    stale = {day: digest for day, digest in changed.items() if day >= interval_from}
    touching = tuple(source for source in usable if not stale.keys().isdisjoint(source.hour_dates))
    newest = max((day for source in usable for day in source.hour_dates), default=date.max)
    first = newest - timedelta(days=INTERVAL_DAYS - 1)
    return Work(stale=stale, sources=touching, place=place, intervals_from=first)


def aggregate(spark: SparkSession, lake: Path, work: Work) -> dict[str, int]:
    """Write the partitions of the stale dates; counts of dates rewritten and removed."""
    sections = read_sections(spark, lake, work.sources, work.place)
    every = every_interval(sections)
    tables = [
        (METRIC_HOURLY, hourly(every).select(*METRIC_HOURLY.columns), work.stale),
        (FEED_INTERVAL, feed_intervals(sections), work.stale),
    ]
    newest = work.newest
    if newest.stale:
        kept = metric_interval(_intervals_of(newest, work, every, lake))
        tables.append((METRIC_INTERVAL, kept, newest.stale))
    contradictions = _conflicts(spark, lake, work)
    with ThreadPoolExecutor(WRITERS) as pool:  # while one is planned, another is computed
        written = [
            pool.submit(_replace, rows, lake / made.name, stale, ["hour_date", *made.key])
            for made, rows, stale in tables
        ]
        if contradictions is not None:
            sort = ["hour_date", *CONFLICT_KEY]
            written.append(pool.submit(_replace, contradictions, lake / CONFLICT, work.stale, sort))
    removed, *_ = [done.result() for done in written]
    every.unpersist()
    _forget_intervals(lake / METRIC_INTERVAL.name, work)
    for day, digest in work.stale.items():
        record(lake, day, digest)
    return {"hour_dates": len(work.stale), "removed": removed}


def every_interval(sections: Sections) -> DataFrame:
    """One row per metric, subject and measured interval of everything in ``sections``."""
    every = union([family.intervals(sections) for family in families()])
    tasks = TASKS_PER_CORE * every.sparkSession.sparkContext.defaultParallelism
    return every.coalesce(tasks)


def metric_interval(every: DataFrame) -> DataFrame:
    """The intervals as they are kept; those without length, or too long to be one, are not."""
    length_us = sf.unix_micros("interval_end_utc") - sf.unix_micros("interval_start_utc")
    return every.where((length_us > 0) & (length_us <= INTERVAL_MAX_US)).select(
        sf.concat_ws(SERIES_SEPARATOR, "metric", "subject").alias("series_id"),
        "interval_start_utc",
        "interval_end_utc",
        "level",
        sf.to_date("interval_start_utc").alias("hour_date"),
    )


def _intervals_of(newest: Work, work: Work, every: DataFrame, lake: Path) -> DataFrame:
    """The intervals of the newest dates: of few dates kept while the hours are made of them.

    Of a long history they are made again from the files of these dates alone: to keep all of it
    would take half as long again.
    """
    if len(work.stale) <= INTERVAL_DAYS:
        return every.persist(StorageLevel.DISK_ONLY)  # read once, written twice
    return every_interval(read_sections(every.sparkSession, lake, newest.sources, newest.place))


def _forget_intervals(folder: Path, work: Work) -> None:
    """Remove what is before the newest dates."""
    for partition in folder.glob("hour_date=*"):
        day = date.fromisoformat(partition.name.removeprefix("hour_date="))
        if day < work.intervals_from:
            shutil.rmtree(partition)


def _replace(rows: DataFrame, folder: Path, stale: Collection[date], sort: list[str]) -> int:
    """Put the rows of the stale dates in place; returns how many partitions are left without."""
    names = [f"hour_date={day.isoformat()}" for day in stale]
    before = partition_files(folder)
    (
        rows.where(sf.col("hour_date").isin(list(stale)))
        .repartition("hour_date")
        .sortWithinPartitions(*sort)
        .write.mode("overwrite")
        .option("partitionOverwriteMode", "dynamic")
        .partitionBy("hour_date")
        .parquet(str(folder.absolute()))
    )
    return remove_untouched(folder, before, names)


def _conflicts(spark: SparkSession, lake: Path, work: Work) -> DataFrame | None:
    """Contradicting records of the stale dates; ``None`` when no files overlap.

    Console messages have no identity beside their content, so they cannot contradict.
    """
    found = [
        conflicts(
            read_placed(spark, lake, name, work.sources, work.place), name, SECTION_KEYS[name]
        )
        for name in datasets_read()
        if name != CONSOLE_EVENT.name and may_repeat(name, work.sources)
    ]
    if not found:
        return None
    return union(found).withColumn("hour_date", sf.to_date("interval_start_utc"))


if __name__ == "__main__":
    leave_counts(APP, main())
