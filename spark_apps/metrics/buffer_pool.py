"""Highest share of buffers in use of each buffer pool in the interval."""

from __future__ import annotations

from typing import Final

import polars as pl

from mqcap.domain.metric import Metric, SubjectKind
from spark_apps.transforms.intervals import Gauge, Sections, interval_rows, numbered, path

QPST: Final = "section_qpst"

BUFFER_POOL_USED: Final = Metric(
    name="buffer_pool_used_pct",
    label="Buffers used",
    unit="%",
    subject_kind=SubjectKind.buffer_pool,
    description="100 minus the lowest share of stealable buffers (QPSTCBSL of QPSTNBUF).",
    reads=(QPST,),
    fields=("QPSTCBSL", "QPSTNBUF"),
    forecast=True,
    ceiling=100.0,
)
METRICS: Final = (BUFFER_POOL_USED,)


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return one row per buffer pool and statistics interval; a pool without buffers has none."""
    stealable_pct = pl.when(pl.col("qpstnbuf") > 0).then(
        pl.col("qpstcbsl") * 100.0 / pl.col("qpstnbuf")
    )
    pool = numbered("BP", "qpstpool")
    return interval_rows(
        sections[QPST],
        path("sysplex", "qmgr", pool),
        [Gauge(BUFFER_POOL_USED.name, 100.0 - stealable_pct)],
    )
