"""How busy the processors of a coupling facility are: one figure per facility and interval."""

from __future__ import annotations

from typing import Final

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from domain.metric import Metric, SubjectKind
from spark_apps.facility import MEMBER, one_member, with_hardware_flag
from spark_apps.intervals import INTERVAL, Gauge, Sections, interval_rows, path

R744P: Final = "section_r744p"
R744F: Final = "section_r744f"

CF_BUSY: Final = Metric(
    name="cf_busy_pct",
    unit="%",
    subject_kind=SubjectKind.coupling_facility,
    description="Average utilization of the facility's processors, taken once for all members.",
    reads=(R744P, R744F),
    forecast=True,
    ceiling=100.0,
)
CF_ENGINES: Final = Metric(
    name="cf_engine_count",
    unit="count",
    subject_kind=SubjectKind.coupling_facility,
    description="Logical processors defined to the facility.",
    reads=(R744P, R744F),
)
METRICS: Final = (CF_BUSY, CF_ENGINES)


def intervals(sections: Sections) -> DataFrame:
    """One row per metric, facility and RMF interval, however many members reported it.

    Busy is 100 x sum(R744PBSY) / sum(R744PBSY + R744PWAI) over the processors of one member's
    record. An interval in which no member had hardware statistics has no row.
    """
    busy_us = sf.col("r744pbsy").cast("bigint")
    wait_us = sf.col("r744pwai").cast("bigint")
    members = (
        sections[R744P]
        .groupBy(*MEMBER, INTERVAL[0])
        .agg(
            sf.sum(busy_us).alias("busy_us"),
            sf.sum(busy_us + wait_us).alias("elapsed_us"),
            sf.count_distinct("r744pnum").alias("engine_count"),
        )
    )
    measured = sf.col("elapsed_us") > 0
    flagged = with_hardware_flag(members, sections[R744F])
    once = one_member(flagged, ["sysplex", "cf"], measured)
    return interval_rows(
        once.where(sf.col("has_hardware") & measured),
        path("sysplex", "cf"),
        [
            Gauge(CF_BUSY.name, sf.col("busy_us") * sf.lit(100.0) / sf.col("elapsed_us")),
            Gauge(CF_ENGINES.name, sf.col("engine_count")),
        ],
    )
