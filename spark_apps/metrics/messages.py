"""Messages put, per queue manager."""

from __future__ import annotations

from typing import Final

import polars as pl

from mqcap.domain.metric import Metric, SubjectKind
from spark_apps.transforms.intervals import Counter, Sections, interval_rows, path

QMST: Final = "section_qmst"
PUT_RATE: Final = Metric(
    name="messages_put_per_s",
    label="Messages put",
    unit="count/s",
    subject_kind=SubjectKind.queue_manager,
    description="MQPUT and MQPUT1 calls a second (QMSTPUT + QMSTPUT1).",
    reads=(QMST,),
    fields=("QMSTPUT", "QMSTPUT1"),
)
METRICS: Final = (PUT_RATE,)


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return one row per queue manager and statistics interval."""
    puts = pl.col("qmstput") + pl.col("qmstput1")
    return interval_rows(sections[QMST], path("sysplex", "qmgr"), [Counter(PUT_RATE.name, puts)])
