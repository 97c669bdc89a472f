"""Partitions of the datasets that aggregation writes: a file per UTC date."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from functools import partial
from pathlib import Path
from typing import Final

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from mqcap.lake.files import remove, remove_unfinished, replace_folder, replacing
from mqcap.lake.layout import hour_partition
from mqcap.lake.location import Location
from mqcap.lake.tables import parquet_source
from spark_apps.arrow import arrow_table

FILE: Final = "rows.parquet"
_DATE: Final = "hour_date"
_UNFINISHED: Final = (f".{_DATE}=*", ".spark-staging-*", "_temporary")
"""Temporary files and folders: ours, and those of releases in which Spark wrote these datasets."""


def replace_dates(
    lake: Location, dataset: str, rows: pl.DataFrame, dates: Collection[date], key: Sequence[str]
) -> int:
    """Replace the partitions of some dates; returns how many had no rows and were removed.

    Args:
        lake: Folder of the lake.
        dataset: Name of the dataset.
        rows: The rows of these dates, with column ``hour_date``.
        dates: The dates.
        key: Columns by which the rows of a file are sorted.
    """
    ordered = _sorted(rows, (_DATE, *key))
    of_dates = ordered.get_column(_DATE)
    table = arrow_table(ordered.drop(_DATE))
    removed = 0
    for day in sorted(dates):
        first, end = (of_dates.search_sorted(day, side) for side in ("left", "right"))
        folder = hour_partition(lake, dataset, day)
        if end > first:
            replace_folder(folder, {FILE: partial(_write, table.slice(first, end - first))})
        elif folder.is_dir():
            remove(folder)
            removed += 1
    return removed


def _sorted(rows: pl.DataFrame, key: Sequence[str]) -> pl.DataFrame:
    """Return the rows in order; texts are compared by rank, which takes a third of the time."""
    texts = [name for name in key if rows.schema[name] == pl.String]
    ranks = [
        pl.col(name).cast(pl.Enum(rows.get_column(name).drop_nulls().unique().sort()))
        for name in texts
    ]
    return rows.with_columns(ranks).sort(key).with_columns(pl.col(texts).cast(pl.String))


def write_share(lake: Location, dataset: str, rows: pl.DataFrame, day: date, number: int) -> None:
    """Write some of the rows of a date, to be put together with the others by ``shares_of``."""
    with replacing(_share(lake, dataset, day, str(number))) as temporary:
        _write(arrow_table(rows), temporary)


def _write(table: pa.Table, file: Path) -> None:
    pq.write_table(table, file, compression="zstd", store_schema=False)


@contextmanager
def shares_of(lake: Location, dataset: str, day: date) -> Iterator[pl.DataFrame]:
    """Yield the rows of a date that several tasks wrote; they are removed at the end."""
    of_day = _share(lake, dataset, day, "*")
    files = sorted(of_day.parent.glob(of_day.name))
    yield pl.concat(
        [pl.read_parquet(parquet_source(file), hive_partitioning=False) for file in files]
    )
    remove_unfinished(files)


def _share(lake: Location, dataset: str, day: date, number: str) -> Location:
    return hour_partition(lake, dataset, day).with_name(f".{_DATE}={day}.share-{number}")


def unfinished_partitions(lake: Location, dataset: str) -> Iterator[Location]:
    """Yield the temporary folders that a killed aggregation, of any release, has left."""
    for pattern in _UNFINISHED:
        yield from (lake / dataset).glob(pattern)
