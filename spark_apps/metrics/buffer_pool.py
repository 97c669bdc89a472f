"""Highest share of buffers in use of each buffer pool in the interval."""

from __future__ import annotations

from typing import Final

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from mqcap.domain.metric import Metric, SubjectKind
from spark_apps.transforms.intervals import Gauge, Sections, interval_rows, path

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


def intervals(sections: Sections) -> DataFrame:
    """Return one row per buffer pool and statistics interval; a pool without buffers has none."""
    stealable_pct = sf.when(
        sf.col("qpstnbuf") > 0, sf.col("qpstcbsl") * sf.lit(100.0) / sf.col("qpstnbuf")
    )
    pool = sf.format_string("BP%02d", sf.col("qpstpool").cast("int"))
    return interval_rows(
        sections[QPST],
        path("sysplex", "qmgr", pool),
        [Gauge(BUFFER_POOL_USED.name, sf.lit(100.0) - stealable_pct)],
    )
