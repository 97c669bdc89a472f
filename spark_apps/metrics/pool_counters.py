"""Counters of buffer pools: shortages, deferred writes, page I/O, contention, and the size."""

from __future__ import annotations

from functools import partial, reduce
from operator import add
from typing import Final

import polars as pl

from mqcap.domain.metric import Metric, SubjectKind
from mqcap.domain.units import SECONDS_PER_HOUR
from spark_apps.transforms.intervals import (
    Counter,
    Gauge,
    Sections,
    at_most,
    interval_rows,
    numbered,
    path,
)

QPST: Final = "section_qpst"

_metric: Final = partial(Metric, subject_kind=SubjectKind.buffer_pool, reads=(QPST,))

BUFFERS: Final = _metric(
    name="buffer_pool_buffers_count",
    label="Buffers",
    unit="count",
    description="Buffers of the pool (QPSTNBUF).",
    fields=("QPSTNBUF",),
)
SHORT: Final = _metric(
    name="buffer_pool_short_count",
    label="Buffer shortages",
    unit="count/h",
    description="Shortages per hour (QPSTSOS + QPSTSTLA + QPSTDMC).",
    fields=("QPSTSOS", "QPSTSTLA", "QPSTDMC"),
)
DEFERRED: Final = _metric(
    name="buffer_pool_deferred_count",
    label="Deferred write starts",
    unit="count/h",
    description="Starts of deferred writing per hour (QPSTDWT).",
    fields=("QPSTDWT",),
)
IO: Final = _metric(
    name="buffer_pool_io_per_s",
    label="Buffer pool I/O",
    unit="count/s",
    description="Page reads and write I/Os a second (QPSTRIO + QPSTWIO).",
    fields=("QPSTRIO", "QPSTWIO"),
)
READ: Final = _metric(
    name="buffer_pool_read_per_s",
    label="Pages read",
    unit="count/s",
    description="Pages read a second (QPSTRIO).",
    fields=("QPSTRIO",),
)
WRITTEN: Final = _metric(
    name="buffer_pool_written_per_s",
    label="Pages written",
    unit="count/s",
    description="Pages written a second (QPSTTPW).",
    fields=("QPSTTPW",),
)
CONTENTION: Final = _metric(
    name="buffer_pool_contention_pct",
    label="Buffer steals with contention",
    unit="%",
    description="Steals that met contention (QPSTSTLA of QPSTSTL).",
    fields=("QPSTSTLA", "QPSTSTL"),
    ceiling=100.0,
)
METRICS: Final = (BUFFERS, SHORT, DEFERRED, IO, READ, WRITTEN, CONTENTION)


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return a row per metric, buffer pool and interval; a pool without buffers has none."""
    pool = numbered("BP", "qpstpool")
    per_hour = 1 / SECONDS_PER_HOUR
    steals = pl.col("qpststl")
    contention_pct = at_most(100 * pl.col("qpststla") / steals, 100.0)
    return interval_rows(
        sections[QPST].filter(pl.col("qpstnbuf") > 0),
        path("sysplex", "qmgr", pool),
        [
            Gauge(BUFFERS.name, pl.col("qpstnbuf")),
            Counter(SHORT.name, _sum("qpstsos", "qpststla", "qpstdmc"), per_hour),
            Counter(DEFERRED.name, pl.col("qpstdwt"), per_hour),
            Counter(IO.name, _sum("qpstrio", "qpstwio")),
            Counter(READ.name, pl.col("qpstrio")),
            Counter(WRITTEN.name, pl.col("qpsttpw")),
            Gauge(
                CONTENTION.name,
                pl.when(steals > 0).then(contention_pct),
            ),
        ],
    )


def _sum(*columns: str) -> pl.Expr:
    return reduce(add, map(pl.col, columns))
