"""Growth of the log, and waits for its buffers, per queue manager."""

from __future__ import annotations

from typing import Final

import polars as pl

from mqcap.domain.metric import Metric, SubjectKind
from mqcap.domain.units import MIB_BYTES, PAGE_BYTES, SECONDS_PER_HOUR
from spark_apps.transforms.intervals import Counter, Sections, interval_rows, path

QJST: Final = "section_qjst"

LOG_GROWTH: Final = Metric(
    name="log_growth_mib_per_s",
    label="Log write rate",
    unit="MiB/s",
    subject_kind=SubjectKind.queue_manager,
    description="How fast the log grows, counted once and not per copy (QJSTBFFL x 4096).",
    reads=(QJST,),
    fields=("QJSTBFFL",),
    forecast=True,
)
LOG_BUFFER_WAITS: Final = Metric(
    name="log_buffer_wait_count",
    label="Log buffer waits",
    unit="count/h",
    subject_kind=SubjectKind.queue_manager,
    description="Waits for a log output buffer per hour (QJSTWTB).",
    reads=(QJST,),
    fields=("QJSTWTB",),
)
METRICS: Final = (LOG_GROWTH, LOG_BUFFER_WAITS)


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return a row per metric, queue manager and interval; the log's amount is in bytes."""
    growth_bytes = pl.col("qjstbffl") * PAGE_BYTES
    return interval_rows(
        sections[QJST],
        path("sysplex", "qmgr"),
        [
            Counter(LOG_GROWTH.name, growth_bytes, float(MIB_BYTES)),
            Counter(LOG_BUFFER_WAITS.name, pl.col("qjstwtb"), 1 / SECONDS_PER_HOUR),
        ],
    )
