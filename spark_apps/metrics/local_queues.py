"""Metrics of queues with statistics (STATQ), and of messages put."""

from typing import Final

import polars as pl

from mqcap.domain.subject import Subject
from spark_apps.transforms.intervals import (
    MANAGER_SUBJECT,
    Counter,
    Gauge,
    Sections,
    highest,
    interval_rows,
    path,
    ratio,
    seconds,
    total,
    union,
)
from spark_apps.transforms.keys import INTERVAL, MANAGER

QMST: Final = "section_qmst"
PUT_RATE: Final = "messages_put_per_s"


def messages_put(sections: Sections) -> pl.LazyFrame:
    """Return one row per queue manager and statistics interval."""
    puts = pl.col("qmstput") + pl.col("qmstput1")
    return interval_rows(sections[QMST], MANAGER_SUBJECT, Counter(PUT_RATE, puts))


QQST: Final = "section_qqst"
RATE: Final = "private_queue_messages_per_s"
_KEY: Final = (*MANAGER, *INTERVAL)


def queues(sections: Sections) -> pl.LazyFrame:
    """Return a row per metric, queue manager, interval with puts to private or gets of shared."""
    is_private = pl.col("qqstcfst").str.strip_chars(" ") == ""
    shared = _those(sections[QQST], ~is_private)
    empty = shared.group_by(*_KEY).agg(
        total("qqstnmag").alias("empty"), total("qqstgets").alias("gets")
    )
    share = Gauge("shared_empty_gets_per_get", ratio("empty", "gets"))
    return union(
        _busiest(_those(sections[QQST], is_private)),
        interval_rows(empty, MANAGER_SUBJECT, share),
    )


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
        MANAGER_SUBJECT,
        Gauge(RATE, ratio("puts", seconds())),
        Gauge("private_queue_message_bytes", pl.col("put_bytes") / pl.col("puts")),
    )


PARTIAL: Final = 0x4000_0000
"""Bit of QQSTFLAG: the depth is not reliable."""


def queue_depths(sections: Sections) -> pl.LazyFrame:
    """Return one row per metric, queue manager and interval: the depth of the deepest queue."""
    depth = pl.max_horizontal("qqstdphi", "qqstdpth")
    is_shared = pl.col("qqstcfst").str.strip_chars(" ") != ""
    is_partial = pl.col("qqstflag") & PARTIAL != 0
    bridges = [
        Subject.of(manager, queue)
        for manager, queues in sections.bridge_queues.items()
        for queue in queues
    ]
    is_bridge = path(MANAGER_SUBJECT, pl.col("qqstqnam").str.strip_chars(" ")).is_in(bridges)
    deepest = (
        sections[QQST]
        .filter(is_partial.is_null() | ~is_partial)
        .group_by(*MANAGER, *INTERVAL)
        .agg(
            _highest(depth, is_partial, is_shared).alias("shared"),
            _highest(depth, is_partial, is_bridge).alias("bridge"),
        )
    )
    return interval_rows(
        deepest,
        MANAGER_SUBJECT,
        Gauge("shared_queue_depth_count", "shared"),
        Gauge("bridge_queue_depth_count", "bridge"),
    )


def _highest(depth: pl.Expr, is_partial: pl.Expr, is_meant: pl.Expr) -> pl.Expr:
    """Return the highest depth of the queues meant; null where one of them is not known."""
    known = pl.when(is_partial.is_not_null() & is_meant.is_not_null()).then(depth)
    return highest(known.filter(is_meant.is_null() | is_meant))
