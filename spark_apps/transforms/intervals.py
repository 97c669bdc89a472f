"""Interval rows: the input of the hourly apportioning that every metric produces.

A row is a metric of a subject over a measured interval::

    metric, subject            as in mqcap.domain.metric
    interval_start_utc, interval_end_utc
    level                      value over the interval, in the metric's unit
    amount                     what was counted, an integer in base units (bytes, calls);
                               null for gauges
    amount_per_unit            amount = level x seconds x amount_per_unit; null for gauges
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import polars as pl

from mqcap.domain.subject import SERIES_SEPARATOR
from mqcap.domain.units import SECONDS_PER_HOUR, US_PER_S
from spark_apps.qmgr_settings import SettingPeriod
from spark_apps.transforms.keys import CARRY_FORWARD_HOURS, INTERVAL, INTERVAL_MAX_US, MANAGER

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
    """Input of the metrics: deduplicated datasets (integers have 64 bits), and limits of settings.

    ``chinit_31bit_limits_mib`` maps ``SYSPLEX/QMGR`` to the configured extended private storage,
    ``bridge_queues`` to its IMS bridge queues, ``log_volumes`` to the volumes of its active logs.
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


MANAGER_SUBJECT: Final = path(*MANAGER)
CHINIT_SUBJECT: Final = path(*MANAGER, pl.lit("CHINIT"))


def column(figure: pl.Expr | str) -> pl.Expr:
    """Return an expression as it is, of a name the column."""
    return pl.col(figure) if isinstance(figure, str) else figure


def whole(figure: pl.Expr | str) -> pl.Expr:
    """Return the nearest integer, of two equally near ones that further from zero.

    Null where it needs more than 64 bits: a value that no system has never stops the others.
    """
    return column(figure).round(mode="half_away_from_zero").cast(pl.Int64, strict=False)


def total(figure: pl.Expr | str) -> pl.Expr:
    """Return the sum of a group; null where a part of it is null, or where it has none."""
    figures = column(figure)
    return pl.when((figures.len() > 0) & (figures.null_count() == 0)).then(figures.sum())


def highest(figure: pl.Expr | str) -> pl.Expr:
    """Return the highest of a group; null where a part of it is null, or where it has none."""
    figures = column(figure)
    return pl.when(figures.null_count() == 0).then(figures.max())


def highest_ratio(part: pl.Expr | str, of: pl.Expr | str) -> pl.Expr:
    """Return the highest ratio of those that have something to divide by; null if one is null."""
    whole_of = column(of)
    return highest((column(part) / whole_of).filter(whole_of.is_null() | (whole_of > 0)))


def ratio(part: pl.Expr | str, of: pl.Expr | str) -> pl.Expr:
    """Return a quotient; null where there is nothing to divide by."""
    return pl.when(column(of) > 0).then(column(part) / column(of))


def at_most(figure: pl.Expr, most: pl.Expr | float) -> pl.Expr:
    """Return the smaller of two figures; null where one is null."""
    bound = most if isinstance(most, pl.Expr) else pl.lit(most)
    return pl.when(figure > bound).then(bound).when(bound.is_not_null()).then(figure)


def above_0(figure: pl.Expr | str) -> pl.Expr:
    """Return a figure above zero; null for another one."""
    return pl.when(column(figure) > 0).then(column(figure))


def at_least_0(figure: pl.Expr) -> pl.Expr:
    """Return a figure, of one below zero zero; null stays null."""
    return figure.clip(lower_bound=0)


def divided(figure: pl.Expr, by: float) -> pl.Expr:
    """Return a figure divided by a constant: polars would multiply by the inverse of a literal."""
    return figure / (figure * 0 + by)


def first_bit(flags: str, codes: Mapping[int, int]) -> pl.Expr:
    """Return the code of the first bits of which one is set; 0 where none is."""
    code: pl.Expr = pl.when(pl.col(flags).is_not_null()).then(0)
    for bits, of_bits in reversed([*codes.items()]):
        code = pl.when(pl.col(flags) & bits != 0).then(of_bits).otherwise(code)
    return code


def numbered(prefix: str, column: str) -> pl.Expr:
    """Return the name of a thing that has a number of two digits: ``BP03``."""
    return pl.lit(prefix) + pl.col(column).cast(pl.Int64).cast(pl.String).str.zfill(2)


def looked_up(
    name: str | pl.Expr, known: Mapping[str, Any], kind: type[pl.DataType] = pl.String
) -> pl.Expr:
    """Return what is known of each name, of a column or an expression; null where nothing is."""
    if not known:
        return pl.lit(None, kind)
    return column(name).replace_strict(dict(known), default=None, return_dtype=kind)


def micros(column: str) -> pl.Expr:
    """Return an instant as microseconds since 1970, UTC."""
    return pl.col(column).cast(pl.Int64)


def instant(moment_us: pl.Expr) -> pl.Expr:
    """Return the instant of microseconds since 1970, UTC."""
    return moment_us.cast(pl.Datetime("us", "UTC"))


def spanning(start: pl.Expr | str, end: pl.Expr | str) -> tuple[pl.Expr, pl.Expr]:
    """Return two instants as the columns of an interval."""
    return column(start).alias(INTERVAL[0]), column(end).alias(INTERVAL[1])


def length_us() -> pl.Expr:
    """Return the length of the interval in microseconds."""
    return micros(INTERVAL[1]) - micros(INTERVAL[0])


