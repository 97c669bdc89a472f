"""Shared message data sets of a queue manager: the fullest one, and shortage of their buffers."""

from __future__ import annotations

from functools import partial
from typing import Final

import polars as pl

from mqcap.domain.metric import Metric, SubjectKind
from spark_apps.transforms.intervals import (
    Gauge,
    Sections,
    at_most,
    highest,
    highest_ratio,
    interval_rows,
    path,
)
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


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return one row per metric, queue manager and interval; of structures the worst."""
    blocks, buffers, asked = pl.col("qesdsmbd"), pl.col("qesdbfto"), pl.col("qesdbfgb")
    free = at_most(pl.col("qesdbfmf"), buffers)
    worst = (
        sections[QESD]
        .group_by("sysplex", "qmgr", *INTERVAL)
        .agg(
            highest_ratio(100 * pl.col("qesdsmmu"), blocks).alias("used_pct"),
            highest_ratio(100 * (buffers - free), buffers).alias("buffers_pct"),
            highest_ratio(100 * pl.col("qesdbfwp"), asked).alias("waits_pct"),
            highest(buffers).alias("buffers"),
        )
    )
    return interval_rows(
        worst,
        path("sysplex", "qmgr"),
        [
            Gauge(USED.name, at_most(pl.col("used_pct"), 100.0)),
            Gauge(BUFFERS_USED.name, pl.col("buffers_pct")),
            Gauge(WAITS.name, at_most(pl.col("waits_pct"), 100.0)),
            Gauge(BUFFERS.name, pl.col("buffers")),
        ],
    )
