"""Time to archive an active log, from its end to the end of the offload task."""

from __future__ import annotations

from typing import Final

import polars as pl

from mqcap.domain.datasets import CONSOLE_EVENT
from mqcap.domain.units import US_PER_S
from spark_apps.transforms.intervals import (
    Gauge,
    Sections,
    divided,
    interval_rows,
    length_us,
    path,
)
from spark_apps.transforms.keys import INTERVAL

FULL: Final = "CSQJ002I"
DONE: Final = "CSQJ139I"
_OF_DAY: Final = ("sysplex", "qmgr", "day")


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return one row per offload of a single log.

    An offload that took several logs in one go, which ended since the one before, says nothing of
    one log and is left out; so is one that began on the UTC day before. Both copies of a log end
    with a message of their own: it is one log.
    """
    is_full, is_done = pl.col("message_id") == FULL, pl.col("message_id") == DONE
    log = pl.when(is_full).then(pl.col("start_rba").cast(pl.String))
    ended = is_done.cast(pl.Int64).cum_sum().over(*_OF_DAY, order_by=["at", "message_id"])
    minutes = divided(length_us(), 60 * US_PER_S)
    archived = (
        sections[CONSOLE_EVENT.name]
        .filter((is_full | is_done) & pl.col("qmgr").is_not_null())
        .with_columns(
            day=pl.col("event_utc").dt.date(),
            log=pl.coalesce(log, pl.col("event_utc").cast(pl.String)),
        )
        .group_by(*_OF_DAY, "message_id", "log")
        .agg(pl.col("event_utc").min().alias("at"))
        .with_columns(offload=ended - is_done.cast(pl.Int64))
        .group_by(*_OF_DAY, "offload")
        .agg(
            pl.when(is_full).then(pl.col("at")).min().alias(INTERVAL[0]),
            pl.when(is_done).then(pl.col("at")).max().alias(INTERVAL[1]),
            is_full.sum().alias("logs"),
        )
        .filter((pl.col("logs") == 1) & (pl.col(INTERVAL[1]) > pl.col(INTERVAL[0])))
    )
    return interval_rows(archived, path("sysplex", "qmgr"), [Gauge("log_archive_min", minutes)])
