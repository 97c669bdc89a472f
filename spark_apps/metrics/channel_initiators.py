"""Metrics of channel initiators: batches, storage, tasks."""

from typing import Final

import polars as pl

from spark_apps.transforms.intervals import (
    CHINIT_SUBJECT,
    CONSOLE_EVENT,
    MANAGER_SUBJECT,
    Gauge,
    Sections,
    at_least_0,
    highest_ratio,
    interval_rows,
    looked_up,
    storage_intervals,
    total,
    union,
    with_fallback,
)
from spark_apps.transforms.keys import INTERVAL, MANAGER

QCCT: Final = "section_qcct"
CURRENT: Final = "channels_current_count"


QCST: Final = "section_qcst"


def channel_batches(sections: Sections) -> pl.LazyFrame:
    """Return one row per channel initiator and interval in which any channel ended a batch."""
    sums = (
        sections[QCST]
        .filter((pl.col("qcstbatc") > 0) | pl.col("qcstbatc").is_null())
        .group_by(*MANAGER, *INTERVAL)
        .agg(total("qcstnmsg").alias("messages"), total("qcstbatc").alias("batches"))
    )
    return interval_rows(
        sums,
        CHINIT_SUBJECT,
        Gauge("channel_batch_messages", pl.col("messages") / pl.col("batches")),
    )


NO_LIMIT_MIB: Final = 17_592_186_040_320
"""QCCTSLIM of a channel initiator with MEMLIMIT=NOLIMIT: no percentage then."""
USED_31BIT: Final = "chinit_31bit_used_mib"
USED_64BIT: Final = "chinit_64bit_used_mib"
_31BIT: Final = (USED_31BIT, "chinit_31bit_available_mib", "chinit_31bit_used_pct")
_64BIT: Final = (USED_64BIT, "chinit_64bit_available_mib", "chinit_64bit_used_pct")


def storage(sections: Sections) -> pl.LazyFrame:
    """Return use, room and share of storage below and above the 2 GiB bar, by message or interval.

    The records contain the used 31-bit storage but not the available one; message CSQX004I has
    both. Without the message the limit of the settings is the denominator, and without that there
    is no share. The records contain both of 64-bit storage since version 9.3.5, the message before.
    """
    records, messages = sections[QCCT], storage_intervals(sections[CONSOLE_EVENT])
    recorded, counted = pl.col("qcctstus").cast(pl.Float64), pl.col("qcctstab").cast(pl.Float64)
    limit = looked_up(MANAGER_SUBJECT, sections.chinit_31bit_limits_mib, pl.Float64)
    below, above = pl.col("used_31bit_mib"), pl.col("used_64bit_mib")
    return with_fallback(
        union(
            _rows(messages, _31BIT, below, below + pl.col("free_31bit_mib")),
            _rows(records, _64BIT, counted, pl.col("qcctslim").cast(pl.Float64)),
        ),
        union(
            _rows(records, _31BIT, recorded, limit),
            _rows(messages, _64BIT, above, above + pl.col("free_64bit_mib")),
        ),
    )


def _rows(
    frame: pl.LazyFrame, metrics: tuple[str, str, str], used: pl.Expr, total: pl.Expr
) -> pl.LazyFrame:
    """Return rows of used, available and share; the last two need the total; use can exceed it."""
    limit = pl.when((total > 0) & (total < NO_LIMIT_MIB)).then(total)
    left = at_least_0(limit - used)
    return interval_rows(
        frame,
        CHINIT_SUBJECT,
        Gauge(metrics[0], used),
        Gauge(metrics[1], left),
        Gauge(metrics[2], used * 100.0 / limit),
    )


DISPATCHER: Final = "section_qctdsp"
ADAPTER: Final = "section_qctadp"
TLS: Final = "section_qctssl"


def tasks(sections: Sections) -> pl.LazyFrame:
    """Return a row per metric, channel initiator and statistics interval with such tasks."""
    elapsed = pl.col("qcteltm") + pl.col("qctwttm")
    busiest_pct = highest_ratio(100 * pl.col("qcteltm"), elapsed)
    used = total((pl.col("qctreqn") > 0).cast(pl.Int64))
    return union(
        _task_rows(
            sections[DISPATCHER],
            "chinit_dispatchers_count",
            "chinit_dispatcher_busy_pct",
            busiest_pct,
        ),
        _task_rows(sections[ADAPTER], "chinit_adapters_count", "chinit_adapters_used_count", used),
        _task_rows(sections[TLS], "chinit_ssltasks_count", "chinit_ssltask_busy_pct", busiest_pct),
    )


def _task_rows(tasks: pl.LazyFrame, count: str, metric: str, figure: pl.Expr) -> pl.LazyFrame:
    """Return the number of tasks, and a figure of all of them."""
    grouped = tasks.group_by(*MANAGER, *INTERVAL).agg(
        pl.len().alias("tasks"), figure.alias("figure")
    )
    return interval_rows(
        grouped,
        CHINIT_SUBJECT,
        Gauge(count, "tasks"),
        Gauge(metric, "figure"),
    )
