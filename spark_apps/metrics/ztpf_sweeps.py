"""Sweeps of z/TPF systems on each local date, from messages MQSC0801I."""

from __future__ import annotations

from typing import Final

import polars as pl

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
_DATE: Final = ("site", "system", *INTERVAL)


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return a row per queue, per system and local date with a sweep: the date is the interval.

    Equal lines of a second count as often as one file has them, in however many files they are.
    """
    once = sections[ZTPF_SWEEP].select(*_DATE, "queue", "local_time", "sequence").unique()
    sweeps = pl.len().alias("sweeps")
    of_queue, of_system = (
        once.group_by(*_DATE, "queue").agg(sweeps),
        once.group_by(*_DATE).agg(sweeps),
    )
    count = pl.col("sweeps")
    system = part("system")
    return union(
        [
            interval_rows(
                of_queue, path("site", system, part("queue")), [Gauge(OF_QUEUE.name, count)]
            ),
            interval_rows(of_system, path("site", system), [Gauge(OF_SYSTEM.name, count)]),
        ]
    )
