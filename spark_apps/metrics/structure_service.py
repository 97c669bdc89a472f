"""Service time of a structure's requests, and the entries that it has."""

from __future__ import annotations

from functools import partial
from typing import Final

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from mqcap.domain.metric import Metric, SubjectKind
from spark_apps.transforms.intervals import Gauge, Sections, interval_rows, path
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


def intervals(sections: Sections) -> DataFrame:
    """Return one row per metric, structure and RMF interval; requests of the members are added."""
    sums = (
        sections[R744S]
        .groupBy("sysplex", "cf", "r744snam", INTERVAL[1])
        .agg(
            sf.min(INTERVAL[0]).alias(INTERVAL[0]),
            sf.sum(_whole("r744ssrc")).alias("sync_requests"),
            sf.sum("r744sstm").alias("sync_us"),
            sf.sum(_whole("r744sarc")).alias("async_requests"),
            sf.max("r744slel").alias("entries"),
        )
    )
    sync, both = sf.col("sync_requests"), sf.col("sync_requests") + sf.col("async_requests")
    return interval_rows(
        sums,
        path("sysplex", "cf", "r744snam"),
        [
            Gauge(SYNC.name, sf.when(sync > 0, sf.col("sync_us") / sync)),
            Gauge(ASYNC.name, sf.when(both > 0, 100 * sf.col("async_requests") / both)),
            Gauge(ENTRIES.name, sf.when(sf.col("entries") > 0, sf.col("entries"))),
        ],
    )


def _whole(column: str) -> Column:
    """Return a count as a float; integers add up to the same in whatever order."""
    return sf.round(sf.col(column)).cast("bigint")
