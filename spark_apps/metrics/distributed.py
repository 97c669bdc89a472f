"""Metrics of distributed queue managers: amounts, channels, connections, locks, logs, queues."""

from typing import Final

import polars as pl

from mqcap.domain.distributed.qmgr_figure import ACTIVE_STATES, QmgrFigure
from mqcap.domain.metric import CHANNEL_PART
from mqcap.domain.units import MIB_BYTES
from spark_apps.transforms.intervals import (
    Gauge,
    Sections,
    above_0,
    interval_rows,
    path,
    total,
    union,
)
from spark_apps.transforms.samples import (
    amounts,
    at_one_time,
    counted_once,
    part,
    qmgr_subject,
    rows_once,
    site_levels,
    with_interval,
    with_settings,
)

PUTS: Final = "mq_put_per_s"
PUT_MIB: Final = "mq_put_mib_per_s"
_DAYS_PER_SECOND: Final = 1 / 86_400
_COUNTED: Final = (
    (QmgrFigure.log_written_bytes, "mq_log_written_mib_per_s", float(MIB_BYTES)),
    (QmgrFigure.put_count, PUTS, 1.0),
    (QmgrFigure.put_bytes, PUT_MIB, float(MIB_BYTES)),
    (QmgrFigure.log_extents_grown_count, "mq_log_extents_grown_per_day", _DAYS_PER_SECOND),
    (
        QmgrFigure.log_extents_unreclaimed_count,
        "mq_log_extents_unreclaimed_per_day",
        _DAYS_PER_SECOND,
    ),
)


def amounts_per_second(sections: Sections) -> pl.LazyFrame:
    """Return a row per metric, queue manager and time in which it counted."""
    return union(
        *(amounts(sections, figure, metric, per_unit) for figure, metric, per_unit in _COUNTED)
    )


UNLIMITED: Final = 999_999_999
"""Default of MAXINST and MAXINSTC (IBM MQ 9.3, Channel attributes for MQSC keywords)."""
_FIGURES: Final = {
    QmgrFigure.channel_instance_count: "instances",
    QmgrFigure.channel_instance_max_count: "instances_max",
    QmgrFigure.channel_client_instance_count: "of_client",
    QmgrFigure.channel_client_instance_max_count: "of_client_max",
}


def channel_instances(sections: Sections) -> pl.LazyFrame:
    """Return a row per metric, channel and time at which one was reported."""
    reported = at_one_time(sections, ["qmgr", "object"], _FIGURES)
    subject = path("site", part("qmgr"), pl.lit(CHANNEL_PART), part("object"))
    return rows_once(
        reported,
        subject,
        *_with_limit("instances", "mq_channel_instance_count", "mq_channel_instance_max_count"),
        *_with_limit(
            "of_client", "mq_channel_client_instance_count", "mq_channel_client_instance_max_count"
        ),
    )


def _with_limit(name: str, count: str, limit: str) -> list[Gauge]:
    """Return a count, and its limit where there is one."""
    counted, most = pl.col(name), pl.col(f"{name}_max")
    is_limited = counted.is_not_null() & most.is_between(0, UNLIMITED, closed="none")
    return [Gauge(count, counted), Gauge(limit, pl.when(is_limited).then(most))]


def connections(sections: Sections) -> pl.LazyFrame:
    """Return a row per metric, queue manager and time at which one was reported."""
    reported = at_one_time(sections, ["qmgr"], {QmgrFigure.connection_count: "connections"})
    connections = interval_rows(
        with_settings(reported, sections.setting_periods),
        qmgr_subject(),
        Gauge("mq_connection_count", "connections"),
        Gauge(
            "mq_max_channels_count",
            pl.when(pl.col("connections").is_not_null()).then(pl.col("max_channels")),
        ),
    )
    return counted_once(union(connections, _channels(sections)))


def _channels(sections: Sections) -> pl.LazyFrame:
    """Return the number of active instances of the file with most, and its limit, by time."""
    key = ["file_sha256", "qmgr"]
    reported = at_one_time(sections, [*key, "object"], {QmgrFigure.channel_status: "status"})
    is_active = pl.col("status").is_in([float(state) for state in sorted(ACTIVE_STATES)])
    counted = reported.group_by("site", *key, "reported_utc").agg(
        total(is_active.cast(pl.Int64)).alias("active"), pl.col("step_seconds").max()
    )
    known = with_settings(counted, sections.setting_periods)
    return interval_rows(
        with_interval(known),
        qmgr_subject(),
        Gauge("mq_active_channel_count", "active"),
        Gauge("mq_max_active_channels_count", "max_active_channels"),
    )


def queue_locks(sections: Sections) -> pl.LazyFrame:
    """Return a row per queue manager and time: the highest of its queues, or what a site sends."""
    reported = at_one_time(
        sections, ["qmgr"], {QmgrFigure.queue_lock_contention_pct: "contention_pct"}
    )
    published = interval_rows(reported, qmgr_subject(), Gauge("mq_lock_wait_pct", "contention_pct"))
    sent = site_levels(sections).filter(pl.col("metric") == "mq_lock_wait_pct")
    return counted_once(union(published, sent))


