"""Queues with statistics (STATQ): the busiest private one, and gets that found nothing."""

from __future__ import annotations

from typing import Final

import polars as pl

from spark_apps.transforms.intervals import (
    Gauge,
    Sections,
    interval_rows,
    path,
    seconds,
    total,
    union,
)
from spark_apps.transforms.keys import INTERVAL

QQST: Final = "section_qqst"
RATE: Final = "private_queue_messages_per_s"
_KEY: Final = ("sysplex", "qmgr", *INTERVAL)


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return a row per metric, queue manager, interval with puts to private or gets of shared."""
    is_private = pl.col("qqstcfst").str.strip_chars(" ") == ""
    queues = sections[QQST]
    return union([_busiest(_those(queues, is_private)), _empty(_those(queues, ~is_private))])


def _those(queues: pl.LazyFrame, are_meant: pl.Expr) -> pl.LazyFrame:
    """Return the queues meant; of one of which that is not known the counts are null."""
    counts = pl.col("^qqst(puts|put1|putb|pt1b|nmag|gets)$")
    return queues.filter(are_meant.is_null() | are_meant).with_columns(
        pl.when(are_meant.is_not_null()).then(counts).name.keep()
    )


def _busiest(queues: pl.LazyFrame) -> pl.LazyFrame:
    puts = pl.col("qqstputs") + pl.col("qqstput1")
    put_bytes = pl.col("qqstputb") + pl.col("qqstpt1b")
    busiest = (
        queues.with_columns(puts=puts, put_bytes=put_bytes)
        .group_by(*_KEY)
        .agg(
            pl.col("puts").null_count().alias("unknown"),
            pl.col("puts", "put_bytes").sort_by("puts", "put_bytes").last(),
        )
        .filter((pl.col("unknown") == 0) & (pl.col("puts") > 0))
    )
    return interval_rows(
        busiest,
        path("sysplex", "qmgr"),
        [
            Gauge(RATE, pl.when(seconds() > 0).then(pl.col("puts") / seconds())),
            Gauge("private_queue_message_bytes", pl.col("put_bytes") / pl.col("puts")),
        ],
    )


def _empty(queues: pl.LazyFrame) -> pl.LazyFrame:
    sums = queues.group_by(*_KEY).agg(
        total("qqstnmag").alias("empty"), total("qqstgets").alias("gets")
    )
    share = pl.when(pl.col("gets") > 0).then(pl.col("empty") / pl.col("gets"))
    return interval_rows(sums, path("sysplex", "qmgr"), [Gauge("shared_empty_gets_per_get", share)])
