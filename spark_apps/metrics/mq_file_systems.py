"""File systems of distributed queue managers: of the log, and of queues and other data."""

from __future__ import annotations

from typing import Final

import polars as pl

from mqcap.domain.distributed.qmgr_figure import QmgrFigure
from mqcap.domain.units import MIB_BYTES
from spark_apps.transforms.intervals import Gauge, Sections, interval_rows
from spark_apps.transforms.samples import at_one_time, counted_once, qmgr_subject

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
        Gauge("mq_log_fs_used_pct", pl.coalesce(exact, 100 - pl.col("log_free_pct"))),
        Gauge("mq_qmgr_fs_used_pct", 100 - pl.col("qmgr_free_pct")),
        Gauge("mq_log_fs_size_mib", pl.when(has_size).then(log_size / MIB_BYTES)),
    ]
    return counted_once(interval_rows(reported, qmgr_subject(), figures))
