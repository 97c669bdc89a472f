"""Locks of queues of distributed queue managers, as these or the site report them."""

from __future__ import annotations

import polars as pl

from mqcap.domain.distributed.qmgr_figure import QmgrFigure
from spark_apps.transforms.intervals import Gauge, Sections, interval_rows, union
from spark_apps.transforms.samples import at_one_time, counted_once, qmgr_subject
from spark_apps.transforms.site_samples import site_levels


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return a row per queue manager and time: the highest of its queues.

    The site may send the figure too: a time counts once.
    """
    reported = at_one_time(
        sections, ["qmgr"], {QmgrFigure.queue_lock_contention_pct: "contention_pct"}
    )
    figures = [Gauge("mq_lock_wait_pct", pl.col("contention_pct"))]
    published = interval_rows(reported, qmgr_subject(), figures)
    sent = site_levels(sections).filter(pl.col("metric") == "mq_lock_wait_pct")
    return counted_once(union([published, sent]))
