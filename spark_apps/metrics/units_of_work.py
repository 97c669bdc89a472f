"""The largest units of work, from class 3 accounting."""

from __future__ import annotations

from typing import Final

import polars as pl

from mqcap.domain.metric import Metric, SubjectKind
from spark_apps.transforms.hourly import hour_parts, whole_hours
from spark_apps.transforms.intervals import Gauge, Sections, interval_rows, number, path, total
from spark_apps.transforms.keys import INTERVAL

WTAS: Final = "section_wtas"
WQST: Final = "section_wqst"
MESSAGES: Final = Metric(
    name="uow_messages_count",
    label="Messages of a unit of work",
    unit="count",
    subject_kind=SubjectKind.queue_manager,
    description="Messages put and got for each unit of work of a task (VALIDPUT + VALIDGET of "
    "WTASCMN + WTASBAN), of the task with the most; messages out of syncpoint are among them.",
    reads=(WTAS, WQST),
    fields=("VALIDPUT", "VALIDGET", "WTASCMN", "WTASBAN"),
    forecast=True,
)
METRICS: Final = (MESSAGES,)
_RECORD: Final = ("sysplex", "smfid", "qmgr", *INTERVAL, "record_hash")


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return one row per queue manager and UTC hour in which a task ended a unit of work.

    Queues that a 116.2 holds, for a task that uses more than one record can name, are not counted.
    """
    units = sections[WTAS].select(*_RECORD, (number("wtascmn") + number("wtasban")).alias("units"))
    messages = (
        sections[WQST]
        .group_by(*_RECORD)
        .agg(total(number("validput") + number("validget")).alias("messages"))
    )
    of_task = units.filter(pl.col("units") > 0).join(messages, list(_RECORD))
    largest = of_task.group_by("sysplex", "qmgr", *INTERVAL).agg(
        (pl.col("messages") / pl.col("units")).max().alias("level")
    )
    parts = hour_parts(largest.with_columns(amount=pl.lit(None, pl.Int64)))
    return interval_rows(
        whole_hours(parts, pl.col("level").max().alias("messages")),
        path("sysplex", "qmgr"),
        [Gauge(MESSAGES.name, pl.col("messages"))],
    )
