"""Tasks of the channel initiator: how many there are, and how busy the busiest one is."""

from __future__ import annotations

from typing import Final

import polars as pl

from mqcap.domain.metric import Metric, SubjectKind
from spark_apps.transforms.intervals import (
    Gauge,
    Sections,
    highest_ratio,
    interval_rows,
    path,
    total,
    union,
)
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


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return a row per metric, channel initiator and statistics interval with such tasks."""
    elapsed = pl.col("qcteltm") + pl.col("qctwttm")
    busiest_pct = highest_ratio(100 * pl.col("qcteltm"), elapsed)
    used = total((pl.col("qctreqn") > 0).cast(pl.Int64))
    return union(
        [
            _rows(sections[DISPATCHER], DISPATCHERS, DISPATCHER_BUSY, busiest_pct),
            _rows(sections[ADAPTER], ADAPTERS, ADAPTERS_USED, used),
            _rows(sections[TLS], TLS_TASKS, TLS_BUSY, busiest_pct),
        ]
    )


def _rows(tasks: pl.LazyFrame, count: Metric, metric: Metric, figure: pl.Expr) -> pl.LazyFrame:
    """Return the number of tasks, and a figure of all of them."""
    grouped = tasks.group_by("sysplex", "qmgr", *INTERVAL).agg(
        pl.len().alias("tasks"), figure.alias("figure")
    )
    figures = [Gauge(count.name, pl.col("tasks")), Gauge(metric.name, pl.col("figure"))]
    return interval_rows(grouped, path("sysplex", "qmgr", pl.lit("CHINIT")), figures)
