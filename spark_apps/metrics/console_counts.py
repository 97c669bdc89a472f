"""Counts from messages of the queue manager: trace data lost, units of work over two logs."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Final

import polars as pl

from mqcap.domain.metric import Metric, SubjectKind
from mqcap.ingest.console.messages import LONG_UNIT_OF_WORK, TRACE_LOST
from spark_apps.transforms.console_storage import CONSOLE_EVENT
from spark_apps.transforms.intervals import Counter, Sections, interval_rows, path
from spark_apps.transforms.keys import INTERVAL

_metric: Final = partial(
    Metric, unit="count/h", subject_kind=SubjectKind.queue_manager, reads=(CONSOLE_EVENT,)
)

MESSAGES: Final = {
    TRACE_LOST: _metric(
        name="trace_lost_count",
        label="Lost trace messages",
        description="Messages that trace data was lost (CSQW133E).",
        fields=("CSQW133E",),
    ),
    LONG_UNIT_OF_WORK: _metric(
        name="long_unit_of_work_count",
        label="Long units of work",
        description="Messages about a unit of work over more than two active logs (CSQJ160I).",
        fields=("CSQJ160I",),
    ),
}
"""By message: what counts it."""
METRICS: Final = tuple(MESSAGES.values())


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return a row per hour and queue manager with such a message; other hours are unknown."""
    counted = (
        sections[CONSOLE_EVENT]
        .filter(pl.col("message_id").is_in(list(MESSAGES)) & pl.col("qmgr").is_not_null())
        .group_by("sysplex", "qmgr", pl.col("event_utc").dt.truncate("1h").alias(INTERVAL[0]))
        .agg(*(_count(message).alias(metric.name) for message, metric in MESSAGES.items()))
        .with_columns((pl.col(INTERVAL[0]) + timedelta(hours=1)).alias(INTERVAL[1]))
    )
    figures = [
        Counter(metric.name, _known(metric.name), amount_per_unit=1 / 3_600) for metric in METRICS
    ]
    return interval_rows(counted, path("sysplex", "qmgr"), figures)


def _count(message: str) -> pl.Expr:
    return (pl.col("message_id") == message).sum()


def _known(name: str) -> pl.Expr:
    """Return the count, where the hour has one at all."""
    return pl.when(pl.col(name) > 0).then(pl.col(name))
