"""Utilisation of the log writer, frequency of checkpoints, and use of zHyperLink."""

from __future__ import annotations

from functools import reduce
from operator import add
from typing import Final

import polars as pl

from mqcap.domain.units import SECONDS_PER_HOUR, US_PER_S
from mqcap.ingest.smf.clock import TOD_UNITS_PER_US
from spark_apps.transforms.intervals import (
    Counter,
    Gauge,
    Sections,
    at_least_0,
    interval_rows,
    path,
    seconds,
)

QJST: Final = "section_qjst"
COPIES: Final = 2
"""Most log copies that the log writer task writes at once."""

_IDLE_RATIO_MAX: Final = 2
"""Most that the idle time may be of the interval, which ends a little earlier or later (ours)."""


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return one row per metric, queue manager and statistics interval.

    A record without the idle time (older than it, or all zero) gives no busy figure; one without
    zHyperLink writes gives none about them. No document gives the unit of their times: more
    than one task could wait for two copies means that it was not microseconds, and is left out.
    """
    length_us = seconds() * US_PER_S
    idle_us = _idle_us(length_us)
    tried = _sum("qjsthlsciw", "qjsthlmciw")
    link_us = _sum("qjsthlsciwttot", "qjsthlmciwttot")
    busy = at_least_0(100 - 100 * idle_us / length_us)
    return interval_rows(
        sections[QJST],
        path("sysplex", "qmgr"),
        [
            Gauge("log_task_busy_pct", pl.when((idle_us > 0) & (length_us > 0)).then(busy)),
            Counter("log_checkpoints_per_h", pl.col("qjstllcp"), 1 / SECONDS_PER_HOUR),
            Gauge(
                "zhyperlink_busy_pct",
                pl.when((tried > 0) & (length_us > 0) & (link_us <= COPIES * length_us)).then(
                    100 * link_us / length_us
                ),
            ),
            Gauge(
                "zhyperlink_sync_pct",
                pl.when(tried > 0).then(100 * _sum("qjsthlscis", "qjsthlmcis") / tried),
            ),
        ],
    )


def _idle_us(length_us: pl.Expr) -> pl.Expr:
    """Return the idle time of the log writer task in microseconds.

    The layout calls QJSTSLPTU a time in TOD units, of which the column is the quotient. A real
    record of MQ 8.0 has microseconds: with them idle and suspended time of the log writes are its
    interval. A field that is at most twice the interval in microseconds is taken as such; in TOD
    units the task would have been busy for more than 99.95 % of the interval.
    """
    field = pl.col("qjstslptu") * TOD_UNITS_PER_US
    is_us = field <= _IDLE_RATIO_MAX * length_us
    return pl.when(is_us).then(field).otherwise(pl.col("qjstslptu"))


def _sum(*columns: str) -> pl.Expr:
    return reduce(add, map(pl.col, columns)).cast(pl.Float64)
