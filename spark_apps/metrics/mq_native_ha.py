"""Native HA: how far replicas are behind, and how many are not in sync."""

from __future__ import annotations

import polars as pl

from mqcap.domain.distributed.qmgr_figure import QmgrFigure
from mqcap.domain.units import MIB_BYTES
from spark_apps.transforms.intervals import Gauge, Sections, interval_rows, total, union
from spark_apps.transforms.samples import (
    at_one_time,
    counted_once,
    qmgr_subject,
    with_interval,
)


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return a row per metric, queue manager and time at which any replica was reported."""
    reported = at_one_time(sections, ["qmgr"], {QmgrFigure.nha_backlog_bytes: "backlog"})
    figures = [Gauge("mq_nha_backlog_mib", pl.col("backlog") / float(MIB_BYTES))]
    backlog = interval_rows(reported, qmgr_subject(), figures)
    return counted_once(union([backlog, _out_of_sync(sections)]))


def _out_of_sync(sections: Sections) -> pl.LazyFrame:
    """Return the number of replicas out of sync at each time at which any was reported."""
    key = ["qmgr", "object"]
    reported = at_one_time(sections, key, {QmgrFigure.nha_in_sync_count: "in_sync"})
    counted = reported.group_by("site", "qmgr", "reported_utc").agg(
        total((pl.col("in_sync") < 1).cast(pl.Int64)).alias("out"), pl.col("step_seconds").max()
    )
    figures = [Gauge("mq_nha_out_of_sync_count", pl.col("out"))]
    return interval_rows(with_interval(counted), qmgr_subject(), figures)
