"""Share of pages in use of each page set at the end of the interval."""

from __future__ import annotations

from typing import Final

import polars as pl

from spark_apps.transforms.intervals import Gauge, Sections, interval_rows, numbered, path

QIS1: Final = "section_qis1"


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return one row per metric, page set and statistics interval; one without pages has none."""
    defined = pl.col("qis1topg")
    used = defined - pl.col("qis1unpg")
    page_set = numbered("PS", "qis1psno")
    return interval_rows(
        sections[QIS1].filter(defined > 0),
        path("sysplex", "qmgr", page_set),
        [
            Gauge("page_set_used_pct", used * 100.0 / defined),
            Gauge("page_set_used_pages", used),
        ],
    )
