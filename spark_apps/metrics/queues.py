"""Queues with statistics (STATQ): the busiest private one, and gets that found nothing."""

from __future__ import annotations

from functools import partial
from typing import Final

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from mqcap.domain.metric import Metric, SubjectKind
from spark_apps.transforms.intervals import Gauge, Sections, interval_rows, path, seconds, union
from spark_apps.transforms.keys import INTERVAL

QQST: Final = "section_qqst"

_metric: Final = partial(Metric, subject_kind=SubjectKind.queue_manager, reads=(QQST,))

RATE: Final = _metric(
    name="private_queue_messages_per_s",
    label="Busiest private queue",
    unit="count/s",
    description="Messages put a second to the busiest private queue (QQSTPUTS + QQSTPUT1).",
    fields=("QQSTPUTS", "QQSTPUT1"),
    forecast=True,
)
LENGTH: Final = _metric(
    name="private_queue_message_bytes",
    label="Message length of the busiest private queue",
    unit="bytes",
    description="Mean length of what is put to that queue.",
)
EMPTY: Final = _metric(
    name="shared_empty_gets_per_get",
    label="Empty gets per get of shared queues",
    unit="count",
    description="Gets of shared queues that found no message, for each that did (QQSTNMAG of "
    "QQSTGETS).",
    fields=("QQSTNMAG", "QQSTGETS"),
)
METRICS: Final = (RATE, LENGTH, EMPTY)
_KEY: Final = ("sysplex", "qmgr", *INTERVAL)


def intervals(sections: Sections) -> DataFrame:
    """Return a row per metric, queue manager, interval with puts to private or gets of shared."""
    structure = sf.coalesce(sf.trim("qqstcfst"), sf.lit(""))
    queues = sections[QQST].withColumn("is_private", structure == "")
    return union([_busiest(queues.where("is_private")), _empty(queues.where("not is_private"))])


def _busiest(queues: DataFrame) -> DataFrame:
    puts = sf.col("qqstputs") + sf.coalesce(sf.col("qqstput1"), sf.lit(0))
    put_bytes = sf.col("qqstputb") + sf.coalesce(sf.col("qqstpt1b"), sf.lit(0))
    busiest = (
        queues.groupBy(*_KEY)
        .agg(sf.max(sf.struct(puts.alias("puts"), put_bytes.alias("put_bytes"))).alias("queue"))
        .where(sf.col("queue.puts") > 0)
    )
    return interval_rows(
        busiest,
        path("sysplex", "qmgr"),
        [
            Gauge(RATE.name, sf.when(seconds() > 0, sf.col("queue.puts") / seconds())),
            Gauge(LENGTH.name, sf.col("queue.put_bytes") / sf.col("queue.puts")),
        ],
    )


def _empty(queues: DataFrame) -> DataFrame:
    sums = queues.groupBy(*_KEY).agg(
        sf.sum("qqstnmag").alias("empty"), sf.sum("qqstgets").alias("gets")
    )
    share = sf.when(sf.col("gets") > 0, sf.col("empty") / sf.col("gets"))
    return interval_rows(sums, path("sysplex", "qmgr"), [Gauge(EMPTY.name, share)])
