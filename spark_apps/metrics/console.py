"""Metrics of messages of queue managers."""

from datetime import timedelta
from typing import Final

import polars as pl

from mqcap.domain.units import US_PER_S
from mqcap.ingest.console.messages import LONG_UNIT_OF_WORK, TRACE_LOST
from spark_apps.transforms.intervals import (
    CONSOLE_EVENT,
    MANAGER_SUBJECT,
    Counter,
    Gauge,
    Sections,
    above_0,
    divided,
    interval_rows,
    micros,
    spanning,
)
from spark_apps.transforms.keys import INTERVAL, MANAGER

MESSAGES: Final = {TRACE_LOST: "trace_lost_count", LONG_UNIT_OF_WORK: "long_unit_of_work_count"}
"""By message: the metric that counts it."""


def message_counts(sections: Sections) -> pl.LazyFrame:
    """Return counts of ``MESSAGES`` by hour and queue manager with any; other hours are unknown."""
    counted = (
        sections[CONSOLE_EVENT]
        .filter(pl.col("message_id").is_in(list(MESSAGES)) & pl.col("qmgr").is_not_null())
        .group_by(*MANAGER, pl.col("event_utc").dt.truncate("1h").alias(INTERVAL[0]))
        .agg(
            (pl.col("message_id") == message).sum().alias(metric)
            for message, metric in MESSAGES.items()
        )
        .with_columns((pl.col(INTERVAL[0]) + timedelta(hours=1)).alias(INTERVAL[1]))
    )
    return interval_rows(
        counted,
        MANAGER_SUBJECT,
        *(Counter(name, above_0(name), 1 / 3_600) for name in MESSAGES.values()),
    )


RANGES: Final = {"CSQR031I": "CSQR030I", "CSQR033I": "CSQR032I"}
"""Progress message and the message that announces the range it runs through."""
APART_MAX_S: Final = 600
"""Messages further apart belong to different recoveries (ours; they come every two minutes)."""


def recovery_time(sections: Sections) -> pl.LazyFrame:
    """Return one row per progress message that follows another one of the same range.

    The rate is that between the two RBAs; what is left is the way to the end of the announced
    range.
    """
    is_progress = pl.col("message_id").is_in(list(RANGES))
    events = (
        sections[CONSOLE_EVENT]
        .filter(pl.col("message_id").is_in([*RANGES, *RANGES.values()]))
        .with_columns(range=pl.col("message_id").replace(RANGES))
        .with_columns(announced=_in_range((~is_progress).cast(pl.Int64).cum_sum()))
    )
    own_end = pl.when(~is_progress).then(pl.col("end_rba").cast(pl.Float64)).max()
    target = own_end.over("sysplex", "qmgr", "range", "announced")
    reached = pl.col("start_rba").cast(pl.Float64)
    before, then = _in_range(reached.shift(1)), _in_range(pl.col("event_utc").shift(1))
    was_progress = _in_range(is_progress.shift(1))
    apart_s = divided(micros("event_utc") - then.cast(pl.Int64), US_PER_S)
    rate = (reached - before).abs() / apart_s
    left = events.select(
        *MANAGER,
        *spanning(then, "event_utc"),
        pl.when(is_progress & was_progress & (apart_s > 0) & (apart_s <= APART_MAX_S) & (rate > 0))
        .then((reached - target).abs() / rate)
        .alias("remaining_s"),
    )
    return interval_rows(
        left.filter(pl.col("remaining_s").is_not_null()),
        MANAGER_SUBJECT,
        Gauge("recovery_remaining_s", "remaining_s"),
    )


def _in_range(figure: pl.Expr) -> pl.Expr:
    """Return a figure of neighbouring messages of one range of a queue manager."""
    return figure.over("sysplex", "qmgr", "range", order_by=["event_utc", "text"])