_LOG_FIGURES: Final = {
    QmgrFigure.log_primary_used_pct: "used_pct",
    QmgrFigure.log_workload_pct: "workload_pct",
    QmgrFigure.log_primary_files_count: "captured_primary",
    QmgrFigure.log_secondary_files_count: "captured_secondary",
    QmgrFigure.log_write_latency_us: "latency_us",
    QmgrFigure.log_media_mib: "media_mib",
    QmgrFigure.log_media_extent_count: "media_extent",
}


def log_use(sections: Sections) -> pl.LazyFrame:
    """Return a row per metric, queue manager and time at which one was reported."""
    reported = with_settings(
        at_one_time(sections, ["qmgr"], _LOG_FIGURES), sections.setting_periods
    )
    primary, secondary = _files()
    used_pct = pl.col("used_pct")
    is_known = used_pct.is_not_null() & (primary > 0)
    return rows_once(
        reported,
        qmgr_subject(),
        Gauge("mq_log_primary_used_pct", used_pct),
        Gauge(
            "mq_log_total_used_pct",
            pl.when(is_known).then(used_pct * primary / (primary + secondary)),
        ),
        Gauge("mq_log_workload_pct", "workload_pct"),
        Gauge("mq_log_primary_files_count", pl.when(is_known).then(primary)),
        Gauge("mq_log_secondary_files_count", pl.when(is_known).then(secondary)),
        # a collector writes 0 for what it does not know, and no write takes no time
        Gauge("mq_log_write_latency_us", above_0("latency_us")),
        Gauge("mq_log_media_mib", "media_mib"),
        # mq_prometheus publishes 0 of a circular log
        Gauge("mq_log_media_extent_count", above_0("media_extent")),
        Gauge(
            "mq_log_file_pages_count",
            pl.when(used_pct.is_not_null()).then(pl.col("log_file_pages")),
        ),
    )


def _files() -> tuple[pl.Expr, pl.Expr]:
    """Return the numbers of primary and secondary files, both of the capture or of the settings."""
    captured = pl.col("captured_primary").is_not_null() & pl.col("captured_secondary").is_not_null()
    of_capture = pl.when(captured)
    primary = of_capture.then(pl.col("captured_primary")).otherwise(pl.col("primary_files"))
    secondary = of_capture.then(pl.col("captured_secondary")).otherwise(pl.col("secondary_files"))
    return primary, secondary


def native_ha(sections: Sections) -> pl.LazyFrame:
    """Return a row per metric, queue manager and time at which any replica was reported."""
    reported = at_one_time(sections, ["qmgr"], {QmgrFigure.nha_backlog_bytes: "backlog"})
    backlog = interval_rows(
        reported, qmgr_subject(), Gauge("mq_nha_backlog_mib", pl.col("backlog") / float(MIB_BYTES))
    )
    return counted_once(union(backlog, _out_of_sync(sections)))


def _out_of_sync(sections: Sections) -> pl.LazyFrame:
    """Return the number of replicas out of sync at each time at which any was reported."""
    key = ["qmgr", "object"]
    reported = at_one_time(sections, key, {QmgrFigure.nha_in_sync_count: "in_sync"})
    counted = reported.group_by("site", "qmgr", "reported_utc").agg(
        total((pl.col("in_sync") < 1).cast(pl.Int64)).alias("out"), pl.col("step_seconds").max()
    )
    return interval_rows(
        with_interval(counted), qmgr_subject(), Gauge("mq_nha_out_of_sync_count", "out")
    )


QUEUE_PUTS: Final = "mq_queue_put_per_s"
QUEUE_PUT_MIB: Final = "mq_queue_put_mib_per_s"
_QUEUE_FIGURES: Final = {
    QmgrFigure.queue_depth_count: "depth",
    QmgrFigure.queue_depth_max_count: "depth_max",
    QmgrFigure.queue_file_mib: "file_mib",
    QmgrFigure.queue_file_max_mib: "file_max_mib",
}


def queues(sections: Sections) -> pl.LazyFrame:
    """Return a row per metric, queue and time at which one was reported."""
    reported = at_one_time(sections, ["qmgr", "object"], _QUEUE_FIGURES)
    depth, depth_max = pl.col("depth"), pl.col("depth_max")
    file_mib, file_max_mib = pl.col("file_mib"), pl.col("file_max_mib")
    has_depth = depth.is_not_null() & (depth_max > 0)
    has_file = file_mib.is_not_null() & (file_max_mib > 0)
    subject = path("site", part("qmgr"), part("object"))
    gauges = rows_once(
        reported,
        subject,
        Gauge("mq_queue_depth_count", depth),
        Gauge("mq_queue_depth_used_pct", pl.when(has_depth).then(100 * depth / depth_max)),
        Gauge("mq_queue_file_mib", file_mib),
        Gauge("mq_queue_depth_max_count", pl.when(has_depth).then(depth_max)),
        Gauge("mq_queue_file_max_mib", pl.when(has_file).then(file_max_mib)),
        Gauge("mq_queue_file_used_pct", pl.when(has_file).then(100 * file_mib / file_max_mib)),
    )
    puts = amounts(sections, QmgrFigure.queue_put_count, QUEUE_PUTS, 1.0, subject)
    put_mib = amounts(
        sections, QmgrFigure.queue_put_bytes, QUEUE_PUT_MIB, float(MIB_BYTES), subject
    )
    return union(gauges, puts, put_mib)
