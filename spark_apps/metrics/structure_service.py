"""Service time of a structure's requests, and the entries that it has."""

from __future__ import annotations

from typing import Final

import polars as pl

from spark_apps.transforms.intervals import Gauge, Sections, interval_rows, path, total, whole
from spark_apps.transforms.keys import INTERVAL

R744S: Final = "section_r744s"


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return one row per metric, structure and RMF interval; requests of the members are added."""
    sums = (
        sections[R744S]
        .group_by("sysplex", "cf", "r744snam", INTERVAL[1])
        .agg(
            pl.col(INTERVAL[0]).min(),
            total(whole(pl.col("r744ssrc"))).alias("sync_requests"),
            total("r744sstm").alias("sync_us"),
            total(whole(pl.col("r744sarc"))).alias("async_requests"),
            pl.col("r744slel").max().alias("entries"),
        )
    )
    sync, both = pl.col("sync_requests"), pl.col("sync_requests") + pl.col("async_requests")
    return interval_rows(
        sums,
        path("sysplex", "cf", "r744snam"),
        [
            Gauge("structure_sync_us", pl.when(sync > 0).then(pl.col("sync_us") / sync)),
            Gauge(
                "structure_async_pct", pl.when(both > 0).then(100 * pl.col("async_requests") / both)
            ),
            Gauge(
                "structure_entries_count", pl.when(pl.col("entries") > 0).then(pl.col("entries"))
            ),
        ],
    )
