"""Utilisation of the log writer, frequency of checkpoints, and use of zHyperLink."""

from __future__ import annotations

from typing import Final

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from mqcap.domain.metric import Direction, Metric, SubjectKind
from mqcap.domain.units import SECONDS_PER_HOUR
from spark_apps.transforms.intervals import (
    MICROSECONDS,
    Counter,
    Gauge,
    Sections,
    interval_rows,
    path,
    seconds,
)

QJST: Final = "section_qjst"
COPIES: Final = 2
"""Most log copies that the log writer task writes at once."""


def _metric(
    name: str,
    label: str,
    unit: str,
    description: str,
    *,
    forecast: bool = False,
    fields: tuple[str, ...] = (),
) -> Metric:
    return Metric(
        name=name,
        label=label,
        unit=unit,
        subject_kind=SubjectKind.queue_manager,
        description=description,
        reads=(QJST,),
        fields=fields,
        forecast=forecast,
        ceiling=100.0 if unit == "%" else None,
    )


TASK_BUSY: Final = _metric(
    "log_task_busy_pct",
    "Log writer busy",
    "%",
    "Share of the interval in which the log writer task was not idle (QJSTSLPTU is idle).",
    forecast=True,
    fields=("QJSTSLPTU",),
)
CHECKPOINTS: Final = _metric(
    "log_checkpoints_per_h",
    "Checkpoints",
    "count/h",
    "Checkpoints per hour (QJSTLLCP).",
    fields=("QJSTLLCP",),
)
LINK_BUSY: Final = _metric(
    "zhyperlink_busy_pct",
    "zHyperLink time",
    "%",
    "Time of synchronous log writes as a share of the interval, in microseconds as far as known; "
    "paths are not distinguished.",
    forecast=True,
)
LINK_SYNC: Final = Metric(
    name="zhyperlink_sync_pct",
    label="zHyperLink synchronous",
    unit="%",
    subject_kind=SubjectKind.queue_manager,
    description="zHyperLink log writes that stayed synchronous.",
    reads=(QJST,),
    ceiling=100.0,
    direction=Direction.downward,
)
METRICS: Final = (TASK_BUSY, CHECKPOINTS, LINK_BUSY, LINK_SYNC)


def intervals(sections: Sections) -> DataFrame:
    """Return one row per metric, queue manager and statistics interval.

    A record without the idle time (older than it, or all zero) gives no busy figure; one without
    zHyperLink writes gives none about them. No document gives the unit of their times: more
    than one task could wait for two copies means that it was not microseconds, and is left out.
    """
    length_us = seconds() * sf.lit(MICROSECONDS)
    idle_us = sf.col("qjstslptu")
    tried = _sum("qjsthlsciw", "qjsthlmciw")
    link_us = _sum("qjsthlsciwttot", "qjsthlmciwttot")
    busy = sf.greatest(100 - 100 * idle_us / length_us, sf.lit(0.0))
    return interval_rows(
        sections[QJST],
        path("sysplex", "qmgr"),
        [
            Gauge(TASK_BUSY.name, sf.when((idle_us > 0) & (length_us > 0), busy)),
            Counter(CHECKPOINTS.name, sf.col("qjstllcp"), 1 / SECONDS_PER_HOUR),
            Gauge(
                LINK_BUSY.name,
                sf.when(
                    (tried > 0) & (length_us > 0) & (link_us <= COPIES * length_us),
                    100 * link_us / length_us,
                ),
            ),
            Gauge(
                LINK_SYNC.name,
                sf.when(tried > 0, 100 * _sum("qjsthlscis", "qjsthlmcis") / tried),
            ),
        ],
    )


def _sum(*columns: str) -> Column:
    total = sf.lit(0)
    for column in columns:
        total = total + sf.coalesce(sf.col(column), sf.lit(0))
    return total.cast("double")
