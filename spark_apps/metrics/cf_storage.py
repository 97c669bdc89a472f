"""How much of a coupling facility's storage is allocated."""

from __future__ import annotations

from typing import Final

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from domain.metric import Metric, SubjectKind
from spark_apps.facility import one_member, with_hardware_flag
from spark_apps.intervals import Gauge, Sections, interval_rows, path

R744G: Final = "section_r744g"
R744F: Final = "section_r744f"

CF_STORAGE_USED: Final = Metric(
    name="cf_storage_used_pct",
    unit="%",
    subject_kind=SubjectKind.coupling_facility,
    description="Allocated share of the facility's storage (R744GTSF of R744GTSD is free).",
    reads=(R744G, R744F),
    ceiling=100.0,
)
METRICS: Final = (CF_STORAGE_USED,)


def intervals(sections: Sections) -> DataFrame:
    """One row per facility and RMF interval, however many members reported it."""
    total = sf.col("r744gtsd").cast("bigint")
    used = total - sf.col("r744gtsf").cast("bigint")
    flagged = with_hardware_flag(sections[R744G], sections[R744F])
    once = one_member(flagged, ["sysplex", "cf"], total > 0)
    return interval_rows(
        once.where(total > 0),
        path("sysplex", "cf"),
        [Gauge(CF_STORAGE_USED.name, used * sf.lit(100.0) / total)],
    )
