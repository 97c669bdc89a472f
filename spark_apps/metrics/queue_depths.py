"""Highest depths of queues with statistics: the deepest shared one, and those of the IMS bridge."""

from __future__ import annotations

from typing import Final

import polars as pl

from mqcap.domain.metric import SERIES_SEPARATOR
from spark_apps.transforms.intervals import Gauge, Sections, highest, interval_rows, path
from spark_apps.transforms.keys import INTERVAL

QQST: Final = "section_qqst"
PARTIAL: Final = 0x4000_0000
"""Bit of QQSTFLAG: the depth is not reliable."""


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return one row per metric, queue manager and interval; of several queues the deepest.

    Every member of a group reports the depth of a shared queue; it is not added.
    """
    depth = pl.max_horizontal("qqstdphi", "qqstdpth")
    is_shared = pl.col("qqstcfst").str.strip_chars(" ") != ""
    is_partial = pl.col("qqstflag") & PARTIAL != 0
    deepest = (
        sections[QQST]
        .filter(is_partial.is_null() | ~is_partial)
        .group_by("sysplex", "qmgr", *INTERVAL)
        .agg(
            _highest(depth, is_partial, is_shared).alias("shared"),
            _highest(depth, is_partial, _is_bridge(sections)).alias("bridge"),
        )
    )
    return interval_rows(
        deepest,
        path("sysplex", "qmgr"),
        [
            Gauge("shared_queue_depth_count", pl.col("shared")),
            Gauge("bridge_queue_depth_count", pl.col("bridge")),
        ],
    )


def _highest(depth: pl.Expr, is_partial: pl.Expr, is_meant: pl.Expr) -> pl.Expr:
    """Return the highest depth of the queues meant; null where one of them is not known."""
    known = pl.when(is_partial.is_not_null() & is_meant.is_not_null()).then(depth)
    return highest(known.filter(is_meant.is_null() | is_meant))


def _is_bridge(sections: Sections) -> pl.Expr:
    named = [
        SERIES_SEPARATOR.join((manager, queue))
        for manager, queues in sections.bridge_queues.items()
        for queue in queues
    ]
    return path("sysplex", "qmgr", pl.col("qqstqnam").str.strip_chars(" ")).is_in(named)
