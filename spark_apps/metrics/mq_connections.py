"""Connections and active channels of distributed queue managers, with their limit."""

from __future__ import annotations

import polars as pl

from mqcap.domain.distributed.qmgr_figure import ACTIVE_STATES, QmgrFigure
from spark_apps.transforms.intervals import Gauge, Sections, interval_rows, total, union
from spark_apps.transforms.samples import (
    at_one_time,
    counted_once,
    qmgr_subject,
    with_interval,
    with_settings,
)


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return a row per metric, queue manager and time at which one was reported."""
    reported = at_one_time(sections, ["qmgr"], {QmgrFigure.connection_count: "connections"})
    figures = [
        Gauge("mq_connection_count", pl.col("connections")),
        Gauge(
            "mq_max_channels_count",
            pl.when(pl.col("connections").is_not_null()).then(pl.col("max_channels")),
        ),
    ]
    connections = interval_rows(
        with_settings(reported, sections.setting_periods), qmgr_subject(), figures
    )
    return counted_once(union([connections, _channels(sections)]))


def _channels(sections: Sections) -> pl.LazyFrame:
    """Return the number of active instances, and its limit, when any channel was reported.

    The instances of one file are counted; where several files tell of one time, the highest number
    counts: the names of connections in them may differ for the same instance.
    """
    key = ["file_sha256", "qmgr"]
    reported = at_one_time(sections, [*key, "object"], {QmgrFigure.channel_status: "status"})
    is_active = pl.col("status").is_in([float(state) for state in sorted(ACTIVE_STATES)])
    counted = reported.group_by("site", *key, "reported_utc").agg(
        total(is_active.cast(pl.Int64)).alias("active"), pl.col("step_seconds").max()
    )
    figures = [
        Gauge("mq_active_channel_count", pl.col("active")),
        Gauge("mq_max_active_channels_count", pl.col("max_active_channels")),
    ]
    known = with_settings(counted, sections.setting_periods)
    return interval_rows(with_interval(known), qmgr_subject(), figures)
