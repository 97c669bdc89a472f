"""Sweeps of z/TPF systems on each local date, from messages MQSC0801I."""

from __future__ import annotations

from typing import Final

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from mqcap.domain.metric import Metric, SubjectKind
from spark_apps.transforms.intervals import Gauge, Sections, interval_rows, path, union
from spark_apps.transforms.keys import INTERVAL
from spark_apps.transforms.samples import part

ZTPF_SWEEP: Final = "ztpf_sweep"
OF_QUEUE: Final = Metric(
    name="tpf_sweep_count",
    label="Sweeps of the day",
    unit="count",
    subject_kind=SubjectKind.ztpf_queue,
    description="Sweeps of the queue on the local date; a date without any has no value.",
    reads=(ZTPF_SWEEP,),
    fields=("MQSC0801I",),
)
OF_SYSTEM: Final = Metric(
    name="tpf_system_sweep_count",
    label="Sweeps of the day, all queues",
    unit="count",
    subject_kind=SubjectKind.ztpf_system,
    description="Sweeps of all queues of the system on the local date.",
    reads=(ZTPF_SWEEP,),
    fields=("MQSC0801I",),
    forecast=True,
)
METRICS: Final = (OF_QUEUE, OF_SYSTEM)
_DATE: Final = ("site", "zone", "system", "local_date")


def intervals(sections: Sections) -> DataFrame:
    """Return a row per queue, per system and local date with a sweep: the date is the interval.

    The same second of a queue counts once, in however many files it is.
    """
    once = sections[ZTPF_SWEEP].select(*_DATE, "queue", "local_time").distinct()
    sweeps = sf.count("*").alias("sweeps")
    of_queue, of_system = (
        once.groupBy(*_DATE, "queue").agg(sweeps),
        once.groupBy(*_DATE).agg(sweeps),
    )
    system = part("system")
    return union(
        [
            _rows(of_queue, OF_QUEUE, path("site", system, part("queue"))),
            _rows(of_system, OF_SYSTEM, path("site", system)),
        ]
    )


def _rows(counted: DataFrame, metric: Metric, subject: Column) -> DataFrame:
    day = sf.to_date("local_date")
    dated = counted.withColumn(INTERVAL[0], _midnight(day)).withColumn(
        INTERVAL[1], _midnight(sf.date_add(day, 1))
    )
    return interval_rows(dated, subject, [Gauge(metric.name, sf.col("sweeps"))])


def _midnight(day: Column) -> Column:
    """Return when a local date begins."""
    return sf.to_utc_timestamp(day.cast("timestamp"), sf.col("zone"))
