"""Queues of distributed queue managers: depth, puts, queue file, each with its limit."""

from __future__ import annotations

from typing import Final

import polars as pl

from mqcap.domain.distributed.qmgr_figure import QmgrFigure
from mqcap.domain.units import MIB_BYTES
from spark_apps.transforms.intervals import Gauge, Sections, interval_rows, path, union
from spark_apps.transforms.samples import (
    amounts,
    at_one_time,
    counted_once,
    part,
)

PUTS: Final = "mq_queue_put_per_s"
PUT_MIB: Final = "mq_queue_put_mib_per_s"
_FIGURES: Final = {
    QmgrFigure.queue_depth_count: "depth",
    QmgrFigure.queue_depth_max_count: "depth_max",
    QmgrFigure.queue_file_mib: "file_mib",
    QmgrFigure.queue_file_max_mib: "file_max_mib",
}


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return a row per metric, queue and time at which one was reported."""
    reported = at_one_time(sections, ["qmgr", "object"], _FIGURES)
    depth, depth_max = pl.col("depth"), pl.col("depth_max")
    file_mib, file_max_mib = pl.col("file_mib"), pl.col("file_max_mib")
    has_depth = depth.is_not_null() & (depth_max > 0)
    has_file = file_mib.is_not_null() & (file_max_mib > 0)
    figures = [
        Gauge("mq_queue_depth_count", depth),
        Gauge("mq_queue_depth_used_pct", pl.when(has_depth).then(100 * depth / depth_max)),
        Gauge("mq_queue_file_mib", file_mib),
        Gauge("mq_queue_depth_max_count", pl.when(has_depth).then(depth_max)),
        Gauge("mq_queue_file_max_mib", pl.when(has_file).then(file_max_mib)),
        Gauge("mq_queue_file_used_pct", pl.when(has_file).then(100 * file_mib / file_max_mib)),
    ]
    subject = path("site", part("qmgr"), part("object"))
    gauges = counted_once(interval_rows(reported, subject, figures))
    puts = amounts(sections, QmgrFigure.queue_put_count, PUTS, 1.0, subject)
    put_mib = amounts(sections, QmgrFigure.queue_put_bytes, PUT_MIB, float(MIB_BYTES), subject)
    return union([gauges, puts, put_mib])
