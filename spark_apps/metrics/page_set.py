"""Share of pages in use of each page set at the end of the interval."""

from __future__ import annotations

from typing import Final

import polars as pl

from mqcap.domain.metric import Metric, SubjectKind
from spark_apps.transforms.intervals import Gauge, Sections, interval_rows, numbered, path

QIS1: Final = "section_qis1"

PAGE_SET_USED_PCT: Final = Metric(
    name="page_set_used_pct",
    label="Page set used",
    unit="%",
    subject_kind=SubjectKind.page_set,
    description="Pages in use of the page set's present size; an expansion makes it fall.",
    reads=(QIS1,),
    forecast=True,
    ceiling=100.0,
)
PAGE_SET_USED_PAGES: Final = Metric(
    name="page_set_used_pages",
    label="Page set pages used",
    unit="count",
    subject_kind=SubjectKind.page_set,
    description="Pages of 4 KiB in use (QIS1TOPG - QIS1UNPG).",
    reads=(QIS1,),
    fields=("QIS1TOPG", "QIS1UNPG"),
)
METRICS: Final = (PAGE_SET_USED_PCT, PAGE_SET_USED_PAGES)


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return one row per metric, page set and statistics interval; one without pages has none."""
    defined = pl.col("qis1topg")
    used = defined - pl.col("qis1unpg")
    page_set = numbered("PS", "qis1psno")
    return interval_rows(
        sections[QIS1].filter(defined > 0),
        path("sysplex", "qmgr", page_set),
        [
            Gauge(PAGE_SET_USED_PCT.name, used * 100.0 / defined),
            Gauge(PAGE_SET_USED_PAGES.name, used),
        ],
    )
