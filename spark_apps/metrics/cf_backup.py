"""Backups of coupling facility structures into the log of the queue manager that makes them."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

import polars as pl

from mqcap.domain.datasets import CONSOLE_EVENT
from mqcap.domain.metric import Metric, SubjectKind
from spark_apps.transforms.intervals import Gauge, Sections, interval_rows, path
from spark_apps.transforms.keys import INTERVAL

ENDED: Final = "CSQE121I"
_MOMENT: Final = timedelta(seconds=1)
"""The message is an instant; it represents the second before it."""

CF_BACKUP: Final = Metric(
    name="cf_backup_mib",
    label="CF structure backup",
    unit="MiB",
    subject_kind=SubjectKind.queue_manager,
    description="Size of a backup of a coupling facility structure (CSQE121I); the day's peak is"
    " the largest one.",
    reads=(CONSOLE_EVENT.name,),
    fields=("CSQE121I",),
)
METRICS: Final = (CF_BACKUP,)


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return one row per backup with a size."""
    ended = (
        sections[CONSOLE_EVENT.name]
        .filter((pl.col("message_id") == ENDED) & pl.col("qmgr").is_not_null())
        .with_columns(
            (pl.col("event_utc") - _MOMENT).alias(INTERVAL[0]),
            pl.col("event_utc").alias(INTERVAL[1]),
        )
    )
    return interval_rows(ended, path("sysplex", "qmgr"), [Gauge(CF_BACKUP.name, pl.col("amount"))])
