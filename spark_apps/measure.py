"""Measured intervals of some UTC dates: what `mapInArrow` runs in the Python workers of Spark.

A partition of the DataFrame names dates, large ones with a share of their sysplexes and sites. A
worker reads the sections of their files, each row once, and computes every metric up to its
interval rows (``INTERVAL_SCHEMA``), which Spark cuts at hours and adds up (``spark_apps.hours``).
What needs no adding up between partitions is handed through as one finished table per date.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import cache, partial
from typing import Final

import polars as pl
import pyarrow as pa
from polars.io.plugins import register_io_source

from mqcap.domain.datasets import (
    CONSOLE_EVENT,
    FEED_INTERVAL,
    METRIC_INTERVAL,
    METRIC_PART,
    SOURCE_PAIR,
)
from mqcap.domain.subject import SERIES_SEPARATOR
from mqcap.lake.files import local_copies
from mqcap.lake.layout import CONFLICT
from mqcap.lake.location import Location
from mqcap.lake.manifest import Manifest, dataset_files
from spark_apps.attribution.by_date import attribution
from spark_apps.attribution.wholes import wholes
from spark_apps.digests import Placement
from spark_apps.metrics.logs import QJST
from spark_apps.read import (
    DateFiles,
    Share,
    identity_of,
    read_contradicting,
    read_sections,
    row_schema,
)
from spark_apps.registry import datasets_read, families
from spark_apps.transforms.duplicates import conflicts, may_hold_duplicates
from spark_apps.transforms.feeds import feed_intervals
from spark_apps.transforms.intervals import (
    INTERVAL_SCHEMA,
    Sections,
    is_possible,
    looked_up,
    micros,
    path,
    union,
)
from spark_apps.transforms.keys import INTERVAL, TASKS, has_declared_key, key_of, task_key_of
from spark_apps.transforms.site_midnights import SiteDays

DATE: Final = "hour_date"
MEASURED: Final = pa.schema(
    {
        DATE: pa.date32(),
        "series": pa.int64(),
        "zone": pa.int32(),
        "start_us": pa.int64(),
        "end_us": pa.int64(),
        "level": pa.float64(),
        "amount": pa.int64(),
        "amount_per_unit": pa.float64(),
        "finished": pa.binary(),
    }
)
"""A row per interval and UTC date that it touches; else a finished table.

``series`` is a hash of metric and subject, ``zone`` the number among ``SiteDays.within_hours`` of a
zone whose dates begin within UTC hours: numbers cost Spark half of what texts do.

``finished`` is the Arrow stream of all rows of a dataset on the date: ``series`` is the place of
the dataset in ``FINISHED`` then, and the columns of an interval are null.
"""
SERIES_NAMES: Final = "series_names"
"""Metric and subject of each ``series``: a finished table, which is not written."""
FINISHED: Final = (
    SERIES_NAMES,
    CONFLICT,
    SOURCE_PAIR.name,
    METRIC_PART.name,
    FEED_INTERVAL.name,
    METRIC_INTERVAL.name,
)


@dataclass(frozen=True)
class Aggregation:
    """The UTC dates to rewrite, and all that their rows depend on."""

    lake: Location
    stale: Mapping[date, str]
    """The dates, each with its new digest."""
    sources: tuple[Manifest, ...]
    """Manifests of the files that touch one of the dates."""
    place: Placement
    intervals_from: date
    """First date of which the single intervals are kept."""
    damaged: tuple[date, ...] = ()
    """Those of the dates that were aggregated before, and whose rows are gone or damaged."""

    def rows(self) -> Counter[date]:
        """Return about how many rows of sections each date has."""
        rows = Counter(dict.fromkeys(self.stale, 0))
        read = datasets_read()
        for source in self.sources:
            of_file = sum(source.rows.get(name, 0) for name in read)
            of_each = of_file // (len(source.hour_dates) or 1)
            rows.update(dict.fromkeys(rows.keys() & set(source.hour_dates), of_each))
        return rows

    def files(self, dates: Collection[date], share: Share | None = None) -> DateFiles:
        """Return the files of successive dates, and of which sysplexes and sites to read them."""
        touching = [
            source for source in self.sources if not set(dates).isdisjoint(source.hour_dates)
        ]
        files = {name: tuple(dataset_files(self.lake, name, touching)) for name in datasets_read()}
        sysplexes = {
            source.sha256: self.place.for_file(source.sha256).sysplex for source in touching
        }
        repeated = {name for name in files if may_hold_duplicates(name, touching, sysplexes)}
        return DateFiles(
            min(dates),
            max(dates),
            files,
            frozenset(repeated),
            share,
            tuple(sha256 for _, sha256 in sorted(source.arrival for source in touching)),
        )


@dataclass(frozen=True)
class Measure:
    """The function of `mapInArrow`: from shares of dates to rows of ``MEASURED``."""

    of: Aggregation

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield the rows of dates, or shares of them; raises OSError, or an error of polars."""
        found: dict[tuple[date, int], set[int]] = defaultdict(set)
        for batch in batches:
            for day, share, shares in zip(
                *(column.to_pylist() for column in batch.columns), strict=True
            ):
                found[day, shares].add(share)
        whole = [day for (day, shares), those in found.items() if len(those) == shares]
        if whole:
            yield from _measured(self.of, sorted(whole))
        for (day, shares), those in found.items():
            if len(those) < shares:
                yield from _measured(self.of, [day], Share(frozenset(those), shares))


