"""The largest units of work, from class 3 accounting."""

from __future__ import annotations

from typing import Final

import polars as pl

from spark_apps.transforms.hourly import hour_parts, whole_hours
from spark_apps.transforms.intervals import (
    Gauge,
    Sections,
    highest,
    highest_ratio,
    interval_rows,
    path,
    total,
    whole,
)
from spark_apps.transforms.keys import INTERVAL

WTAS: Final = "section_wtas"
WQST: Final = "section_wqst"
_RECORD: Final = ("sysplex", "smfid", "qmgr", *INTERVAL, "record_hash")


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return one row per queue manager and UTC hour in which a task ended a unit of work.

    Queues that a 116.2 holds, for a task that uses more than one record can name, are not counted.
    """
    units = sections[WTAS].select(
        *_RECORD, (whole(pl.col("wtascmn")) + whole(pl.col("wtasban"))).alias("units")
    )
    messages = (
        sections[WQST]
        .group_by(*_RECORD)
        .agg(total(whole(pl.col("validput")) + whole(pl.col("validget"))).alias("messages"))
    )
    largest = (
        units.join(messages, list(_RECORD))
        .group_by("sysplex", "qmgr", *INTERVAL)
        .agg(
            highest_ratio(pl.col("messages"), pl.col("units")).alias("level"),
            (pl.col("units") != 0).any(ignore_nulls=False).alias("has_units"),
        )
        .filter(pl.col("has_units").is_null() | pl.col("has_units"))
    )
    parts = hour_parts(largest.with_columns(amount=pl.lit(None, pl.Int64)))
    return interval_rows(
        whole_hours(parts, highest("level").alias("messages")),
        path("sysplex", "qmgr"),
        [Gauge("uow_messages_count", pl.col("messages"))],
    )
