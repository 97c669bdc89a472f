"""Locks of queues of distributed queue managers, as these or the site report them."""

from __future__ import annotations

from typing import Final

import polars as pl

from mqcap.domain.distributed.qmgr_figure import QmgrFigure
from mqcap.domain.distributed.site_figure import LOCK_WAIT
from mqcap.domain.metric import Metric, SubjectKind
from spark_apps.site_figure_placement import SITE_SAMPLE
from spark_apps.transforms.intervals import Gauge, Sections, interval_rows, union
from spark_apps.transforms.samples import QMGR_SAMPLE, at_one_time, counted_once, qmgr_subject
from spark_apps.transforms.site_samples import site_levels

LOCK_WAITS: Final = Metric(
    name=LOCK_WAIT,
    label="Lock requests that waited",
    unit="%",
    subject_kind=SubjectKind.distributed_queue_manager,
    description="Waits in per cent of the requests of the busiest queue's lock: lock contention as "
    "the queue manager publishes it, or amqldmpa, which the report on LNX-LOCK-10 used.",
    reads=(QMGR_SAMPLE, SITE_SAMPLE),
    forecast=True,
    ceiling=100.0,
)
METRICS: Final = (LOCK_WAITS,)


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return a row per queue manager and time: the highest of its queues.

    The site may send the figure too: a time counts once.
    """
    reported = at_one_time(
        sections, ["qmgr"], {QmgrFigure.queue_lock_contention_pct: "contention_pct"}
    )
    figures = [Gauge(LOCK_WAITS.name, pl.col("contention_pct"))]
    published = interval_rows(reported, qmgr_subject(), figures)
    sent = site_levels(sections).filter(pl.col("metric") == LOCK_WAITS.name)
    return counted_once(union([published, sent]))
