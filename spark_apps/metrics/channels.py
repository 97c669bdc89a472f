"""Channels in use at their highest in the interval, with the configured limits."""

from __future__ import annotations

from typing import Final

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from mqcap.domain.metric import Metric, SubjectKind
from spark_apps.transforms.intervals import Gauge, Sections, interval_rows, path

QCCT: Final = "section_qcct"


def _metric(
    name: str, label: str, description: str, *, forecast: bool = False, fields: tuple[str, ...] = ()
) -> Metric:
    return Metric(
        name=name,
        label=label,
        unit="count",
        subject_kind=SubjectKind.channel_initiator,
        description=description,
        reads=(QCCT,),
        fields=fields,
        forecast=forecast,
    )


CURRENT: Final = _metric(
    "channels_current_count",
    "Current channels",
    "Highest number of current channels (QCCTNOCC).",
    forecast=True,
    fields=("QCCTNOCC",),
)
CURRENT_LIMIT: Final = _metric(
    "channels_current_limit_count",
    "Current channels limit (MAXCHL)",
    "MAXCHL, as the records carry it (QCCTMXCC).",
    fields=("QCCTMXCC",),
)
ACTIVE: Final = _metric(
    "channels_active_count",
    "Active channels",
    "Highest number of active channels (QCCTNOAC).",
    fields=("QCCTNOAC",),
)
ACTIVE_LIMIT: Final = _metric(
    "channels_active_limit_count",
    "Active channels limit (ACTCHL)",
    "ACTCHL, as the records carry it (QCCTMXAC).",
    fields=("QCCTMXAC",),
)
METRICS: Final = (CURRENT, CURRENT_LIMIT, ACTIVE, ACTIVE_LIMIT)


def intervals(sections: Sections) -> DataFrame:
    """Return one row per metric, channel initiator and statistics interval."""
    return interval_rows(
        sections[QCCT],
        path("sysplex", "qmgr", sf.lit("CHINIT")),
        [
            Gauge(CURRENT.name, sf.col("qcctnocc")),
            Gauge(CURRENT_LIMIT.name, sf.col("qcctmxcc")),
            Gauge(ACTIVE.name, sf.col("qcctnoac")),
            Gauge(ACTIVE_LIMIT.name, sf.col("qcctmxac")),
        ],
    )
