"""Log of distributed queue managers: use, numbers and size of its files, latency of writes."""

from __future__ import annotations

from typing import Final

import polars as pl

from mqcap.domain.distributed.qmgr_figure import QmgrFigure
from mqcap.domain.metric import Metric, SubjectKind
from spark_apps.transforms.intervals import Gauge, Sections, interval_rows
from spark_apps.transforms.samples import (
    QMGR_SAMPLE,
    at_one_time,
    counted_once,
    qmgr_subject,
    with_settings,
)


def _metric(name: str, label: str, unit: str, description: str, *, forecast: bool) -> Metric:
    return Metric(
        name=name,
        label=label,
        unit=unit,
        subject_kind=SubjectKind.distributed_queue_manager,
        description=description,
        reads=(QMGR_SAMPLE,),
        forecast=forecast,
    )


PRIMARY_USED: Final = _metric(
    "mq_log_primary_used_pct",
    "Primary log in use",
    "%",
    "Current primary space in use, in per cent of the primary log files; above 100 secondary files "
    "are in use.",
    forecast=True,
)
TOTAL_USED: Final = _metric(
    "mq_log_total_used_pct",
    "Log in use",
    "%",
    "Current primary space in use in per cent of primary and secondary log files: primary use x P "
    "/ (P + S), with both numbers of the same capture or of qm.ini.",
    forecast=True,
)
WORKLOAD: Final = _metric(
    "mq_log_workload_pct",
    "Primary log for the workload",
    "%",
    "Primary space that the workload needs, in per cent of the primary log files (LOGUTIL).",
    forecast=False,
)
WRITE_LATENCY: Final = _metric(
    "mq_log_write_latency_us",
    "Log write latency",
    "us",
    "Time of one write to the log, as a recent mean.",
    forecast=False,
)
FILE_PAGES: Final = _metric(
    "mq_log_file_pages_count",
    "Pages of a log file",
    "count",
    "LogFilePages of qm.ini, at the times at which the use of the log was reported.",
    forecast=False,
)
MEDIA: Final = _metric(
    "mq_log_media_mib",
    "Log for media recovery",
    "MiB",
    "Log that media recovery needs; of linear logs alone.",
    forecast=False,
)
MEDIA_EXTENT: Final = _metric(
    "mq_log_media_extent_count",
    "Oldest log extent for media recovery",
    "count",
    "Number of the oldest extent that media recovery needs (1199 of S0001199.LOG); it rises when a "
    "media image is recorded. Of linear logs alone.",
    forecast=False,
)
PRIMARY_FILES: Final = _metric(
    "mq_log_primary_files_count",
    "Primary log files",
    "count",
    "Primary log files, at the times at which their use was reported.",
    forecast=False,
)
SECONDARY_FILES: Final = _metric(
    "mq_log_secondary_files_count",
    "Secondary log files",
    "count",
    "Secondary log files, at the times at which the use of the log was reported.",
    forecast=False,
)
METRICS: Final = (
    PRIMARY_USED,
    TOTAL_USED,
    WORKLOAD,
    WRITE_LATENCY,
    MEDIA,
    MEDIA_EXTENT,
    PRIMARY_FILES,
    SECONDARY_FILES,
    FILE_PAGES,
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
        Gauge(PRIMARY_USED.name, used_pct),
        Gauge(TOTAL_USED.name, pl.when(is_known).then(used_pct * primary / (primary + secondary))),
        Gauge(WORKLOAD.name, pl.col("workload_pct")),
        Gauge(PRIMARY_FILES.name, pl.when(is_known).then(primary)),
        Gauge(SECONDARY_FILES.name, pl.when(is_known).then(secondary)),
        # a collector writes 0 for what it does not know, and no write takes no time
        Gauge(WRITE_LATENCY.name, pl.when(pl.col("latency_us") > 0).then(pl.col("latency_us"))),
        Gauge(MEDIA.name, pl.col("media_mib")),
        # mq_prometheus publishes 0 of a circular log
        Gauge(
            MEDIA_EXTENT.name,
            pl.when(pl.col("media_extent") > 0).then(pl.col("media_extent")),
        ),
        Gauge(FILE_PAGES.name, pl.when(used_pct.is_not_null()).then(pl.col("log_file_pages"))),
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
