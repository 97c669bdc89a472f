"""File systems of distributed queue managers: of the log, and of queues and other data."""

from __future__ import annotations

from typing import Final

import polars as pl

from mqcap.domain.distributed.qmgr_figure import QmgrFigure
from mqcap.domain.metric import Metric, SubjectKind
from mqcap.domain.units import MIB_BYTES
from spark_apps.transforms.intervals import Gauge, Sections, interval_rows
from spark_apps.transforms.samples import QMGR_SAMPLE, at_one_time, counted_once, qmgr_subject


def _metric(name: str, label: str, description: str) -> Metric:
    return Metric(
        name=name,
        label=label,
        unit="%",
        subject_kind=SubjectKind.distributed_queue_manager,
        description=description,
        reads=(QMGR_SAMPLE,),
        forecast=True,
        ceiling=100.0,
    )


LOG_FS_USED: Final = _metric(
    "mq_log_fs_used_pct", "Log file system in use", "Use of the file system that holds the log."
)
QMGR_FS_USED: Final = _metric(
    "mq_qmgr_fs_used_pct",
    "Queue manager file system in use",
    "Use of the file system that holds queues and other data of the queue manager.",
)
LOG_FS_SIZE: Final = Metric(
    name="mq_log_fs_size_mib",
    label="Log file system",
    unit="MiB",
    subject_kind=SubjectKind.distributed_queue_manager,
    description="Size of the file system that holds the log.",
    reads=(QMGR_SAMPLE,),
)
METRICS: Final = (LOG_FS_USED, QMGR_FS_USED, LOG_FS_SIZE)
_FIGURES: Final = {
    QmgrFigure.log_fs_used_bytes: "log_used",
    QmgrFigure.log_fs_size_bytes: "log_size",
    QmgrFigure.log_fs_free_pct: "log_free_pct",
    QmgrFigure.qmgr_fs_free_pct: "qmgr_free_pct",
}


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return a row per metric, queue manager and time at which one was reported.

    Of the log the exact use in bytes counts where both figures are reported, else the percentage.
    """
    reported = at_one_time(sections, ["qmgr"], _FIGURES)
    log_size = pl.col("log_size")
    has_size = log_size > 0
    exact = pl.when(has_size).then(100 * pl.col("log_used") / log_size)
    figures = [
        Gauge(LOG_FS_USED.name, pl.coalesce(exact, 100 - pl.col("log_free_pct"))),
        Gauge(QMGR_FS_USED.name, 100 - pl.col("qmgr_free_pct")),
        Gauge(LOG_FS_SIZE.name, pl.when(has_size).then(log_size / MIB_BYTES)),
    ]
    return counted_once(interval_rows(reported, qmgr_subject(), figures))
