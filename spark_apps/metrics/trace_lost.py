"""Accounting and statistics that SMF did not take, as the queue manager's messages tell."""

from __future__ import annotations

from typing import Final

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from domain.metric import Metric, SubjectKind
from ingest.console.messages import TRACE_LOST
from spark_apps.console_storage import CONSOLE_EVENT
from spark_apps.intervals import Counter, Sections, interval_rows, path
from spark_apps.keys import INTERVAL

LOST: Final = Metric(
    name="trace_lost_count",
    unit="count/h",
    subject_kind=SubjectKind.queue_manager,
    description="Messages that trace data was lost (CSQW133E).",
    reads=(CONSOLE_EVENT,),
)
METRICS: Final = (LOST,)


def intervals(sections: Sections) -> DataFrame:
    """One row per hour and queue manager with such a message; other hours are not known to be 0."""
    hour = sf.date_trunc("hour", "event_utc")
    counted = (
        sections[CONSOLE_EVENT]
        .where((sf.col("message_id") == TRACE_LOST) & sf.col("qmgr").isNotNull())
        .groupBy("sysplex", "qmgr", hour.alias(INTERVAL[0]))
        .agg(sf.count("*").alias("messages"))
        .withColumn(INTERVAL[1], sf.col(INTERVAL[0]) + sf.expr("INTERVAL 1 HOUR"))
    )
    figure = Counter(LOST.name, sf.col("messages"), amount_per_unit=1 / 3_600)
    return interval_rows(counted, path("sysplex", "qmgr"), [figure])
