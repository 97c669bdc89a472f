"""Counters of buffer pools: shortages, deferred writes, page I/O, contention, and the size."""

from __future__ import annotations

from functools import reduce
from operator import add
from typing import Final

import polars as pl

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
            Gauge("buffer_pool_buffers_count", pl.col("qpstnbuf")),
            Counter("buffer_pool_short_count", _sum("qpstsos", "qpststla", "qpstdmc"), per_hour),
            Counter("buffer_pool_deferred_count", pl.col("qpstdwt"), per_hour),
            Counter("buffer_pool_io_per_s", _sum("qpstrio", "qpstwio")),
            Counter("buffer_pool_read_per_s", pl.col("qpstrio")),
            Counter("buffer_pool_written_per_s", pl.col("qpsttpw")),
            Gauge(
                "buffer_pool_contention_pct",
                pl.when(steals > 0).then(contention_pct),
            ),
        ],
    )


def _sum(*columns: str) -> pl.Expr:
    return reduce(add, map(pl.col, columns))
