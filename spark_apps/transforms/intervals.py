"""Interval rows: the input of the hourly apportioning that every metric produces.

A row is a metric of a subject over a measured interval::

    metric, subject            as in mqcap.domain.metric
    interval_start_utc, interval_end_utc
    level                      value over the interval, in the metric's unit
    amount                     what was counted, an integer in base units (bytes, calls);
                               null for gauges
    amount_per_unit            amount = level x seconds x amount_per_unit; null for gauges
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import polars as pl

from mqcap.domain.metric import SERIES_SEPARATOR
from mqcap.domain.units import US_PER_S
from spark_apps.qmgr_settings import SettingPeriod
from spark_apps.transforms.keys import INTERVAL

INTERVAL_SCHEMA: Final = pl.Schema(
    {
        "metric": pl.String(),
        "subject": pl.String(),
        **{name: pl.Datetime("us", "UTC") for name in INTERVAL},
        "level": pl.Float64(),
        "amount": pl.Int64(),
        "amount_per_unit": pl.Float64(),
    }
)
INTERVAL_COLUMNS: Final = tuple(INTERVAL_SCHEMA)


@dataclass(frozen=True)
class Sections:
    """Input of the metrics: deduplicated datasets, and limits from the settings.

    Integers of the datasets have 64 bits. ``chinit_31bit_limits_mib`` maps ``SYSPLEX/QMGR`` to the
    configured extended private storage, ``bridge_queues`` to the names of its IMS bridge queues,
    ``log_volumes`` to the volumes of its active logs; ``setting_periods`` are the settings of
    distributed queue managers.
    """

    frames: Mapping[str, pl.LazyFrame]
    chinit_31bit_limits_mib: Mapping[str, float] = field(default_factory=dict)
    bridge_queues: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    log_volumes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    setting_periods: tuple[SettingPeriod, ...] = ()

    def __getitem__(self, dataset: str) -> pl.LazyFrame:
        """Return the rows of one dataset; without rows when no file holds any."""
        return self.frames[dataset]


def path(*parts: pl.Expr | str) -> pl.Expr:
    """Return a subject: its parts joined, beginning with the sysplex; null where a part is null."""
    return pl.concat_str(*parts, separator=SERIES_SEPARATOR)


def whole(figure: pl.Expr) -> pl.Expr:
    """Return the nearest integer, of two equally near ones that further from zero.

    Null where it needs more than 64 bits: a value that no system has never stops the others.
    """
    return figure.round(mode="half_away_from_zero").cast(pl.Int64, strict=False)


def total(figure: pl.Expr | str) -> pl.Expr:
    """Return the sum of a group; null where a part of it is null, or where it has none."""
    figures = pl.col(figure) if isinstance(figure, str) else figure
    return pl.when((figures.len() > 0) & (figures.null_count() == 0)).then(figures.sum())


def highest(figure: pl.Expr | str) -> pl.Expr:
    """Return the highest of a group; null where a part of it is null, or where it has none."""
    figures = pl.col(figure) if isinstance(figure, str) else figure
    return pl.when(figures.null_count() == 0).then(figures.max())


def highest_ratio(part: pl.Expr, of: pl.Expr) -> pl.Expr:
    """Return the highest ratio of a group, of those that have something to divide by.

    Null where a part of one of them is null.
    """
    return highest((part / of).filter(of.is_null() | (of > 0)))


def at_most(figure: pl.Expr, most: pl.Expr | float) -> pl.Expr:
    """Return the smaller of two figures; null where one is null."""
    bound = most if isinstance(most, pl.Expr) else pl.lit(most)
    return pl.when(figure > bound).then(bound).when(bound.is_not_null()).then(figure)


def at_least_0(figure: pl.Expr) -> pl.Expr:
    """Return a figure, of one below zero zero; null stays null."""
    return figure.clip(lower_bound=0)


def divided(figure: pl.Expr, by: float) -> pl.Expr:
    """Return a figure divided by a constant, correctly rounded.

    Division by a literal is a multiplication by its inverse in polars: another last digit.
    """
    return figure / (figure * 0 + by)


def numbered(prefix: str, column: str) -> pl.Expr:
    """Return the name of a thing that has a number of two digits: ``BP03``."""
    return pl.lit(prefix) + pl.col(column).cast(pl.Int64).cast(pl.String).str.zfill(2)


def micros(column: str) -> pl.Expr:
    """Return an instant as microseconds since 1970, UTC."""
    return pl.col(column).cast(pl.Int64)


def instant(moment_us: pl.Expr) -> pl.Expr:
    """Return the instant of microseconds since 1970, UTC."""
    return moment_us.cast(pl.Datetime("us", "UTC"))


def length_us() -> pl.Expr:
    """Return the length of the interval in microseconds."""
    return micros(INTERVAL[1]) - micros(INTERVAL[0])


def seconds() -> pl.Expr:
    """Return the length of the interval in seconds."""
    return divided(length_us(), US_PER_S)


@dataclass(frozen=True)
class Gauge:
    """A level that held during the interval; null means not measured."""

    metric: str
    level: pl.Expr


@dataclass(frozen=True)
class Counter:
    """An integer counted during the interval, shown as a rate.

    ``amount_per_unit`` is how many of it make the metric's unit for one second: 1 048 576
    for bytes shown as MiB/s, 1/3600 for a rate per hour.
    """

    metric: str
    amount: pl.Expr
    amount_per_unit: float = 1.0


def interval_rows(
    frame: pl.LazyFrame, subject: pl.Expr, figures: Sequence[Gauge | Counter]
) -> pl.LazyFrame:
    """Return an interval row per row of ``frame`` and figure.

    None where the figure is null, or the subject, or an end of the interval.
    """
    rows = frame.with_columns(subject.alias("subject"))
    return union([_rows_of(rows, figure) for figure in figures])


def union(frames: Sequence[pl.LazyFrame]) -> pl.LazyFrame:
    """Return all rows of all frames, which have the same columns in the same order."""
    return pl.concat(frames, rechunk=False)


def _rows_of(rows: pl.LazyFrame, figure: Gauge | Counter) -> pl.LazyFrame:
    if isinstance(figure, Gauge):
        level = figure.level.cast(pl.Float64)
        amount, per_unit = pl.lit(None, pl.Int64), pl.lit(None, pl.Float64)
    else:
        amount, per_unit = figure.amount.cast(pl.Int64), pl.lit(figure.amount_per_unit, pl.Float64)
        level = pl.when(seconds() > 0).then(amount / (seconds() * figure.amount_per_unit))
    made = rows.select(
        pl.lit(figure.metric).alias("metric"),
        "subject",
        *INTERVAL,
        level.alias("level"),
        amount.alias("amount"),
        per_unit.alias("amount_per_unit"),
    )
    return known_rows(made)


def known_rows(rows: pl.LazyFrame) -> pl.LazyFrame:
    """Return the interval rows with a subject, an interval and a level."""
    return rows.drop_nulls(["subject", *INTERVAL, "level"])
