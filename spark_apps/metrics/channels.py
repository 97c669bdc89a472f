"""Channels in use at their highest in the interval, with the configured limits."""

from __future__ import annotations

from typing import Final

import polars as pl

from spark_apps.transforms.intervals import Gauge, Sections, interval_rows, path

QCCT: Final = "section_qcct"
CURRENT: Final = "channels_current_count"


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return one row per metric, channel initiator and statistics interval."""
    return interval_rows(
        sections[QCCT],
        path("sysplex", "qmgr", pl.lit("CHINIT")),
        [
            Gauge(CURRENT, pl.col("qcctnocc")),
            Gauge("channels_current_limit_count", pl.col("qcctmxcc")),
            Gauge("channels_active_count", pl.col("qcctnoac")),
            Gauge("channels_active_limit_count", pl.col("qcctmxac")),
        ],
    )
