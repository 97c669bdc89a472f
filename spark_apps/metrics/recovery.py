"""Remaining time of a recovery, from two of its progress messages."""

from __future__ import annotations

from typing import Final

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as sf

from mqcap.domain.metric import Metric, SubjectKind
from spark_apps.transforms.console_storage import CONSOLE_EVENT
from spark_apps.transforms.intervals import MICROSECONDS, Gauge, Sections, interval_rows, path
from spark_apps.transforms.keys import INTERVAL

RANGES: Final = {"CSQR031I": "CSQR030I", "CSQR033I": "CSQR032I"}
"""Progress message and the message that announces the range it runs through."""
APART_MAX_S: Final = 600
"""Messages further apart belong to different recoveries (ours; they come every two minutes)."""

REMAINING: Final = Metric(
    name="recovery_remaining_s",
    label="Recovery time remaining",
    unit="s",
    subject_kind=SubjectKind.queue_manager,
    description="Time that a recovery under way still needs (CSQR031I, CSQR033I).",
    reads=(CONSOLE_EVENT,),
    fields=("CSQR031I", "CSQR033I"),
)
METRICS: Final = (REMAINING,)


def intervals(sections: Sections) -> DataFrame:
    """Return one row per progress message that follows another one of the same range.

    The rate is the difference of the two RBAs by the time between them; what is left is the
    way from the later one to the end of the announced range.
    """
    phase = sf.create_map(*(sf.lit(text) for pair in RANGES.items() for text in pair))
    events = (
        sections[CONSOLE_EVENT]
        .where(sf.col("message_id").isin([*RANGES, *RANGES.values()]))
        .withColumn("range", sf.coalesce(phase[sf.col("message_id")], sf.col("message_id")))
    )
    order = Window.partitionBy("sysplex", "qmgr", "range").orderBy("event_utc", "text")
    is_progress = sf.col("message_id").isin(list(RANGES))
    target = sf.last(sf.when(~is_progress, _place("end_rba")), ignorenulls=True).over(order)
    reached = _place("start_rba")
    before, then = sf.lag(reached).over(order), sf.lag("event_utc").over(order)
    was_progress = sf.lag(is_progress).over(order)
    apart_s = (sf.unix_micros("event_utc") - sf.unix_micros(then)) / sf.lit(MICROSECONDS)
    rate = sf.abs(reached - before) / apart_s
    left = events.select(
        "sysplex",
        "qmgr",
        then.alias(INTERVAL[0]),
        sf.col("event_utc").alias(INTERVAL[1]),
        sf.when(
            is_progress & was_progress & (apart_s > 0) & (apart_s <= APART_MAX_S) & (rate > 0),
            sf.abs(reached - target) / rate,
        ).alias("remaining_s"),
    )
    return interval_rows(
        left.where(sf.col("remaining_s").isNotNull()),
        path("sysplex", "qmgr"),
        [Gauge(REMAINING.name, sf.col("remaining_s"))],
    )


def _place(column: str) -> Column:
    return sf.col(column).cast("double")
