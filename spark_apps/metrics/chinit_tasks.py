"""Tasks of the channel initiator: how many there are, and how busy the busiest one is."""

from __future__ import annotations

from typing import Final

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from mqcap.domain.metric import Metric, SubjectKind
from spark_apps.transforms.intervals import Gauge, Sections, interval_rows, path, union
from spark_apps.transforms.keys import INTERVAL

DISPATCHER: Final = "section_qctdsp"
ADAPTER: Final = "section_qctadp"
TLS: Final = "section_qctssl"


def _tasks(name: str, label: str, description: str, reads: str) -> Metric:
    """Return the number of tasks of a kind."""
    return Metric(
        name=name,
        label=label,
        unit="count",
        subject_kind=SubjectKind.channel_initiator,
        description=description,
        reads=(reads,),
    )


DISPATCHERS: Final = _tasks(
    "chinit_dispatchers_count", "Dispatchers", "Dispatcher tasks.", DISPATCHER
)
DISPATCHER_BUSY: Final = Metric(
    name="chinit_dispatcher_busy_pct",
    label="Busiest dispatcher",
    unit="%",
    subject_kind=SubjectKind.channel_initiator,
    description="The busiest dispatcher (QCTELTM of QCTELTM + QCTWTTM).",
    reads=(DISPATCHER,),
    fields=("QCTELTM", "QCTWTTM"),
    forecast=True,
    ceiling=100.0,
)
ADAPTERS: Final = _tasks("chinit_adapters_count", "Adapters", "Adapter tasks.", ADAPTER)
ADAPTERS_USED: Final = Metric(
    name="chinit_adapters_used_count",
    label="Adapters in use",
    unit="count",
    subject_kind=SubjectKind.channel_initiator,
    description="Adapters that served a request (QCTREQN).",
    reads=(ADAPTER,),
    fields=("QCTREQN",),
    forecast=True,
)
TLS_TASKS: Final = _tasks("chinit_ssltasks_count", "TLS tasks", "TLS tasks.", TLS)
TLS_BUSY: Final = Metric(
    name="chinit_ssltask_busy_pct",
    label="Busiest TLS task",
    unit="%",
    subject_kind=SubjectKind.channel_initiator,
    description="The busiest TLS task (QCTELTM of QCTELTM + QCTWTTM).",
    reads=(TLS,),
    fields=("QCTELTM", "QCTWTTM"),
    forecast=True,
    ceiling=100.0,
)
METRICS: Final = (DISPATCHERS, DISPATCHER_BUSY, ADAPTERS, ADAPTERS_USED, TLS_TASKS, TLS_BUSY)


def intervals(sections: Sections) -> DataFrame:
    """Return a row per metric, channel initiator and statistics interval with such tasks."""
    return union(
        [
            _rows(sections[DISPATCHER], DISPATCHERS, busy=DISPATCHER_BUSY),
            _rows(sections[ADAPTER], ADAPTERS, used=ADAPTERS_USED),
            _rows(sections[TLS], TLS_TASKS, busy=TLS_BUSY),
        ]
    )


def _rows(
    tasks: DataFrame, count: Metric, *, busy: Metric | None = None, used: Metric | None = None
) -> DataFrame:
    total = sf.col("qcteltm") + sf.col("qctwttm")
    share = sf.when(total > 0, 100 * sf.col("qcteltm") / total)
    grouped = tasks.groupBy("sysplex", "qmgr", *INTERVAL).agg(
        sf.count("*").alias("tasks"),
        sf.max(share).alias("busiest_pct"),
        sf.sum(sf.when(sf.col("qctreqn") > 0, 1).otherwise(0)).alias("used"),
    )
    figures = [Gauge(count.name, sf.col("tasks"))]
    if busy is not None:
        figures.append(Gauge(busy.name, sf.col("busiest_pct")))
    if used is not None:
        figures.append(Gauge(used.name, sf.col("used")))
    return interval_rows(grouped, path("sysplex", "qmgr", sf.lit("CHINIT")), figures)
