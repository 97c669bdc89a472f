"""Service time of a structure's requests, and the entries that it has."""

from __future__ import annotations

from functools import partial
from typing import Final

import polars as pl

from mqcap.domain.metric import Metric, SubjectKind
from spark_apps.transforms.intervals import Gauge, Sections, interval_rows, path, total, whole
from spark_apps.transforms.keys import INTERVAL

R744S: Final = "section_r744s"

_metric: Final = partial(Metric, subject_kind=SubjectKind.structure, reads=(R744S,))

SYNC: Final = _metric(
    name="structure_sync_us",
    label="Structure service time",
    unit="us",
    description="Mean service time of synchronous requests of all members (R744SSTM of R744SSRC).",
    fields=("R744SSTM", "R744SSRC"),
    uncertain=("R744SSTM", "R744SSRC"),
)
ASYNC: Final = _metric(
    name="structure_async_pct",
    label="Structure requests, asynchronous",
    unit="%",
    description="Requests that were asynchronous (R744SARC of both kinds).",
    fields=("R744SARC",),
    ceiling=100.0,
    uncertain=("R744SARC", "R744SSRC"),
)
ENTRIES: Final = _metric(
    name="structure_entries_count",
    label="Structure entries",
    unit="count",
    description="Entries allocated (R744SLEL), taken once.",
    fields=("R744SLEL",),
)
METRICS: Final = (SYNC, ASYNC, ENTRIES)


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
            Gauge(SYNC.name, pl.when(sync > 0).then(pl.col("sync_us") / sync)),
            Gauge(ASYNC.name, pl.when(both > 0).then(100 * pl.col("async_requests") / both)),
            Gauge(ENTRIES.name, pl.when(pl.col("entries") > 0).then(pl.col("entries"))),
        ],
    )
