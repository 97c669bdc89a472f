"""Instances of server-connection channels of distributed queue managers, with their limits."""

from __future__ import annotations

from typing import Final

import polars as pl

from mqcap.domain.distributed.qmgr_figure import QmgrFigure
from mqcap.domain.metric import CHANNEL_PART
from spark_apps.transforms.intervals import Gauge, Sections, interval_rows, path
from spark_apps.transforms.samples import at_one_time, counted_once, part

UNLIMITED: Final = 999_999_999
"""Default of MAXINST and MAXINSTC (IBM MQ 9.3, Channel attributes for MQSC keywords)."""
_FIGURES: Final = {
    QmgrFigure.channel_instance_count: "instances",
    QmgrFigure.channel_instance_max_count: "instances_max",
    QmgrFigure.channel_client_instance_count: "of_client",
    QmgrFigure.channel_client_instance_max_count: "of_client_max",
}


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return a row per metric, channel and time at which one was reported."""
    reported = at_one_time(sections, ["qmgr", "object"], _FIGURES)
    figures = [
        *_with_limit("instances", "mq_channel_instance_count", "mq_channel_instance_max_count"),
        *_with_limit(
            "of_client", "mq_channel_client_instance_count", "mq_channel_client_instance_max_count"
        ),
    ]
    subject = path("site", part("qmgr"), pl.lit(CHANNEL_PART), part("object"))
    return counted_once(interval_rows(reported, subject, figures))


def _with_limit(name: str, count: str, limit: str) -> list[Gauge]:
    """Return a count, and its limit where there is one."""
    counted, most = pl.col(name), pl.col(f"{name}_max")
    is_limited = counted.is_not_null() & most.is_between(0, UNLIMITED, closed="none")
    return [
        Gauge(count, counted),
        Gauge(limit, pl.when(is_limited).then(most)),
    ]