def _measured(
    of: Aggregation, dates: Sequence[date], share: Share | None = None
) -> Iterator[pa.RecordBatch]:
    files = of.files(dates, share)
    with local_copies(file for paths in files.files.values() for file in paths) as copies:
        here = {name: [copies[path] for path in paths] for name, paths in files.files.items()}
        intervals, finished = rows_of(of, dates, replace(files, files=here))
    rows = interval_rows(intervals, dates, of.place.site_days)
    yield from rows.to_batches(max_chunksize=1 << 17)
    yield from _finished_rows(finished, dates).to_batches()


def rows_of(
    of: Aggregation, dates: Collection[date], files: DateFiles
) -> tuple[pl.DataFrame, dict[str, pl.DataFrame]]:
    """Return the interval rows that reach into the dates, and the finished rows by dataset."""
    sections = read_sections(files, of.place, columns_read())
    every = every_interval(sections, files)
    site_days, wanted = of.place.site_days, set(dates)
    kept = {day for day in dates if day >= of.intervals_from}
    intervals, feeds, of_days, contradicting = pl.collect_all(
        [
            metric_interval(every.lazy()).filter(pl.col(DATE).is_in(kept)),
            feed_intervals(sections).filter(pl.col(DATE).is_in(wanted)),
            wholes(every.lazy(), sections, site_days).filter(pl.col(DATE).is_in(wanted)),
            _conflicts(files, of.place).filter(pl.col(DATE).is_in(wanted)),
        ]
    )
    made = attribution(sections, dates, of_days, site_days, of.place.parts_per_day)
    every = with_series(every)
    return every, {
        **made,
        SERIES_NAMES: series_names(every, dates),
        CONFLICT: contradicting,
        FEED_INTERVAL.name: feeds,
        METRIC_INTERVAL.name: intervals,
    }


def every_interval(sections: Sections, files: DateFiles | None = None) -> pl.DataFrame:
    """Return a row per metric, subject and interval that reaches into some dates; else all."""
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
    return every.filter(is_possible()).select(
        path("metric", "subject").alias("series_id"),
        *INTERVAL,
        "level",
        pl.col(INTERVAL[0]).dt.date().alias(DATE),
    )


def interval_rows(
    every: pl.DataFrame, dates: Collection[date], site_days: SiteDays | None = None
) -> pa.Table:
    """Return the rows of ``MEASURED`` of intervals ``with_series``: one for each of the dates."""
    site_days = site_days or SiteDays()
    numbers = {zone: number for number, zone in enumerate(site_days.within_hours())}
    by_root = {root: numbers.get(zone) for root, zone in site_days.zones.items()}
    root = pl.col("subject").str.split(SERIES_SEPARATOR).list.first()
    other = pl.when(~root.is_in([*by_root])).then(numbers.get(site_days.default_zone))
    zone = pl.coalesce(looked_up(root, by_root, pl.Int32), other)
    made = _on_dates(every.lazy(), dates).select(
        DATE,
        "series",
        zone.cast(pl.Int32).alias("zone"),
        micros(INTERVAL[0]).alias("start_us"),
        micros(INTERVAL[1]).alias("end_us"),
        "level",
        "amount",
        "amount_per_unit",
        pl.lit(None, pl.Binary).alias("finished"),
    )
    return made.collect().to_arrow().cast(MEASURED)


def with_series(every: pl.DataFrame) -> pl.DataFrame:
    """Return the intervals with ``series``, the hash of metric and subject."""
    names = pl.concat_str("metric", "subject", separator="\0")
    return every.with_columns(names.hash().reinterpret(signed=True).alias("series"))


def series_names(every: pl.DataFrame, dates: Collection[date]) -> pl.DataFrame:
    """Return, for each of the dates, metric and subject of every ``series``."""
    names = every.select("series", "metric", "subject").unique()
    return names.join(pl.DataFrame({DATE: sorted(dates)}), how="cross")


