"""Measured intervals cut at UTC hours, for metrics that decide hour by hour what counts.

The hours of all metrics are cut and added up by Spark (``spark_apps.hours``), in the same way.
"""

from __future__ import annotations

from typing import Final

import polars as pl

from mqcap.domain.units import SECONDS_PER_HOUR, US_PER_S
from spark_apps.transforms.intervals import instant, micros
from spark_apps.transforms.keys import INTERVAL, INTERVAL_MAX_US

HOUR_US: Final = SECONDS_PER_HOUR * US_PER_S


def hour_parts(intervals: pl.LazyFrame) -> pl.LazyFrame:
    """Return a row per interval row and UTC hour that it touches.

    Adds ``start_us``, ``end_us``, ``hour_us``, ``part_start_us`` and ``part_end_us`` (microseconds
    since 1970, UTC), and replaces ``amount`` by its share. Intervals without length, or longer than
    a record can cover, have no rows.
    """
    start, end, hour = pl.col("start_us"), pl.col("end_us"), pl.col("hour_us")
    timed = (
        intervals.with_columns(start_us=micros(INTERVAL[0]), end_us=micros(INTERVAL[1]))
        .filter((end > start) & (end - start <= INTERVAL_MAX_US))
        .with_columns(hour_us=_hour_of(start), last_us=_hour_of(end - 1))
    )
    is_within = hour == pl.col("last_us")
    within = timed.filter(is_within).with_columns(part_start_us=start, part_end_us=end)
    across = (
        timed.filter(~is_within)
        .with_columns(hour_us=pl.int_ranges(hour, pl.col("last_us") + HOUR_US, HOUR_US))
        .explode("hour_us")
        .with_columns(
            part_start_us=pl.max_horizontal(start, hour),
            part_end_us=pl.min_horizontal(end, hour + HOUR_US),
        )
    )
    return pl.concat([within, _apportioned(across)]).drop("last_us")


def whole_hours(parts: pl.LazyFrame, *figures: pl.Expr) -> pl.LazyFrame:
    """Return a row per queue manager and UTC hour of ``hour_parts``, with the hour as interval.

    For tasks, whose intervals overlap: an hour is covered once, however many of them ran in it.
    """
    hour = pl.col("hour_us")
    return (
        parts.group_by("sysplex", "qmgr", "hour_us")
        .agg(*figures)
        .with_columns(instant(hour).alias(INTERVAL[0]), instant(hour + HOUR_US).alias(INTERVAL[1]))
    )


def _hour_of(moment_us: pl.Expr) -> pl.Expr:
    return moment_us - moment_us % HOUR_US


def _apportioned(parts: pl.LazyFrame) -> pl.LazyFrame:
    """Return parts of intervals with the share of the amount that each has."""
    return parts.with_columns(amount=_amount_until("part_end_us") - _amount_until("part_start_us"))


def _amount_until(moment: str) -> pl.Expr:
    """Return the amount counted up to an instant, cut to an integer, in exact arithmetic."""
    wide = pl.Int128
    elapsed = (pl.col(moment) - pl.col("start_us")).cast(wide)
    product = pl.col("amount").cast(wide) * elapsed
    length = (pl.col("end_us") - pl.col("start_us")).cast(wide)
    return (product.sign() * (product.abs() // length)).cast(pl.Int64)
