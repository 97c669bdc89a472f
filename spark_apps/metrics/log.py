"""Growth of the log, and waits for its buffers, per queue manager."""

from __future__ import annotations

from typing import Final

import polars as pl

from mqcap.domain.units import MIB_BYTES, PAGE_BYTES, SECONDS_PER_HOUR
from spark_apps.transforms.intervals import Counter, Sections, interval_rows, path

QJST: Final = "section_qjst"

LOG_GROWTH: Final = "log_growth_mib_per_s"


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return a row per metric, queue manager and interval; the log's amount is in bytes."""
    growth_bytes = pl.col("qjstbffl") * PAGE_BYTES
    return interval_rows(
        sections[QJST],
        path("sysplex", "qmgr"),
        [
            Counter(LOG_GROWTH, growth_bytes, float(MIB_BYTES)),
            Counter("log_buffer_wait_count", pl.col("qjstwtb"), 1 / SECONDS_PER_HOUR),
        ],
    )
