"""Time to archive an active log, from its end to the end of the offload task."""

from __future__ import annotations

from typing import Final

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as sf

from mqcap.domain.datasets import CONSOLE_EVENT
from mqcap.domain.metric import Metric, SubjectKind
from spark_apps.transforms.intervals import MICROSECONDS, Gauge, Sections, interval_rows, path
from spark_apps.transforms.keys import INTERVAL

FULL: Final = "CSQJ002I"
DONE: Final = "CSQJ139I"
_OF_DAY: Final = ("sysplex", "qmgr", "day")

LOG_ARCHIVE: Final = Metric(
    name="log_archive_min",
    label="Archiving one log",
    unit="min",
    subject_kind=SubjectKind.queue_manager,
    description="Minutes from the end of a log (CSQJ002I) to that of its offload (CSQJ139I).",
    reads=(CONSOLE_EVENT.name,),
    fields=(FULL, DONE),
)
METRICS: Final = (LOG_ARCHIVE,)


def intervals(sections: Sections) -> DataFrame:
    """Return one row per offload of a single log.

    An offload that took several logs in one go, which ended since the one before, says nothing of
    one log and is left out; so is one that began on the UTC day before. Both copies of a log end
    with a message of their own: it is one log.
    """
    is_full, is_done = sf.col("message_id") == FULL, sf.col("message_id") == DONE
    log = sf.when(is_full, sf.col("start_rba").cast("string"))
    order = Window.partitionBy(*_OF_DAY).orderBy("at", "message_id")
    before = order.rowsBetween(Window.unboundedPreceding, -1)
    minutes = (sf.unix_micros(INTERVAL[1]) - sf.unix_micros(INTERVAL[0])) / sf.lit(
        60.0 * MICROSECONDS
    )
    archived = (
        sections[CONSOLE_EVENT.name]
        .where((is_full | is_done) & sf.col("qmgr").isNotNull())
        .withColumn("day", sf.to_date("event_utc"))
        .withColumn("log", sf.coalesce(log, sf.col("event_utc").cast("string")))
        .groupBy(*_OF_DAY, "message_id", "log")
        .agg(sf.min("event_utc").alias("at"))
        .withColumn("offload", sf.coalesce(sf.sum(is_done.cast("int")).over(before), sf.lit(0)))
        .groupBy(*_OF_DAY, "offload")
        .agg(
            sf.min(sf.when(is_full, sf.col("at"))).alias(INTERVAL[0]),
            sf.max(sf.when(is_done, sf.col("at"))).alias(INTERVAL[1]),
            sf.count(sf.when(is_full, 1)).alias("logs"),
        )
        .where((sf.col("logs") == 1) & (sf.col(INTERVAL[1]) > sf.col(INTERVAL[0])))
    )
    return interval_rows(archived, path("sysplex", "qmgr"), [Gauge(LOG_ARCHIVE.name, minutes)])
