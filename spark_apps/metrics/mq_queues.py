"""Queues of distributed queue managers: depth, puts, queue file, each with its limit."""

from __future__ import annotations

from typing import Final

import polars as pl

from mqcap.domain.distributed.qmgr_figure import QmgrFigure
from mqcap.domain.metric import Metric, SubjectKind
from mqcap.domain.units import MIB_BYTES
from spark_apps.transforms.intervals import Gauge, Sections, interval_rows, path, union
from spark_apps.transforms.samples import (
    QMGR_SAMPLE,
    amounts,
    at_one_time,
    counted_once,
    part,
)


def _metric(name: str, label: str, unit: str, description: str, *, forecast: bool) -> Metric:
    return Metric(
        name=name,
        label=label,
        unit=unit,
        subject_kind=SubjectKind.distributed_queue,
        description=description,
        reads=(QMGR_SAMPLE,),
        forecast=forecast,
    )


DEPTH: Final = _metric(
    "mq_queue_depth_count", "Queue depth", "count", "Messages on the queue.", forecast=False
)
DEPTH_USED: Final = _metric(
    "mq_queue_depth_used_pct",
    "Queue depth in use",
    "%",
    "Messages on the queue in per cent of its MAXDEPTH at the same time.",
    forecast=True,
)
FILE: Final = _metric(
    "mq_queue_file_mib", "Queue file", "MiB", "Size of the file of the queue.", forecast=False
)
DEPTH_MAX: Final = _metric(
    "mq_queue_depth_max_count",
    "MAXDEPTH",
    "count",
    "MAXDEPTH of the queue, at the times at which its depth was reported.",
    forecast=False,
)
FILE_MAX: Final = _metric(
    "mq_queue_file_max_mib",
    "Largest queue file",
    "MiB",
    "Size to which the file of the queue may grow (CURMAXFS), when its size was reported.",
    forecast=False,
)
FILE_USED: Final = _metric(
    "mq_queue_file_used_pct",
    "Queue file in use",
    "%",
    "Size of the file of the queue in per cent of the size to which it may grow then.",
    forecast=True,
)
PUTS: Final = _metric(
    "mq_queue_put_per_s",
    "Message puts to the queue",
    "count/s",
    "MQPUT and MQPUT1 calls to the queue.",
    forecast=False,
)
PUT_MIB: Final = _metric(
    "mq_queue_put_mib_per_s",
    "Message data put to the queue",
    "MiB/s",
    "Bytes of MQPUT calls to the queue.",
    forecast=False,
)
METRICS: Final = (DEPTH, DEPTH_USED, FILE, DEPTH_MAX, FILE_MAX, FILE_USED, PUTS, PUT_MIB)
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
        Gauge(DEPTH.name, depth),
        Gauge(DEPTH_USED.name, pl.when(has_depth).then(100 * depth / depth_max)),
        Gauge(FILE.name, file_mib),
        Gauge(DEPTH_MAX.name, pl.when(has_depth).then(depth_max)),
        Gauge(FILE_MAX.name, pl.when(has_file).then(file_max_mib)),
        Gauge(FILE_USED.name, pl.when(has_file).then(100 * file_mib / file_max_mib)),
    ]
    subject = path("site", part("qmgr"), part("object"))
    gauges = counted_once(interval_rows(reported, subject, figures))
    puts = amounts(sections, QmgrFigure.queue_put_count, PUTS.name, 1.0, subject)
    put_mib = amounts(sections, QmgrFigure.queue_put_bytes, PUT_MIB.name, float(MIB_BYTES), subject)
    return union([gauges, puts, put_mib])
