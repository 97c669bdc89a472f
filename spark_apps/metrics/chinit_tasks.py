"""Tasks of the channel initiator: how many there are, and how busy the busiest one is."""

from __future__ import annotations

from typing import Final

import polars as pl

from spark_apps.transforms.intervals import (
    Gauge,
    Sections,
    highest_ratio,
    interval_rows,
    path,
    total,
    union,
)
from spark_apps.transforms.keys import INTERVAL

DISPATCHER: Final = "section_qctdsp"
ADAPTER: Final = "section_qctadp"
TLS: Final = "section_qctssl"


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return a row per metric, channel initiator and statistics interval with such tasks."""
    elapsed = pl.col("qcteltm") + pl.col("qctwttm")
    busiest_pct = highest_ratio(100 * pl.col("qcteltm"), elapsed)
    used = total((pl.col("qctreqn") > 0).cast(pl.Int64))
    return union(
        [
            _rows(
                sections[DISPATCHER],
                "chinit_dispatchers_count",
                "chinit_dispatcher_busy_pct",
                busiest_pct,
            ),
            _rows(sections[ADAPTER], "chinit_adapters_count", "chinit_adapters_used_count", used),
            _rows(sections[TLS], "chinit_ssltasks_count", "chinit_ssltask_busy_pct", busiest_pct),
        ]
    )


def _rows(tasks: pl.LazyFrame, count: str, metric: str, figure: pl.Expr) -> pl.LazyFrame:
    """Return the number of tasks, and a figure of all of them."""
    grouped = tasks.group_by("sysplex", "qmgr", *INTERVAL).agg(
        pl.len().alias("tasks"), figure.alias("figure")
    )
    figures = [Gauge(count, pl.col("tasks")), Gauge(metric, pl.col("figure"))]
    return interval_rows(grouped, path("sysplex", "qmgr", pl.lit("CHINIT")), figures)
