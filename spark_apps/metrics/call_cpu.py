"""CPU of MQ calls, from class 3 accounting."""

from __future__ import annotations

from functools import reduce
from operator import add
from typing import Final

import polars as pl

from mqcap.domain.metric import Metric, SubjectKind
from mqcap.domain.units import US_PER_S
from spark_apps.transforms.hourly import hour_parts, whole_hours
from spark_apps.transforms.intervals import (
    Counter,
    Sections,
    interval_rows,
    path,
    total,
    union,
    whole,
)
from spark_apps.transforms.keys import INTERVAL

WTAS: Final = "section_wtas"
WQST: Final = "section_wqst"
CALL_CPU: Final = Metric(
    name="call_cpu_pct",
    label="CPU of MQ calls",
    unit="%",
    subject_kind=SubjectKind.queue_manager,
    description="CPU of the calls of all tasks with class 3 accounting, of one processor.",
    reads=(WTAS, WQST),
    fields=("WTASOTCT", "WTASCMCT", "WTASBACT", "GETCT", "PUTCT", "PUT1CT"),
)
METRICS: Final = (CALL_CPU,)
OF_TASK: Final = ("wtasotct", "wtascmct", "wtasbact", "wtasprct")
"""Fields of WTAS with the CPU of calls, microseconds."""
OF_QUEUE: Final = ("openct", "closect", "getct", "putct", "put1ct", "inqct", "setct", "cbct")
"""Fields of WQST with the CPU of the calls to a queue, microseconds."""
_PER_CENT: Final = 100


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return one row per queue manager and UTC hour in which a task was accounted."""
    key = ["sysplex", "qmgr", *INTERVAL]
    of_tasks = sections[WTAS].select(*key, _sum(OF_TASK).alias("amount"))
    of_queues = sections[WQST].select(*key, _sum(OF_QUEUE).alias("amount"))
    calls = union([of_tasks, of_queues])
    by_interval = calls.group_by(*key).agg(total("amount"))
    return interval_rows(
        whole_hours(hour_parts(by_interval), total("amount").alias("cpu_us")),
        path("sysplex", "qmgr"),
        [Counter(CALL_CPU.name, pl.col("cpu_us"), US_PER_S / _PER_CENT)],
    )


def _sum(columns: tuple[str, ...]) -> pl.Expr:
    """Return the sum of times, whole microseconds."""
    numbers = (pl.col(column).fill_null(0.0) for column in columns)
    return whole(reduce(add, numbers))
