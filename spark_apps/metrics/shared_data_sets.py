"""Shared message data sets of a queue manager: the fullest one, and shortage of their buffers."""

from __future__ import annotations

from functools import partial
from typing import Final

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from mqcap.domain.metric import Metric, SubjectKind
from spark_apps.transforms.intervals import Gauge, Sections, interval_rows, path
from spark_apps.transforms.keys import INTERVAL

QESD: Final = "section_qesd"

_metric: Final = partial(Metric, subject_kind=SubjectKind.queue_manager, reads=(QESD,))

USED: Final = _metric(
    name="smds_used_pct",
    label="Shared message data set used",
    unit="%",
    description="Data blocks of the fullest shared message data set (QESDSMMU of QESDSMBD).",
    fields=("QESDSMMU", "QESDSMBD"),
    forecast=True,
    ceiling=100.0,
)
BUFFERS_USED: Final = _metric(
    name="smds_buffers_used_pct",
    label="Shared message data set buffers used",
    unit="%",
    description="Most buffers of a structure in use (QESDBFMF are the fewest free).",
    fields=("QESDBFMF",),
    ceiling=100.0,
)
WAITS: Final = _metric(
    name="smds_buffer_waits_pct",
    label="Shared message data set buffer waits",
    unit="%",
    description="Requests for a buffer that waited (QESDBFWP of QESDBFGB).",
    fields=("QESDBFWP", "QESDBFGB"),
    ceiling=100.0,
)
BUFFERS: Final = _metric(
    name="smds_buffers_count",
    label="Shared message data set buffers",
    unit="count",
    description="Buffers of a structure (QESDBFTO).",
    fields=("QESDBFTO",),
)
METRICS: Final = (USED, BUFFERS_USED, WAITS, BUFFERS)


def intervals(sections: Sections) -> DataFrame:
    """Return one row per metric, queue manager and interval; of structures the worst."""
    blocks, buffers, asked = sf.col("qesdsmbd"), sf.col("qesdbfto"), sf.col("qesdbfgb")
    free = sf.least(sf.col("qesdbfmf"), buffers)
    worst = (
        sections[QESD]
        .groupBy("sysplex", "qmgr", *INTERVAL)
        .agg(
            sf.max(sf.when(blocks > 0, 100 * sf.col("qesdsmmu") / blocks)).alias("used_pct"),
            sf.max(sf.when(buffers > 0, 100 * (buffers - free) / buffers)).alias("buffers_pct"),
            sf.max(sf.when(asked > 0, 100 * sf.col("qesdbfwp") / asked)).alias("waits_pct"),
            sf.max(buffers).alias("buffers"),
        )
    )
    return interval_rows(
        worst,
        path("sysplex", "qmgr"),
        [
            Gauge(USED.name, sf.least(sf.col("used_pct"), sf.lit(100.0))),
            Gauge(BUFFERS_USED.name, sf.col("buffers_pct")),
            Gauge(WAITS.name, sf.least(sf.col("waits_pct"), sf.lit(100.0))),
            Gauge(BUFFERS.name, sf.col("buffers")),
        ],
    )
