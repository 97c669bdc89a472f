"""Messages put, per queue manager."""

from __future__ import annotations

from typing import Final

import polars as pl

from spark_apps.transforms.intervals import Counter, Sections, interval_rows, path

QMST: Final = "section_qmst"
PUT_RATE: Final = "messages_put_per_s"


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return one row per queue manager and statistics interval."""
    puts = pl.col("qmstput") + pl.col("qmstput1")
    return interval_rows(sections[QMST], path("sysplex", "qmgr"), [Counter(PUT_RATE, puts)])
