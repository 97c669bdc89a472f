"""Counters of buffer pools: shortages, deferred writes, page I/O, contention, and the size."""

from __future__ import annotations

from functools import partial
from typing import Final

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from mqcap.domain.metric import Metric, SubjectKind
from mqcap.domain.units import SECONDS_PER_HOUR
from spark_apps.transforms.intervals import Counter, Gauge, Sections, interval_rows, path

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


def intervals(sections: Sections) -> DataFrame:
    """Return a row per metric, buffer pool and interval; a pool without buffers has none."""
    pool = sf.format_string("BP%02d", sf.col("qpstpool").cast("int"))
    per_hour = 1 / SECONDS_PER_HOUR
    steals = sf.col("qpststl")
    return interval_rows(
        sections[QPST].where(sf.col("qpstnbuf") > 0),
        path("sysplex", "qmgr", pool),
        [
            Gauge(BUFFERS.name, sf.col("qpstnbuf")),
            Counter(SHORT.name, _sum("qpstsos", "qpststla", "qpstdmc"), per_hour),
            Counter(DEFERRED.name, sf.col("qpstdwt"), per_hour),
            Counter(IO.name, _sum("qpstrio", "qpstwio")),
            Counter(READ.name, sf.col("qpstrio")),
            Counter(WRITTEN.name, sf.col("qpsttpw")),
            Gauge(
                CONTENTION.name,
                sf.when(steals > 0, sf.least(100 * sf.col("qpststla") / steals, sf.lit(100.0))),
            ),
        ],
    )


def _sum(*columns: str) -> Column:
    total = sf.lit(0).cast("bigint")
    for column in columns:
        total = total + sf.coalesce(sf.col(column).cast("bigint"), sf.lit(0))
    return total
