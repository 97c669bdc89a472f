"""Instances of server-connection channels of distributed queue managers, with their limits."""

from __future__ import annotations

from typing import Final

import polars as pl

from mqcap.domain.distributed.qmgr_figure import QmgrFigure
from mqcap.domain.metric import CHANNEL_PART, Metric, SubjectKind
from spark_apps.transforms.intervals import Gauge, Sections, interval_rows, path
from spark_apps.transforms.samples import QMGR_SAMPLE, at_one_time, counted_once, part

UNLIMITED: Final = 999_999_999
"""Default of MAXINST and MAXINSTC (IBM MQ 9.3, Channel attributes for MQSC keywords)."""


def _metric(name: str, label: str, description: str, *, forecast: bool) -> Metric:
    return Metric(
        name=name,
        label=label,
        unit="count",
        subject_kind=SubjectKind.distributed_channel,
        description=description,
        reads=(QMGR_SAMPLE,),
        forecast=forecast,
    )


INSTANCES: Final = _metric(
    "mq_channel_instance_count",
    "Channel instances",
    "Instances of the server-connection channel: in DISPLAY CHSTATUS those that are active, of "
    "mq_prometheus all that it found (channel_cur_inst).",
    forecast=True,
)
INSTANCES_MAX: Final = _metric(
    "mq_channel_instance_max_count",
    "MAXINST",
    "MAXINST of the channel, at the times at which its instances were reported; none where it is "
    "999,999,999, which is no limit, or 0.",
    forecast=False,
)
OF_CLIENT: Final = _metric(
    "mq_channel_client_instance_count",
    "Channel instances of one client",
    "Active instances of the server-connection channel from the address that has most of them.",
    forecast=True,
)
OF_CLIENT_MAX: Final = _metric(
    "mq_channel_client_instance_max_count",
    "MAXINSTC",
    "MAXINSTC of the channel, at the times at which its instances were reported; none where it is "
    "999,999,999, which is no limit, or 0.",
    forecast=False,
)
METRICS: Final = (INSTANCES, INSTANCES_MAX, OF_CLIENT, OF_CLIENT_MAX)
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
        *_with_limit("instances", INSTANCES, INSTANCES_MAX),
        *_with_limit("of_client", OF_CLIENT, OF_CLIENT_MAX),
    ]
    subject = path("site", part("qmgr"), pl.lit(CHANNEL_PART), part("object"))
    return counted_once(interval_rows(reported, subject, figures))


def _with_limit(name: str, count: Metric, limit: Metric) -> list[Gauge]:
    """Return a count, and its limit where there is one."""
    counted, most = pl.col(name), pl.col(f"{name}_max")
    is_limited = counted.is_not_null() & most.is_between(0, UNLIMITED, closed="none")
    return [
        Gauge(count.name, counted),
        Gauge(limit.name, pl.when(is_limited).then(most)),
    ]
