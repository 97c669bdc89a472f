"""Counters of buffer pools: shortages, deferred writes, page I/O, contention, and the size."""

from __future__ import annotations

from typing import Final

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from mqcap.domain.metric import Metric, SubjectKind
from mqcap.domain.units import SECONDS_PER_HOUR
from spark_apps.transforms.intervals import Counter, Gauge, Sections, interval_rows, path

QPST: Final = "section_qpst"


def _metric(
    name: str, label: str, unit: str, description: str, *, fields: tuple[str, ...] = ()
) -> Metric:
    return Metric(
        name=name,
        label=label,
        unit=unit,
        subject_kind=SubjectKind.buffer_pool,
        description=description,
        reads=(QPST,),
        fields=fields,
        ceiling=100.0 if unit == "%" else None,
    )


BUFFERS: Final = _metric(
    "buffer_pool_buffers_count",
    "Buffers",
    "count",
    "Buffers of the pool (QPSTNBUF).",
    fields=("QPSTNBUF",),
)
SHORT: Final = _metric(
    "buffer_pool_short_count",
    "Buffer shortages",
    "count/h",
    "Shortages per hour (QPSTSOS + QPSTSTLA + QPSTDMC).",
    fields=("QPSTSOS", "QPSTSTLA", "QPSTDMC"),
)
DEFERRED: Final = _metric(
    "buffer_pool_deferred_count",
    "Deferred write starts",
    "count/h",
    "Starts of deferred writing per hour (QPSTDWT).",
    fields=("QPSTDWT",),
)
IO: Final = _metric(
    "buffer_pool_io_per_s",
    "Buffer pool I/O",
    "count/s",
    "Page reads and write I/Os a second (QPSTRIO + QPSTWIO).",
    fields=("QPSTRIO", "QPSTWIO"),
)
READ: Final = _metric(
    "buffer_pool_read_per_s",
    "Pages read",
    "count/s",
    "Pages read a second (QPSTRIO).",
    fields=("QPSTRIO",),
)
WRITTEN: Final = _metric(
    "buffer_pool_written_per_s",
    "Pages written",
    "count/s",
    "Pages written a second (QPSTTPW).",
    fields=("QPSTTPW",),
)
CONTENTION: Final = _metric(
    "buffer_pool_contention_pct",
    "Buffer steals with contention",
    "%",
    "Steals that met contention (QPSTSTLA of QPSTSTL).",
    fields=("QPSTSTLA", "QPSTSTL"),
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
