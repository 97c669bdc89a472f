"""Queues of distributed queue managers: depth, share of MAXDEPTH, size of the queue file."""

from __future__ import annotations

from typing import Final

import polars as pl

from mqcap.domain.distributed.qmgr_figure import QmgrFigure
from mqcap.domain.metric import Metric, SubjectKind
from spark_apps.transforms.intervals import Gauge, Sections, interval_rows, path
from spark_apps.transforms.samples import QMGR_SAMPLE, at_one_time, counted_once, part


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
METRICS: Final = (DEPTH, DEPTH_USED, FILE)
_FIGURES: Final = {
    QmgrFigure.queue_depth_count: "depth",
    QmgrFigure.queue_depth_max_count: "depth_max",
    QmgrFigure.queue_file_mib: "file_mib",
}


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return a row per metric, queue and time at which one was reported."""
    reported = at_one_time(sections, ["qmgr", "object"], _FIGURES)
    share = pl.when(pl.col("depth_max") > 0).then(100 * pl.col("depth") / pl.col("depth_max"))
    figures = [
        Gauge(DEPTH.name, pl.col("depth")),
        Gauge(DEPTH_USED.name, share),
        Gauge(FILE.name, pl.col("file_mib")),
    ]
    subject = path("site", part("qmgr"), part("object"))
    return counted_once(interval_rows(reported, subject, figures))
