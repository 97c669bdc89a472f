"""Channels in use at their highest in the interval, with the configured limits."""

from __future__ import annotations

from functools import partial
from typing import Final

import polars as pl

from mqcap.domain.metric import Metric, SubjectKind
from spark_apps.transforms.intervals import Gauge, Sections, interval_rows, path

QCCT: Final = "section_qcct"

_metric: Final = partial(
    Metric, unit="count", subject_kind=SubjectKind.channel_initiator, reads=(QCCT,)
)

CURRENT: Final = _metric(
    name="channels_current_count",
    label="Current channels",
    description="Highest number of current channels (QCCTNOCC).",
    fields=("QCCTNOCC",),
    forecast=True,
)
CURRENT_LIMIT: Final = _metric(
    name="channels_current_limit_count",
    label="Current channels limit (MAXCHL)",
    description="MAXCHL, as the records carry it (QCCTMXCC).",
    fields=("QCCTMXCC",),
)
ACTIVE: Final = _metric(
    name="channels_active_count",
    label="Active channels",
    description="Highest number of active channels (QCCTNOAC).",
    fields=("QCCTNOAC",),
)
ACTIVE_LIMIT: Final = _metric(
    name="channels_active_limit_count",
    label="Active channels limit (ACTCHL)",
    description="ACTCHL, as the records carry it (QCCTMXAC).",
    fields=("QCCTMXAC",),
)
METRICS: Final = (CURRENT, CURRENT_LIMIT, ACTIVE, ACTIVE_LIMIT)


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return one row per metric, channel initiator and statistics interval."""
    return interval_rows(
        sections[QCCT],
        path("sysplex", "qmgr", pl.lit("CHINIT")),
        [
            Gauge(CURRENT.name, pl.col("qcctnocc")),
            Gauge(CURRENT_LIMIT.name, pl.col("qcctmxcc")),
            Gauge(ACTIVE.name, pl.col("qcctnoac")),
            Gauge(ACTIVE_LIMIT.name, pl.col("qcctmxac")),
        ],
    )
