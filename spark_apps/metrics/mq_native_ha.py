"""Native HA: how far replicas are behind."""

from __future__ import annotations

from typing import Final

import polars as pl

from mqcap.domain.distributed.qmgr_figure import QmgrFigure
from mqcap.domain.metric import Metric, SubjectKind
from mqcap.domain.units import MIB_BYTES
from spark_apps.transforms.intervals import Gauge, Sections, interval_rows
from spark_apps.transforms.samples import QMGR_SAMPLE, at_one_time, counted_once, qmgr_subject

BACKLOG: Final = Metric(
    name="mq_nha_backlog_mib",
    label="Native HA backlog",
    unit="MiB",
    subject_kind=SubjectKind.distributed_queue_manager,
    description="Log that is still to be sent to the replica that is furthest behind.",
    reads=(QMGR_SAMPLE,),
)
METRICS: Final = (BACKLOG,)


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return a row per queue manager and time at which any replica was reported."""
    reported = at_one_time(sections, ["qmgr"], {QmgrFigure.nha_backlog_bytes: "backlog"})
    figures = [Gauge(BACKLOG.name, pl.col("backlog") / float(MIB_BYTES))]
    return counted_once(interval_rows(reported, qmgr_subject(), figures))
