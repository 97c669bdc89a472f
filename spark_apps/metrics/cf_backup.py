"""Backups of coupling facility structures into the log of the queue manager that makes them."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

import polars as pl

from mqcap.domain.datasets import CONSOLE_EVENT
from spark_apps.transforms.intervals import Gauge, Sections, interval_rows, path
from spark_apps.transforms.keys import INTERVAL

ENDED: Final = "CSQE121I"
_MOMENT: Final = timedelta(seconds=1)
"""The message is an instant; it represents the second before it."""


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
    return interval_rows(ended, path("sysplex", "qmgr"), [Gauge("cf_backup_mib", pl.col("amount"))])
