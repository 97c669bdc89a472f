"""Shared message data sets of a queue manager: the fullest one, and shortage of their buffers."""

from __future__ import annotations

from typing import Final

import polars as pl

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
            Gauge("smds_used_pct", at_most(pl.col("used_pct"), 100.0)),
            Gauge("smds_buffers_used_pct", pl.col("buffers_pct")),
            Gauge("smds_buffer_waits_pct", at_most(pl.col("waits_pct"), 100.0)),
            Gauge("smds_buffers_count", pl.col("buffers")),
        ],
    )
