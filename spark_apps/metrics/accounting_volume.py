"""Bytes of the accounting records that a queue manager writes: SMF 116."""

from __future__ import annotations

from typing import Final

import polars as pl

from mqcap.domain.units import MIB_BYTES, SECONDS_PER_HOUR
from spark_apps.transforms.hourly import hour_parts, whole_hours
from spark_apps.transforms.intervals import Counter, Sections, interval_rows, path, total, union
from spark_apps.transforms.keys import INTERVAL

TASK_HEAD_BYTES: Final = 188
"""Of each 116.1: SMF header 28, four triplets 32, QWHS 36, QWHC 92. With WTID, WTAS and two WQST
of 2,792 bytes that is MP16's 8,324 bytes; a 116.2 has one triplet less."""
CHANNEL_HEAD_BYTES: Final = 112
"""Of each 116.10: SMF header 28, two triplets 16, QWHS 52, QWHX 16."""
TASK: Final = "section_wtas"
LENGTHS: Final = {
    "section_wtid": ("wtidlen", TASK_HEAD_BYTES),
    TASK: ("wtaslen", 0),
    "section_wqst": ("wqll", 0),
    "section_qcst": ("qcstll", CHANNEL_HEAD_BYTES),
}
"""By section: the field with its length, and the bytes that each record has beside."""
_DAY_S: Final = 24 * SECONDS_PER_HOUR


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return one row per queue manager and UTC hour in which tasks or channels were accounted."""
    key = ["sysplex", "qmgr", *INTERVAL]
    every = union(
        [
            sections[name].select(*key, _bytes(length, head).alias("amount"))
            for name, (length, head) in LENGTHS.items()
        ]
    )
    of_interval = every.group_by(*key).agg(total("amount"))
    tasks = sections[TASK].group_by(*key).agg(pl.len().cast(pl.Int64).alias("amount"))
    return union(
        [
            _by_hour(of_interval, "accounting_mib_per_day", MIB_BYTES / _DAY_S),
            _by_hour(tasks, "accounting_tasks_per_day", 1 / _DAY_S),
        ]
    )


def _by_hour(of_interval: pl.LazyFrame, metric: str, amount_per_unit: float) -> pl.LazyFrame:
    return interval_rows(
        whole_hours(hour_parts(of_interval), total("amount").alias("counted")),
        path("sysplex", "qmgr"),
        [Counter(metric, pl.col("counted"), amount_per_unit)],
    )


def _bytes(length: str, head_bytes: int) -> pl.Expr:
    """Return the bytes of a section; the first of a record bears those of its head."""
    head = pl.when(pl.col("section_index") == 0).then(head_bytes).otherwise(0)
    return pl.col(length).cast(pl.Int64) + head
