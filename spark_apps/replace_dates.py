"""Replace the rows of UTC dates in the lake: what `applyInArrow` runs for each date.

Rows are written by the workers, with Arrow: Spark has no connector to an object store. A date's
partition of a dataset is replaced at once; its digest is written last, so that a date of which the
worker was killed is aggregated again.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import partial
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
from spark_apps.measure import DATE, FINISHED, SERIES_NAMES, Aggregation, arrow_table
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


@dataclass(frozen=True)
class ReplaceDate:
    """The function of `applyInArrow`: writes a date; its row says whether hours were removed."""

    of: Aggregation

    def __call__(self, rows: pa.Table) -> pa.Table:
        """Replace the partitions of a date; safe to repeat. Raises OSError or LakeUnavailable."""
        day: date = rows[DATE][0].as_py()
        finished = rows.filter(rows["finished"].is_valid())
        measured = rows.filter(rows["finished"].is_null())
        removed = False
        for dataset, key in KEYS.items():
            if dataset == METRIC_INTERVAL.name and day < self.of.intervals_from:
                continue
            if dataset == METRIC_HOURLY.name:
                made = named(measured, together(finished, SERIES_NAMES)).drop_columns([DATE])
            else:
                made = arrow_table(together(finished, dataset).sort(key))
            removed = replace_partition(self.of.lake, dataset, day, made)
        write_source_digest(self.of.lake, day, self.of.stale[day])
        return pa.table({DATE: [day], "removed": [removed]})


def named(hours: pa.Table, names: pl.DataFrame) -> pa.Table:
    """Return the columns of METRIC_HOURLY, in order of its key.

    ``names`` has metric and subject of each ``series``. Raises ValueError where two have one hash.
    """
    known = names.unique().sort("metric", "subject").with_row_index("place")
    if twice := known.filter(pl.col("series").is_duplicated()).rows():
        raise ValueError(f"two series have the same hash, take another seed of it: {twice}")
    made = pl.DataFrame(hours).join(known, "series").sort("place", METRIC_HOURLY.key[-1])
    rows = made.with_columns(path("metric", "subject").alias("series_id"))
    return arrow_table(rows.select(*METRIC_HOURLY.columns))


def together(finished: pa.Table, dataset: str) -> pl.DataFrame:
    """Return the tables that several partitions have made of a dataset as one."""
    place = FINISHED.index(dataset)
    streams = finished.filter(pc.equal(finished["series"], place))["finished"]
    return pl.concat(pl.read_ipc_stream(stream.as_py()) for stream in streams)


def replace_partition(lake: Location, dataset: str, day: date, rows: pa.Table) -> bool:
    """Replace the rows of a date; returns whether there are none and the partition was removed."""
    folder = hour_partition(lake, dataset, day)
    if rows.num_rows:
        write = partial(pq.write_table, rows, compression="zstd", store_schema=False)
        replace_folder(folder, {FILE: write})
    elif folder.is_dir():
        remove(folder)
        return True
    return False
