"""Spark app: aggregate decoded sections to hourly metrics, for dates whose sources changed.

Run by ``spark-submit``, or in process through ``main``. Only files that touch a stale date are
read; the partitions of those dates are replaced, one file each.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Final

from pydantic import BaseModel, ConfigDict
from pyspark.sql import SparkSession

from mqcap.domain.datasets import METRIC_INTERVAL
from mqcap.domain.estate import Estate
from mqcap.domain.numbers import counted
from mqcap.lake.aggregated import source_digests, write_metric_catalogue
from mqcap.lake.files import remove_unfinished
from mqcap.lake.layout import METRIC_SOURCES, metric_catalogue_path
from mqcap.lake.location import Location, open_lake
from mqcap.lake.locks import LakePart
from mqcap.lake.manifest import Manifest, manifests
from mqcap.lake.partitions import partitions, remove_before
from mqcap.lake.retention_state import frozen_dates
from mqcap.locks import exclusive
from mqcap.settings import Settings
from mqcap.settings.attribution import AttributionSettings
from spark_apps.aggregate_dates import DatesTask, aggregate_dates
from spark_apps.aggregated_rows import KEYS, SharedDate, put_together
from spark_apps.dates_tasks import dates_tasks
from spark_apps.digests import Placement, date_digests, placement, stale_dates
from spark_apps.partition_files import unfinished_partitions
from spark_apps.registry import all_metrics
from spark_apps.runtime.job_progress import job_progress
from spark_apps.runtime.session import arguments, leave_counts, spark_session
from spark_apps.runtime.task_errors import Reporting
from spark_apps.site_figure_placement import declared_metrics

APP: Final = "aggregate"
WORKERS_IMPORT: Final = ("spark_apps.aggregate_dates", "pandas")
"""Arrow imports pandas for the first array that it makes of Python's values."""
NOTHING: Final[Mapping[str, int]] = {"hour_dates": 0, "removed": 0}
"""Counts of a run without a stale date."""
_log: Final = logging.getLogger(__name__)
INTERVAL_DAYS: Final = 35
"""Newest dates of which the single intervals are kept, as far back as rules look for a peak
(ours)."""


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
    damaged: tuple[date, ...] = ()
    """Those of the dates that were aggregated before, and whose rows are gone or damaged."""


def main(argv: Sequence[str] | None = None) -> dict[str, int]:
    """Rewrite the stale dates of ``metric_hourly``; returns the counts of ``aggregate``."""
    args = arguments("Rewrite hourly metrics of dates whose sources have changed.", argv)
    with exclusive(args.settings, LakePart.hourly):
        plan = declared_plan(args.settings)
        if not plan.stale:
            return dict(NOTHING)
        if plan.damaged:
            _log.warning(
                "The aggregated rows of %s (%s to %s) were gone or damaged; they are made again.",
                counted(len(plan.damaged), "UTC date"),
                plan.damaged[0],
                plan.damaged[-1],
            )
        remove_unfinished(unfinished(args.lake))
        with spark_session(APP, args.settings.spark, *WORKERS_IMPORT) as spark:
            return aggregate(spark, args.lake, plan)


def declared_plan(settings: Settings) -> AggregationPlan:
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
        yield from unfinished_partitions(lake, dataset)


def aggregation_plan(
    lake: Location,
    estate: Estate,
    site_zone: str = "UTC",
    attribution: AttributionSettings | None = None,
) -> AggregationPlan:
    """Return the dates whose sources differ from those they were made from, with their files.

    Dates of which records were removed stay as they are.
    """
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
    return AggregationPlan(
        stale=stale,
        sources=touching,
        place=place,
        intervals_from=first,
        damaged=tuple(damaged),
    )


def aggregate(spark: SparkSession, lake: Location, plan: AggregationPlan) -> dict[str, int]:
    """Write the partitions of the stale dates; returns the counts of rewritten and removed ones."""
    tasks = dates_tasks(
        lake.absolute(),
        plan.stale,
        plan.sources,
        plan.place,
        plan.intervals_from,
        spark.sparkContext.defaultParallelism,
    )
    context = spark.sparkContext
    shared = shared_dates(tasks)
    what = f"aggregate {counted(len(plan.stale), 'date')}"
    with job_progress(context, what, len(tasks) + len(shared)):
        removed = (
            context.parallelize(tasks, len(tasks) or 1).map(Reporting(aggregate_dates)).collect()
        )
        if shared:
            removed += (
                context.parallelize(shared, len(shared)).map(Reporting(put_together)).collect()
            )
    remove_before(lake, METRIC_INTERVAL.name, plan.intervals_from)
    return {"hour_dates": len(plan.stale), "removed": sum(removed)}


def shared_dates(tasks: Iterable[DatesTask]) -> list[SharedDate]:
    """Return the dates that several tasks make."""
    found = {
        day: SharedDate(task.lake, day, digest, task.intervals_from)
        for task in tasks
        if task.files.share is not None
        for day, digest in task.digests.items()
    }
    return list(found.values())


if __name__ == "__main__":
    leave_counts(APP, main())
