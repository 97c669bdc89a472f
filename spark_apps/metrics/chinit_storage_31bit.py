"""31-bit storage of the channel initiator: used, still available, and the share.

The records tell what is used but not what is left; message CSQX004I tells both. Without the
message the limit of the settings is the denominator, and without that there is no share.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from domain.metric import Direction, Metric, SubjectKind
from spark_apps.console_storage import CONSOLE_EVENT, storage_intervals
from spark_apps.intervals import Gauge, Sections, interval_rows, path
from spark_apps.preference import preferring

QCCT: Final = "section_qcct"

USED: Final = Metric(
    name="chinit_31bit_used_mib",
    unit="MiB",
    subject_kind=SubjectKind.channel_initiator,
    description="31-bit storage in use (CSQX004I, else QCCTSTUS).",
    reads=(QCCT, CONSOLE_EVENT),
)
AVAILABLE: Final = Metric(
    name="chinit_31bit_available_mib",
    unit="MiB",
    subject_kind=SubjectKind.channel_initiator,
    description="31-bit storage still free (CSQX004I, else the configured limit less QCCTSTUS).",
    reads=(QCCT, CONSOLE_EVENT),
    direction=Direction.downward,
)
USED_PCT: Final = Metric(
    name="chinit_31bit_used_pct",
    unit="%",
    subject_kind=SubjectKind.channel_initiator,
    description="31-bit storage in use of used and free together (CSQX004I or settings).",
    reads=(QCCT, CONSOLE_EVENT),
    forecast=True,
    ceiling=100.0,
)
METRICS: Final = (USED, AVAILABLE, USED_PCT)


def intervals(sections: Sections) -> DataFrame:
    """One row per metric, channel initiator and message or statistics interval."""
    told = storage_intervals(sections[CONSOLE_EVENT])
    used, free = sf.col("used_31bit_mib"), sf.col("free_31bit_mib")
    from_console = _rows(told, used, free)
    counted = sections[QCCT].withColumn(
        "limit_mib", _limit_mib(sections.chinit_31bit_limits_mib, path("sysplex", "qmgr"))
    )
    used = sf.col("qcctstus").cast("double")
    left = sf.greatest(sf.lit(0.0), sf.col("limit_mib") - used)
    from_records = _rows(counted, used, sf.when(sf.col("limit_mib").isNotNull(), left))
    return preferring(from_console, from_records)


def _rows(frame: DataFrame, used: Column, free: Column) -> DataFrame:
    whole = used + free
    return interval_rows(
        frame,
        path("sysplex", "qmgr", sf.lit("CHINIT")),
        [
            Gauge(USED.name, used),
            Gauge(AVAILABLE.name, sf.when(whole.isNotNull(), free)),
            Gauge(USED_PCT.name, sf.when(whole > 0, used * sf.lit(100.0) / whole)),
        ],
    )


def _limit_mib(limits: Mapping[str, float], queue_manager: Column) -> Column:
    limit = sf.lit(None).cast("double")
    for name, limit_mib in sorted(limits.items()):
        limit = sf.when(queue_manager == name, sf.lit(float(limit_mib))).otherwise(limit)
    return limit
