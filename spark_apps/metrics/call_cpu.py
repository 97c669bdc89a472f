"""CPU of MQ calls, from class 3 accounting."""

from __future__ import annotations

from functools import reduce
from operator import add
from typing import Final

import polars as pl

from mqcap.domain.units import US_PER_S
from spark_apps.transforms.hourly import hour_parts, whole_hours
from spark_apps.transforms.intervals import Counter, Sections, interval_rows, path, total, whole
from spark_apps.transforms.keys import INTERVAL

WTAS: Final = "section_wtas"
WQST: Final = "section_wqst"
CALL_CPU: Final = "call_cpu_pct"
OF_TASK: Final = ("wtasotct", "wtascmct", "wtasbact", "wtasprct")
"""Fields of WTAS with the CPU of calls, microseconds."""
OF_QUEUE: Final = ("openct", "closect", "getct", "putct", "put1ct", "inqct", "setct", "cbct")
"""Fields of WQST with the CPU of the calls to a queue, microseconds."""
_PER_CENT: Final = 100


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return one row per queue manager and UTC hour in which a task was accounted."""
    key = ["sysplex", "qmgr", *INTERVAL]
    of_tasks = (
        sections[WTAS]
        .group_by(*key)
        .agg(total(_sum(OF_TASK)).alias("of_tasks"), total("wtaswqct").alias("named_queues"))
    )
    of_queues = sections[WQST].group_by(*key).agg(total(_sum(OF_QUEUE)).alias("of_queues"))
    without_queues = pl.when(pl.col("named_queues") == 0).then(0)
    by_interval = of_tasks.join(of_queues, key, "left").select(
        *key, amount=pl.col("of_tasks") + pl.coalesce("of_queues", without_queues)
    )
    return interval_rows(
        whole_hours(hour_parts(by_interval), total("amount").alias("cpu_us")),
        path("sysplex", "qmgr"),
        [Counter(CALL_CPU, pl.col("cpu_us"), US_PER_S / _PER_CENT)],
    )


def _sum(columns: tuple[str, ...]) -> pl.Expr:
    """Return the sum of times, whole microseconds."""
    return whole(reduce(add, map(pl.col, columns)))
