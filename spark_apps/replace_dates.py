"""Replace the rows of UTC dates in the lake: what `applyInArrow` runs for each date.

Rows are written by the workers, with Arrow, into a folder and into an object store alike, where
Spark has no connector. A date's partition of a dataset is replaced at once; its digest is written
last, so that a date of which the worker was killed is aggregated again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path
from typing import Final

import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from mqcap.domain.datasets import (
    FEED_INTERVAL,
    METRIC_HOURLY,
    METRIC_INTERVAL,
    METRIC_PART,
    SOURCE_PAIR,
)
from mqcap.lake.aggregated import write_source_digest
from mqcap.lake.files import remove, replace_folder
from mqcap.lake.layout import CONFLICT, hour_partition
from mqcap.lake.location import Location
from spark_apps.arrow import arrow_table
from spark_apps.measure import DATE, FINISHED, SERIES_NAMES, Aggregation
from spark_apps.transforms.intervals import path
from spark_apps.transforms.keys import INTERVAL

FILE: Final = "rows.parquet"
KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    **{
        dataset.name: dataset.key
        for dataset in (SOURCE_PAIR, METRIC_PART, FEED_INTERVAL, METRIC_INTERVAL)
    },
    CONFLICT: ("dataset", "subject", INTERVAL[0]),
    METRIC_HOURLY.name: METRIC_HOURLY.key,
}
"""Columns by which the rows of a date are sorted, by dataset; METRIC_HOURLY is written last."""
REPLACED: Final = f"{DATE} date, removed boolean"
_UNFINISHED: Final = f".{DATE}=*"
"""Temporary files and folders."""


@dataclass(frozen=True)
class ReplaceDate:
    """The function of `applyInArrow`: writes a date; its row says whether hours were removed."""

    of: Aggregation

    def __call__(self, rows: pa.Table) -> pa.Table:
        """Replace the partitions of the one date of these rows: those of ``hours``.

        Safe to repeat. Raises OSError or LakeUnavailable when the lake cannot be written.
        """
        day: date = rows[DATE][0].as_py()
        finished = rows.filter(rows["finished"].is_valid())
        measured = rows.filter(rows["finished"].is_null())
        hours = named(measured, together(finished, SERIES_NAMES)).drop_columns([DATE])
        removed = False
        for dataset, key in KEYS.items():
            if dataset == METRIC_INTERVAL.name and day < self.of.intervals_from:
                continue
            made = hours if dataset == METRIC_HOURLY.name else together(finished, dataset)
            removed = replace_partition(self.of.lake, dataset, day, made, key)
        write_source_digest(self.of.lake, day, self.of.stale[day])
        return pa.table({DATE: [day], "removed": [removed]})


def named(hours: pa.Table, names: pa.Table) -> pa.Table:
    """Return the columns of METRIC_HOURLY: rows of ``hours`` with metric and subject.

    Raises ValueError where two series have one number.
    """
    known = pl.DataFrame(names).unique()
    if twice := known.filter(pl.col("series").is_duplicated()).rows():
        raise ValueError(f"two series have the same hash, take another seed of it: {twice}")
    made = pl.DataFrame(hours.drop_columns(["finished"])).join(known, "series")
    rows = made.with_columns(path("metric", "subject").alias("series_id"))
    return arrow_table(rows.select(list(METRIC_HOURLY.columns)))


def together(finished: pa.Table, dataset: str) -> pa.Table:
    """Return the tables that several partitions have made of a dataset as one."""
    place = FINISHED.index(dataset)
    streams = finished.filter(pc.equal(finished["series"], place))["finished"]
    return pa.concat_tables(pa.ipc.open_stream(stream.as_py()).read_all() for stream in streams)


def replace_partition(
    lake: Location, dataset: str, day: date, rows: pa.Table, key: Sequence[str]
) -> bool:
    """Replace the rows of a date; returns whether there are none and the partition was removed."""
    folder = hour_partition(lake, dataset, day)
    if rows.num_rows:
        table = arrow_table(_sorted(pl.DataFrame(rows), key))
        replace_folder(folder, {FILE: partial(_write, table)})
    elif folder.is_dir():
        remove(folder)
        return True
    return False


def _sorted(rows: pl.DataFrame, key: Sequence[str]) -> pl.DataFrame:
    """Return the rows in order; texts are compared by rank, which takes a third of the time."""
    texts = [name for name in key if rows.schema[name] == pl.String]
    ranks = [
        pl.col(name).cast(pl.Enum(rows.get_column(name).drop_nulls().unique().sort()))
        for name in texts
    ]
    return rows.with_columns(ranks).sort(key).with_columns(pl.col(texts).cast(pl.String))


def _write(table: pa.Table, file: Path) -> None:
    pq.write_table(table, file, compression="zstd", store_schema=False)


def unfinished_partitions(lake: Location, dataset: str) -> Iterator[Location]:
    """Yield the temporary folders that a killed aggregation has left."""
    yield from (lake / dataset).glob(_UNFINISHED)
