"""64-bit storage of the channel initiator: used, still available, and the share of its limit."""

from __future__ import annotations

from typing import Final

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from domain.metric import Direction, Metric, SubjectKind
from spark_apps.console_storage import CONSOLE_EVENT, storage_intervals
from spark_apps.intervals import Gauge, Sections, interval_rows, path
from spark_apps.preference import preferring

QCCT: Final = "section_qcct"
NO_LIMIT_MIB: Final = 17_592_186_040_320
"""QCCTSLIM of a channel initiator with MEMLIMIT=NOLIMIT (smf-records.md section 4)."""

USED: Final = Metric(
    name="chinit_64bit_used_mib",
    unit="MiB",
    subject_kind=SubjectKind.channel_initiator,
    description="64-bit storage in use (QCCTSTAB, before level 9.3.5 CSQX004I).",
    reads=(QCCT, CONSOLE_EVENT),
)
AVAILABLE: Final = Metric(
    name="chinit_64bit_available_mib",
    unit="MiB",
    subject_kind=SubjectKind.channel_initiator,
    description="64-bit storage left under the memory limit; none told when there is no limit.",
    reads=(QCCT, CONSOLE_EVENT),
    direction=Direction.downward,
)
USED_PCT: Final = Metric(
    name="chinit_64bit_used_pct",
    unit="%",
    subject_kind=SubjectKind.channel_initiator,
    description="64-bit storage in use of its limit (QCCTSLIM); none told without a limit.",
    reads=(QCCT, CONSOLE_EVENT),
    forecast=True,
    ceiling=100.0,
)
METRICS: Final = (USED, AVAILABLE, USED_PCT)


def intervals(sections: Sections) -> DataFrame:
    """One row per metric, channel initiator and statistics interval or message."""
    used = sf.col("qcctstab").cast("double")
    limit = sf.col("qcctslim").cast("double")
    from_records = _rows(sections[QCCT], used, limit)
    told = storage_intervals(sections[CONSOLE_EVENT])
    used = sf.col("used_64bit_mib")
    return preferring(from_records, _rows(told, used, used + sf.col("free_64bit_mib")))


def _rows(frame: DataFrame, used: Column, limit: Column) -> DataFrame:
    limit = sf.when((limit > 0) & (limit < NO_LIMIT_MIB), limit)
    left = sf.when(limit.isNotNull(), sf.greatest(sf.lit(0.0), limit - used))
    return interval_rows(
        frame,
        path("sysplex", "qmgr", sf.lit("CHINIT")),
        [
            Gauge(USED.name, used),
            Gauge(AVAILABLE.name, left),
            Gauge(USED_PCT.name, used * sf.lit(100.0) / limit),
        ],
    )
