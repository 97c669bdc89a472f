"""Metrics of hosts of distributed queue managers, and of their file systems."""

from typing import Final

import polars as pl

from mqcap.domain.distributed.qmgr_figure import QmgrFigure
from mqcap.domain.units import MIB_BYTES
from spark_apps.transforms.intervals import Gauge, Sections, interval_rows, path, union
from spark_apps.transforms.samples import (
    at_one_time,
    counted_once,
    part,
    qmgr_subject,
    rows_once,
    site_levels,
)

_NAME: Final = r"^[A-Za-z0-9_.-]{1,64}$"
"""A longer name than any host of Linux or Windows has is no name (ours)."""
_FIGURES: Final = {
    QmgrFigure.host_cpu_user_pct: "user_pct",
    QmgrFigure.host_cpu_system_pct: "system_pct",
    QmgrFigure.host_ram_free_pct: "ram_free_pct",
}


def hosts(sections: Sections) -> pl.LazyFrame:
    """Return a row per metric, host and time, whichever of its queue managers or the site tells."""
    reported = at_one_time(sections, ["host", "qmgr"], _FIGURES).filter(
        pl.col("host").str.contains(_NAME)
    )
    published = interval_rows(
        reported,
        path("site", part("host")),
        Gauge("host_cpu_busy_pct", pl.col("user_pct") + pl.col("system_pct")),
        Gauge("host_ram_free_pct", "ram_free_pct"),
    )
    sent = site_levels(sections).filter(pl.col("metric") == "host_cpu_busy_pct")
    return counted_once(union(published, sent))


_FILE_SYSTEM_FIGURES: Final = {
    QmgrFigure.log_fs_used_bytes: "log_used",
    QmgrFigure.log_fs_size_bytes: "log_size",
    QmgrFigure.log_fs_free_pct: "log_free_pct",
    QmgrFigure.qmgr_fs_free_pct: "qmgr_free_pct",
}


def file_systems(sections: Sections) -> pl.LazyFrame:
    """Return a row per metric, queue manager and time; of the log bytes count before per cent."""
    reported = at_one_time(sections, ["qmgr"], _FILE_SYSTEM_FIGURES)
    log_size = pl.col("log_size")
    has_size = log_size > 0
    exact = pl.when(has_size).then(100 * pl.col("log_used") / log_size)
    return rows_once(
        reported,
        qmgr_subject(),
        Gauge("mq_log_fs_used_pct", pl.coalesce(exact, 100 - pl.col("log_free_pct"))),
        Gauge("mq_qmgr_fs_used_pct", 100 - pl.col("qmgr_free_pct")),
        Gauge("mq_log_fs_size_mib", pl.when(has_size).then(log_size / MIB_BYTES)),
    )
