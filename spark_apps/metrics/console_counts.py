"""Counts from messages of the queue manager: trace data lost, units of work over two logs."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

import polars as pl

from mqcap.ingest.console.messages import LONG_UNIT_OF_WORK, TRACE_LOST
from spark_apps.transforms.console_storage import CONSOLE_EVENT
from spark_apps.transforms.intervals import Counter, Sections, interval_rows, path
from spark_apps.transforms.keys import INTERVAL

MESSAGES: Final = {
    TRACE_LOST: "trace_lost_count",
    LONG_UNIT_OF_WORK: "long_unit_of_work_count",
}
"""By message: the metric that counts it."""


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return a row per hour and queue manager with such a message; other hours are unknown."""
    counted = (
        sections[CONSOLE_EVENT]
        .filter(pl.col("message_id").is_in(list(MESSAGES)) & pl.col("qmgr").is_not_null())
        .group_by("sysplex", "qmgr", pl.col("event_utc").dt.truncate("1h").alias(INTERVAL[0]))
        .agg(*(_count(message).alias(metric) for message, metric in MESSAGES.items()))
        .with_columns((pl.col(INTERVAL[0]) + timedelta(hours=1)).alias(INTERVAL[1]))
    )
    figures = [Counter(name, _known(name), amount_per_unit=1 / 3_600) for name in MESSAGES.values()]
    return interval_rows(counted, path("sysplex", "qmgr"), figures)


def _count(message: str) -> pl.Expr:
    return (pl.col("message_id") == message).sum()


def _known(name: str) -> pl.Expr:
    """Return the count, where the hour has one at all."""
    return pl.when(pl.col(name) > 0).then(pl.col(name))
