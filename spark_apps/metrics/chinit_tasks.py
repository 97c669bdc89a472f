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


def _metric(
    name: str, label: str, unit: str, description: str, reads: str, *, forecast: bool = False
) -> Metric:
    return Metric(
        name=name,
        label=label,
        unit=unit,
        subject_kind=SubjectKind.channel_initiator,
        description=description,
        reads=(reads,),
        forecast=forecast,
        ceiling=100.0 if unit == "%" else None,
    )


DISPATCHERS: Final = _metric(
    "chinit_dispatchers_count", "Dispatchers", "count", "Dispatcher tasks.", DISPATCHER
)
DISPATCHER_BUSY: Final = _metric(
    "chinit_dispatcher_busy_pct",
    "Busiest dispatcher",
    "%",
    "The busiest dispatcher (QCTELTM of QCTELTM + QCTWTTM).",
    DISPATCHER,
    forecast=True,
)
ADAPTERS: Final = _metric("chinit_adapters_count", "Adapters", "count", "Adapter tasks.", ADAPTER)
ADAPTERS_USED: Final = _metric(
    "chinit_adapters_used_count",
    "Adapters in use",
    "count",
    "Adapters that served a request (QCTREQN).",
    ADAPTER,
    forecast=True,
)
TLS_TASKS: Final = _metric("chinit_ssltasks_count", "TLS tasks", "count", "TLS tasks.", TLS)
TLS_BUSY: Final = _metric(
    "chinit_ssltask_busy_pct",
    "Busiest TLS task",
    "%",
    "The busiest TLS task (QCTELTM of QCTELTM + QCTWTTM).",
    TLS,
    forecast=True,
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