def is_possible() -> pl.Expr:
    """Return whether an interval has a length, and none that a record cannot cover."""
    return (length_us() > 0) & (length_us() <= INTERVAL_MAX_US)


def seconds() -> pl.Expr:
    """Return the length of the interval in seconds."""
    return divided(length_us(), US_PER_S)


@dataclass(frozen=True)
class Gauge:
    """A level that held during the interval; null means not measured."""

    metric: str
    level: pl.Expr | str


@dataclass(frozen=True)
class Counter:
    """An integer counted during the interval, shown as a rate.

    ``amount_per_unit`` of it make the metric's unit for one second: 1/3600 for a rate per hour.
    """

    metric: str
    amount: pl.Expr | str
    amount_per_unit: float = 1.0


def interval_rows(frame: pl.LazyFrame, subject: pl.Expr, *figures: Gauge | Counter) -> pl.LazyFrame:
    """Return a row per row and figure; none where the figure, the subject or an end is null."""
    rows = frame.with_columns(subject.alias("subject"))
    return union(*(_rows_of(rows, figure) for figure in figures))


def union(*frames: pl.LazyFrame) -> pl.LazyFrame:
    """Return all rows of all frames, which have the same columns in the same order."""
    return pl.concat(frames, rechunk=False)


def _rows_of(rows: pl.LazyFrame, figure: Gauge | Counter) -> pl.LazyFrame:
    if isinstance(figure, Gauge):
        level = column(figure.level).cast(pl.Float64)
        amount, per_unit = pl.lit(None, pl.Int64), pl.lit(None, pl.Float64)
    else:
        amount = column(figure.amount).cast(pl.Int64)
        per_unit = pl.lit(figure.amount_per_unit, pl.Float64)
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


HOUR_US: Final = SECONDS_PER_HOUR * US_PER_S


def hour_parts(intervals: pl.LazyFrame) -> pl.LazyFrame:
    """Return a row per interval row and UTC hour that it touches; none of impossible intervals.

    Adds ``start_us``, ``end_us``, ``hour_us``, ``part_start_us`` and ``part_end_us`` (microseconds
    since 1970, UTC), and replaces ``amount`` by its share.
    """
    start, end, hour = pl.col("start_us"), pl.col("end_us"), pl.col("hour_us")
    return (
        intervals.filter(is_possible())
        .with_columns(start_us=micros(INTERVAL[0]), end_us=micros(INTERVAL[1]))
        .with_columns(hour_us=pl.int_ranges(start - start % HOUR_US, end, HOUR_US))
        .explode("hour_us")
        .with_columns(
            part_start_us=pl.max_horizontal(start, hour),
            part_end_us=pl.min_horizontal(end, hour + HOUR_US),
        )
        .with_columns(amount=_amount_until("part_end_us") - _amount_until("part_start_us"))
    )


def whole_hours(intervals: pl.LazyFrame, *figures: pl.Expr) -> pl.LazyFrame:
    """Return a row per queue manager and UTC hour of tasks, whose intervals overlap."""
    hour = pl.col("hour_us")
    return (
        hour_parts(intervals)
        .group_by("sysplex", "qmgr", "hour_us")
        .agg(*figures)
        .with_columns(spanning(instant(hour), instant(hour + HOUR_US)))
    )


def _amount_until(moment: str) -> pl.Expr:
    """Return the amount counted up to an instant, cut to an integer, in exact arithmetic."""
    wide = pl.Int128
    elapsed = (pl.col(moment) - pl.col("start_us")).cast(wide)
    product = pl.col("amount").cast(wide) * elapsed
    length = (pl.col("end_us") - pl.col("start_us")).cast(wide)
    return (product.sign() * (product.abs() // length)).cast(pl.Int64)


def with_fallback(preferred: pl.LazyFrame, fallback: pl.LazyFrame) -> pl.LazyFrame:
    """Return interval rows of ``preferred``, and those of ``fallback`` cut to hours without any.

    Only for gauges. Hour by hour, so that one day gives the same as the complete history.
    """
    return pl.concat([preferred.select(*INTERVAL_COLUMNS), where_lacking(preferred, fallback)])


def where_lacking(preferred: pl.LazyFrame, fallback: pl.LazyFrame) -> pl.LazyFrame:
    """Return gauges of ``fallback``, cut to hours that no row of ``preferred`` touches."""
    hour = ["metric", "subject", "hour_us"]
    rest = (
        hour_parts(fallback)
        .join(hour_parts(preferred).select(*hour).unique(), on=hour, how="anti")
        .with_columns(spanning(instant(pl.col("part_start_us")), instant(pl.col("part_end_us"))))
    )
    return rest.select(*INTERVAL_COLUMNS)


CONSOLE_EVENT: Final = "console_event"
STORAGE_MESSAGE: Final = "CSQX004I"


def storage_intervals(console_event: pl.LazyFrame) -> pl.LazyFrame:
    """Return a row per storage message until the next one within two hours, else its UTC hour."""
    event_us = micros("event_utc")
    next_us = event_us.shift(-1).over("sysplex", "qmgr", order_by=["event_utc", "text"])
    hour_end_us = event_us - event_us % HOUR_US + HOUR_US
    within = next_us - event_us <= CARRY_FORWARD_HOURS * HOUR_US
    return console_event.filter(pl.col("message_id") == STORAGE_MESSAGE).with_columns(
        spanning("event_utc", instant(pl.when(within).then(next_us).otherwise(hour_end_us)))
    )
