"""Log of distributed queue managers: use, numbers and size of its files, latency of writes."""

from __future__ import annotations

from typing import Final

import polars as pl

from mqcap.domain.distributed.qmgr_figure import QmgrFigure
from spark_apps.transforms.intervals import Gauge, Sections, interval_rows
from spark_apps.transforms.samples import (
    at_one_time,
    counted_once,
    qmgr_subject,
    with_settings,
)

_FIGURES: Final = {
    QmgrFigure.log_primary_used_pct: "used_pct",
    QmgrFigure.log_workload_pct: "workload_pct",
    QmgrFigure.log_primary_files_count: "captured_primary",
    QmgrFigure.log_secondary_files_count: "captured_secondary",
    QmgrFigure.log_write_latency_us: "latency_us",
    QmgrFigure.log_media_mib: "media_mib",
    QmgrFigure.log_media_extent_count: "media_extent",
}


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return a row per metric, queue manager and time at which one was reported."""
    reported = with_settings(at_one_time(sections, ["qmgr"], _FIGURES), sections.setting_periods)
    primary, secondary = _files()
    used_pct = pl.col("used_pct")
    is_known = used_pct.is_not_null() & (primary > 0)
    figures = [
        Gauge("mq_log_primary_used_pct", used_pct),
        Gauge(
            "mq_log_total_used_pct",
            pl.when(is_known).then(used_pct * primary / (primary + secondary)),
        ),
        Gauge("mq_log_workload_pct", pl.col("workload_pct")),
        Gauge("mq_log_primary_files_count", pl.when(is_known).then(primary)),
        Gauge("mq_log_secondary_files_count", pl.when(is_known).then(secondary)),
        # a collector writes 0 for what it does not know, and no write takes no time
        Gauge(
            "mq_log_write_latency_us", pl.when(pl.col("latency_us") > 0).then(pl.col("latency_us"))
        ),
        Gauge("mq_log_media_mib", pl.col("media_mib")),
        # mq_prometheus publishes 0 of a circular log
        Gauge(
            "mq_log_media_extent_count",
            pl.when(pl.col("media_extent") > 0).then(pl.col("media_extent")),
        ),
        Gauge(
            "mq_log_file_pages_count",
            pl.when(used_pct.is_not_null()).then(pl.col("log_file_pages")),
        ),
    ]
    return counted_once(interval_rows(reported, qmgr_subject(), figures))


def _files() -> tuple[pl.Expr, pl.Expr]:
    """Return the numbers of primary and secondary files; null where they are not known.

    Both numbers are of one source: of the capture that tells the use, else of the settings.
    """
    captured = pl.col("captured_primary").is_not_null() & pl.col("captured_secondary").is_not_null()
    of_capture = pl.when(captured)
    primary = of_capture.then(pl.col("captured_primary")).otherwise(pl.col("primary_files"))
    secondary = of_capture.then(pl.col("captured_secondary")).otherwise(pl.col("secondary_files"))
    return primary, secondary
