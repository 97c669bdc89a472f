"""Utilisation of the log writer, frequency of checkpoints, and use of zHyperLink."""

from __future__ import annotations

from functools import partial
from typing import Final

import polars as pl

from mqcap.domain.metric import Direction, Metric, SubjectKind
from mqcap.domain.units import SECONDS_PER_HOUR, US_PER_S
from spark_apps.transforms.intervals import (
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

_metric: Final = partial(Metric, subject_kind=SubjectKind.queue_manager, reads=(QJST,))

TASK_BUSY: Final = _metric(
    name="log_task_busy_pct",
    label="Log writer busy",
    unit="%",
    description="Share of the interval in which the log writer task was not idle (QJSTSLPTU is "
    "idle).",
    fields=("QJSTSLPTU",),
    forecast=True,
    ceiling=100.0,
)
CHECKPOINTS: Final = _metric(
    name="log_checkpoints_per_h",
    label="Checkpoints",
    unit="count/h",
    description="Checkpoints per hour (QJSTLLCP).",
    fields=("QJSTLLCP",),
)
LINK_BUSY: Final = _metric(
    name="zhyperlink_busy_pct",
    label="zHyperLink time",
    unit="%",
    description="Time of synchronous log writes as a share of the interval, in microseconds as far "
    "as known; paths are not distinguished.",
    forecast=True,
    ceiling=100.0,
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


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return one row per metric, queue manager and statistics interval.

    A record without the idle time (older than it, or all zero) gives no busy figure; one without
    zHyperLink writes gives none about them. No document gives the unit of their times: more
    than one task could wait for two copies means that it was not microseconds, and is left out.
    """
    length_us = seconds() * US_PER_S
    idle_us = pl.col("qjstslptu")
    tried = _sum("qjsthlsciw", "qjsthlmciw")
    link_us = _sum("qjsthlsciwttot", "qjsthlmciwttot")
    busy = pl.max_horizontal(100 - 100 * idle_us / length_us, 0.0)
    return interval_rows(
        sections[QJST],
        path("sysplex", "qmgr"),
        [
            Gauge(TASK_BUSY.name, pl.when((idle_us > 0) & (length_us > 0)).then(busy)),
            Counter(CHECKPOINTS.name, pl.col("qjstllcp"), 1 / SECONDS_PER_HOUR),
            Gauge(
                LINK_BUSY.name,
                pl.when((tried > 0) & (length_us > 0) & (link_us <= COPIES * length_us)).then(
                    100 * link_us / length_us
                ),
            ),
            Gauge(
                LINK_SYNC.name,
                pl.when(tried > 0).then(100 * _sum("qjsthlscis", "qjsthlmcis") / tried),
            ),
        ],
    )


def _sum(*columns: str) -> pl.Expr:
    return pl.sum_horizontal(*columns).cast(pl.Float64)
