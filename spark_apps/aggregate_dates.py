"""Aggregate some successive UTC dates: the task of a Spark worker.

The worker reads the files that touch its dates, computes every metric of them at once and replaces
the partitions of each date. Rows never pass the JVM. The digest of a date is written last, so that
a date of which the worker was killed is aggregated again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from typing import Final

import polars as pl

from mqcap.domain.datasets import (
    CONSOLE_EVENT,
    FEED_INTERVAL,
    METRIC_HOURLY,
    METRIC_INTERVAL,
    METRIC_PART,
    SOURCE_PAIR,
)
from mqcap.lake.files import local_copies
from mqcap.lake.layout import CONFLICT
from mqcap.lake.location import Location
from spark_apps.aggregated_rows import kept_dates, replace_rows, write_shares
from spark_apps.attribution import by_date
from spark_apps.attribution.by_date import attribution
from spark_apps.attribution.wholes import wholes
from spark_apps.columns import columns_used
from spark_apps.digests import Placement
from spark_apps.read import DateFiles, identity_of, read_contradicting, read_sections, row_schema
from spark_apps.registry import datasets_read, families
from spark_apps.transforms.deduplicate import conflicts
from spark_apps.transforms.feeds import feed_intervals
from spark_apps.transforms.hourly import hourly
from spark_apps.transforms.intervals import INTERVAL_SCHEMA, Sections, length_us, path, union
from spark_apps.transforms.keys import INTERVAL, INTERVAL_MAX_US, has_declared_key

_DATE: Final = "hour_date"


@dataclass(frozen=True)
class DatesTask:
    """The dates to rewrite in one task, and all that their rows depend on.

    ``files`` may be a share of one date.
    """

    lake: Location
    digests: Mapping[date, str]
    """The dates, each with its new digest."""
    files: DateFiles
    place: Placement
    intervals_from: date
    """First date of which the single intervals are kept."""


def aggregate_dates(task: DatesTask) -> int:
    """Replace the partitions of the dates; returns how many of METRIC_HOURLY were removed.

    The task of a share of one date writes its rows for ``put_together``. Safe to repeat. Raises
    OSError, or an error of polars, when the lake cannot be read or written.
    """
    files = task.files
    with local_copies(file for paths in files.files.values() for file in paths) as copies:
        here = {name: [copies[path] for path in paths] for name, paths in files.files.items()}
        rows = rows_of(replace(task, files=replace(files, files=here)))
    share = files.share
    if share is None:
        return replace_rows(task.lake, rows, task.digests, task.intervals_from)
    write_shares(task.lake, rows, files.first, share.number)
    return 0


def rows_of(task: DatesTask) -> dict[str, pl.DataFrame]:
    """Return the rows of the dates, by dataset, with column ``hour_date``."""
    sections = read_sections(task.files, task.place, columns_read())
    every = every_interval(sections, task.files).lazy()
    site_days, dates = task.place.site_days, set(task.digests)
    kept = kept_dates(METRIC_INTERVAL.name, task.digests, task.intervals_from)
    hours, intervals, feeds, measured, contradicting = pl.collect_all(
        [
            hourly(every, site_days).filter(pl.col(_DATE).is_in(dates)),
            metric_interval(every).filter(pl.col(_DATE).is_in(kept)),
            feed_intervals(sections).filter(pl.col(_DATE).is_in(dates)),
            wholes(every, sections, site_days).filter(pl.col(_DATE).is_in(dates)),
            _conflicts(task).filter(pl.col(_DATE).is_in(dates)),
        ]
    )
    made = attribution(sections, sorted(dates), measured, site_days, task.place.parts_per_day)
    return {
        CONFLICT: contradicting,
        **{
            dataset.name: rows.select(*dataset.columns)
            for dataset, rows in (
                (SOURCE_PAIR, made.pairs),
                (METRIC_PART, made.parts),
                (FEED_INTERVAL, feeds),
                (METRIC_INTERVAL, intervals),
                (METRIC_HOURLY, hours),
            )
        },
    }


def every_interval(sections: Sections, files: DateFiles | None = None) -> pl.DataFrame:
    """Return a row per metric, subject and measured interval that reaches into some dates.

    Without ``files``: of everything in ``sections``.
    """
    results = [family.intervals(sections) for family in families()]
    if files is not None:
        begin = datetime.combine(files.first, time(), UTC)
        end = datetime.combine(files.last, time(), UTC) + timedelta(days=1)
        reaches = (pl.col(INTERVAL[1]) > begin) & (pl.col(INTERVAL[0]) < end)
        results = [rows.filter(reaches) for rows in results]
    # One after the other: to look for what all of them share costs more than it saves.
    return pl.concat([rows.collect() for rows in results], rechunk=False)


def metric_interval(every: pl.LazyFrame) -> pl.LazyFrame:
    """Return the columns of METRIC_INTERVAL; drop intervals of no length or more than 25 hours."""
    length = length_us()
    return every.filter((length > 0) & (length <= INTERVAL_MAX_US)).select(
        path("metric", "subject").alias("series_id"),
        *INTERVAL,
        "level",
        pl.col(INTERVAL[0]).dt.date().alias(_DATE),
    )


@cache
def columns_read() -> dict[str, tuple[str, ...]]:
    """Return the columns of each dataset that metrics, feeds or attribution are made of."""
    schemas = {name: row_schema(name) for name in datasets_read()}
    results = [family.intervals for family in families()]
    used = columns_used([*results, feed_intervals, _wholes_of_nothing], schemas)
    parts = by_date.columns_read()
    return {name: tuple(sorted({*used[name], *parts.get(name, ())})) for name in schemas}


def _wholes_of_nothing(sections: Sections) -> pl.LazyFrame:
    return wholes(pl.LazyFrame(schema=INTERVAL_SCHEMA), sections, Placement().site_days)


def _conflicts(task: DatesTask) -> pl.LazyFrame:
    """Return contradicting records; none when no files overlap.

    Console messages, and sections without a declared key, have no identity beside their content,
    so they cannot contradict.
    """
    compared = [
        name
        for name in sorted(task.files.repeated)
        if name != CONSOLE_EVENT.name and has_declared_key(name)
    ]
    frames = [
        conflicts(
            read_contradicting(task.files, task.place, name),
            name,
            identity_of(name, task.place),
            task.files.arrivals,
        )
        for name in compared
    ]
    return union([_NO_CONFLICTS.lazy(), *frames]).with_columns(
        pl.col(INTERVAL[0]).dt.date().alias(_DATE)
    )


_NO_CONFLICTS: Final = pl.DataFrame(
    schema={
        "dataset": pl.String,
        "subject": pl.String,
        INTERVAL[0]: pl.Datetime("us", "UTC"),
        "place": pl.String,
        "field": pl.String,
        "kept_hash": pl.Int64,
        "kept_file": pl.String,
        "kept_value": pl.String,
        "other_hash": pl.Int64,
        "other_file": pl.String,
        "other_value": pl.String,
    }
)
