"""Hosts of distributed queue managers: CPU and RAM, as queue managers or the site report them."""

from __future__ import annotations

from typing import Final

import polars as pl

from mqcap.domain.distributed.qmgr_figure import QmgrFigure
from spark_apps.transforms.intervals import Gauge, Sections, interval_rows, path, union
from spark_apps.transforms.samples import at_one_time, counted_once, part
from spark_apps.transforms.site_samples import site_levels

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
        Gauge("host_cpu_busy_pct", pl.col("user_pct") + pl.col("system_pct")),
        Gauge("host_ram_free_pct", pl.col("ram_free_pct")),
    ]
    published = interval_rows(reported, path("site", part("host")), figures)
    sent = site_levels(sections).filter(pl.col("metric") == "host_cpu_busy_pct")
    return counted_once(union([published, sent]))
