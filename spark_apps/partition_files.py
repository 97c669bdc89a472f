"""Partitions of the datasets that aggregation writes: a file per UTC date."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Final

import polars as pl
import pyarrow.parquet as pq

from mqcap.domain.atomic import replacing
from mqcap.lake.layout import hour_partition
from spark_apps.arrow import arrow_table

FILE: Final = "rows.parquet"
_DATE: Final = "hour_date"
_UNFINISHED: Final = (f".{_DATE}=*", ".spark-staging-*", "_temporary")
"""Names of temporary folders: ours, and those of Spark, which wrote these datasets before."""


def replace_dates(
    lake: Path, dataset: str, rows: pl.DataFrame, dates: Collection[date], key: Sequence[str]
) -> int:
    """Replace the partitions of some dates; returns how many were removed for want of rows.

    Args:
        lake: Folder of the lake.
        dataset: Name of the dataset.
        rows: The rows of these dates, with column ``hour_date``.
        dates: The dates.
        key: Columns by which the rows of a file are sorted.
    """
    ordered = rows.sort(_DATE, *key)
    of_dates = ordered.get_column(_DATE)
    table = arrow_table(ordered.drop(_DATE))
    removed = 0
    for day in sorted(dates):
        first, end = (of_dates.search_sorted(day, side) for side in ("left", "right"))
        folder = hour_partition(lake, dataset, day)
        if end > first:
            with replacing(folder) as temporary:
                temporary.mkdir()
                of_day = table.slice(first, end - first)
                pq.write_table(of_day, temporary / FILE, compression="zstd", store_schema=False)
        elif folder.is_dir():
            shutil.rmtree(folder)
            removed += 1
    return removed


def unfinished_partitions(lake: Path, dataset: str) -> Iterator[Path]:
    """Yield the temporary folders that a killed aggregation, of any release, has left."""
    for pattern in _UNFINISHED:
        yield from (lake / dataset).glob(pattern)
