"""Highest share of buffers in use of each buffer pool in the interval."""

from __future__ import annotations

from typing import Final

import polars as pl

from spark_apps.transforms.intervals import Gauge, Sections, interval_rows, numbered, path

QPST: Final = "section_qpst"

BUFFER_POOL_USED: Final = "buffer_pool_used_pct"


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return one row per buffer pool and statistics interval; a pool without buffers has none."""
    stealable_pct = pl.when(pl.col("qpstnbuf") > 0).then(
        pl.col("qpstcbsl") * 100.0 / pl.col("qpstnbuf")
    )
    pool = numbered("BP", "qpstpool")
    return interval_rows(
        sections[QPST],
        path("sysplex", "qmgr", pool),
        [Gauge(BUFFER_POOL_USED, 100.0 - stealable_pct)],
    )