def _on_dates(every: pl.LazyFrame, dates: Collection[date]) -> pl.LazyFrame:
    """Return a row for each possible interval and each of the dates that it touches."""
    first = pl.col(INTERVAL[0]).dt.date()
    last = (pl.col(INTERVAL[1]) - timedelta(microseconds=1)).dt.date()
    possible = every.filter(is_possible()).with_columns(first.alias(DATE))
    within = possible.filter(first == last)
    across = possible.filter(first != last).with_columns(pl.date_ranges(first, last).alias(DATE))
    return union(within, across.explode(DATE)).filter(pl.col(DATE).is_in(set(dates)))


def _finished_rows(finished: Mapping[str, pl.DataFrame], dates: Collection[date]) -> pa.Table:
    """Return a row of ``MEASURED`` for each dataset and date, without rows where there are none."""
    made = []
    for place, dataset in enumerate(FINISHED):
        rows = finished[dataset]
        by_day = rows.partition_by(DATE, as_dict=True, include_key=False)
        none = rows.clear().drop(DATE)
        for day in dates:
            stream = pa.BufferOutputStream()
            table = arrow_table(by_day.get((day,), none))
            with pa.ipc.new_stream(stream, table.schema, options=_PACKED) as writer:
                writer.write_table(table)
            made.append({DATE: day, "series": place, "finished": stream.getvalue().to_pybytes()})
    return pa.Table.from_pylist(made, MEASURED)


_PACKED: Final = pa.ipc.IpcWriteOptions(compression="lz4")


@cache
def columns_read() -> dict[str, tuple[str, ...]]:
    """Return the columns of each dataset that metrics, feeds or attribution are made of."""
    schemas = {name: row_schema(name) for name in datasets_read()}
    results = [family.intervals for family in families()]
    return columns_used([*results, feed_intervals, _parts_of_nothing], schemas)


def _parts_of_nothing(sections: Sections) -> pl.LazyFrame:
    site_days = Placement().site_days
    of_days = wholes(pl.LazyFrame(schema=INTERVAL_SCHEMA), sections, site_days)
    return attribution(sections, [date.min], of_days.collect(), site_days, 1)[
        METRIC_PART.name
    ].lazy()


def _conflicts(files: DateFiles, place: Placement) -> pl.LazyFrame:
    """Return contradicting records; none when no files overlap.

    Console messages, and sections without a declared key but those of tasks, have no identity
    beside their content. A task is told once, by its first section.
    """
    compared = [
        name
        for name in sorted(files.repeated)
        if (name != CONSOLE_EVENT.name and has_declared_key(name)) or name == TASKS[0]
    ]
    none = conflicts(pl.LazyFrame(schema=row_schema(QJST)), QJST, key_of(QJST))
    frames = [
        conflicts(
            read_contradicting(files, place, name),
            name,
            task_key_of(name) or identity_of(name, place),
            files.arrivals,
        )
        for name in compared
    ]
    return union(none, *frames).with_columns(pl.col(INTERVAL[0]).dt.date().alias(DATE))


Result = Callable[[Sections], pl.LazyFrame]


def columns_used(
    results: Iterable[Result], schemas: Mapping[str, pl.Schema]
) -> dict[str, tuple[str, ...]]:
    """Return the columns that results are made of: each is computed of no rows to note them."""
    used: dict[str, set[str]] = {name: set() for name in schemas}
    frames = {
        name: register_io_source(partial(_noted, used[name], schema), schema=schema)
        for name, schema in schemas.items()
    }
    sections = Sections(frames)
    for result in results:
        result(sections).collect()
    return {name: tuple(sorted(columns)) for name, columns in used.items()}


def _noted(
    used: set[str],
    schema: pl.Schema,
    columns: Sequence[str] | None,
    predicate: pl.Expr | None,
    _n_rows: int | None,
    _batch_size: int | None,
) -> Iterator[pl.DataFrame]:
    """Yield no rows, and note the columns that are asked for."""
    wanted = list(schema) if columns is None else list(columns)
    used.update(wanted, () if predicate is None else predicate.meta.root_names())
    yield pl.DataFrame(schema={name: schema[name] for name in wanted})


def arrow_table(frame: pl.DataFrame) -> pa.Table:
    """Return the rows as an Arrow table in one piece."""
    table = frame.to_arrow()
    types = [pa.string() if pa.types.is_large_string(kind) else kind for kind in table.schema.types]
    return table.cast(pa.schema(zip(table.column_names, types, strict=True))).combine_chunks()
