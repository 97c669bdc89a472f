"""Hosts of distributed queue managers: CPU and RAM, as queue managers or the site report them."""

from __future__ import annotations

from typing import Final

import polars as pl

from mqcap.domain.distributed.qmgr_figure import QmgrFigure
from mqcap.domain.distributed.site_figure import HOST_CPU_BUSY
from mqcap.domain.metric import Direction, Metric, SubjectKind
from spark_apps.site_figure_placement import SITE_SAMPLE
from spark_apps.transforms.intervals import Gauge, Sections, interval_rows, path, union
from spark_apps.transforms.samples import QMGR_SAMPLE, at_one_time, counted_once, part
from spark_apps.transforms.site_samples import site_levels

CPU_BUSY: Final = Metric(
    name=HOST_CPU_BUSY,
    label="CPU busy",
    unit="%",
    subject_kind=SubjectKind.mq_host,
    description="User and system time of all CPUs of the host.",
    reads=(QMGR_SAMPLE, SITE_SAMPLE),
    forecast=True,
    ceiling=100.0,
)
RAM_FREE: Final = Metric(
    name="host_ram_free_pct",
    label="RAM free",
    unit="%",
    subject_kind=SubjectKind.mq_host,
    description="Free share of the host's RAM.",
    reads=(QMGR_SAMPLE,),
    ceiling=100.0,
    direction=Direction.downward,
)
METRICS: Final = (CPU_BUSY, RAM_FREE)
_NAME: Final = r"^[A-Za-z0-9_.-]{1,64}$"
"""A longer name than any host of Linux or Windows has is no name (ours)."""
_FIGURES: Final = {
    QmgrFigure.host_cpu_user_pct: "user_pct",
    QmgrFigure.host_cpu_system_pct: "system_pct",
    QmgrFigure.host_ram_free_pct: "ram_free_pct",
}


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return a row per metric, host and time at which one was reported; without a host none.

    Every queue manager of a host publishes the same figures, and the site may send them too: a
    time counts once.
    """
    reported = at_one_time(sections, ["host", "qmgr"], _FIGURES).filter(
        pl.col("host").str.contains(_NAME)
    )
    figures = [
        Gauge(CPU_BUSY.name, pl.col("user_pct") + pl.col("system_pct")),
        Gauge(RAM_FREE.name, pl.col("ram_free_pct")),
    ]
    published = interval_rows(reported, path("site", part("host")), figures)
    sent = site_levels(sections).filter(pl.col("metric") == CPU_BUSY.name)
    return counted_once(union([published, sent]))
