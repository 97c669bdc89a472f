"""Apportion measured intervals to UTC hours: the only module that splits time.

An interval that spans several hours gives each its share. Counters are split by the floor of
the cumulated amount, so that the parts add up to the total exactly. Daylight saving is no
concern here: hours are UTC hours, and site days are put together later, of whole rows.
"""

from __future__ import annotations

from typing import Final

import polars as pl

from mqcap.domain.units import SECONDS_PER_HOUR, US_PER_S
from spark_apps.attribution.days import SiteDays
from spark_apps.transforms.intervals import divided, instant, micros, path, total
from spark_apps.transforms.keys import INTERVAL, INTERVAL_MAX_US
from spark_apps.transforms.site_midnights import cut_at_midnight, is_any_within_hours

HOUR_US: Final = SECONDS_PER_HOUR * US_PER_S

TIE: Final = 1e-9
"""Relative difference below which two levels count as the same peak (ours)."""

_NAMES: Final = ("metric", "subject")
"""Grouped by number instead of text, which takes half the time."""
_PARTS: Final = (*_NAMES, "hour_us")


def hour_parts(intervals: pl.LazyFrame, site_days: SiteDays | None = None) -> pl.LazyFrame:
    """Return a row per interval row and UTC hour that it touches.

    Adds ``start_us``, ``end_us``, ``hour_us``, ``part_start_us`` and ``part_end_us`` (microseconds
    since 1970, UTC), and replaces ``amount`` by its share. Intervals without length, or longer than
    a record can cover, have no rows. With ``site_days``, an hour in which a site date begins counts
    as two; the second one has that instant as its ``hour_us``.
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
    if site_days is None or not is_any_within_hours(site_days):
        return pl.concat([within, _apportioned(across)]).drop("last_us")
    return _apportioned(cut_at_midnight(pl.concat([within, across]).drop("last_us"), site_days))


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


def hourly(intervals: pl.LazyFrame, site_days: SiteDays | None = None) -> pl.LazyFrame:
    """Return a row per metric, subject and UTC hour: the columns of METRIC_HOURLY.

    A UTC hour in which a site date begins (zones with half hours) has a row for each date.

    ``value`` is the mean over the covered time: the total over it for counters, the mean
    weighted by time for gauges. ``peak`` is the highest level among the intervals that touch
    the hour, ``peak_interval_start_utc`` the first of those. An hour that no interval touches
    has no row.
    """
    covered_us = pl.col("part_end_us") - pl.col("part_start_us")
    grouped = (
        hour_parts(intervals, site_days)
        .with_columns(
            pl.col(_NAMES).cast(pl.Categorical),
            covered_us=covered_us,
            level_us=_level_us(covered_us),
            order=_precedence(),
        )
        .group_by(*_PARTS)
        .agg(
            pl.col("level_us").cast(pl.Int128).sum(),
            pl.col("level_us").is_not_null().all().alias("is_exact"),
            (pl.col("level") * pl.col("covered_us")).sum().alias("level_sum"),
            total(pl.col("amount")).cast(pl.Float64).alias("total"),
            pl.col("amount_per_unit").max(),
            pl.col("covered_us").sum(),
            pl.col("level").max().alias("peak"),
            pl.col("start_us").max_by("order").alias("peak_start_us"),
            pl.len().cast(pl.Int64).alias("interval_count"),
        )
    )
    hour = instant(pl.col("hour_us"))
    return grouped.select(
        pl.col(_NAMES).cast(pl.String),
        path("metric", "subject").alias("series_id"),
        hour.alias("hour_utc"),
        _value().alias("value"),
        "peak",
        instant(pl.col("peak_start_us")).alias("peak_interval_start_utc"),
        "total",
        divided(pl.col("covered_us"), US_PER_S).alias("covered_seconds"),
        "interval_count",
        hour.dt.date().alias("hour_date"),
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


def _value() -> pl.Expr:
    """Return the total over covered time for counters; for gauges the mean weighted by time.

    Levels are added as integers of unit-microseconds: exact, hence the same in whatever
    order rows arrive. Of levels above 2.5e9, which do not fit, numbers with 53 bits are added.
    """
    rate = pl.col("total") * US_PER_S / (pl.col("covered_us") * pl.col("amount_per_unit"))
    exact = pl.col("level_us").cast(pl.Int64, strict=False)
    summed = pl.when("is_exact").then(exact.cast(pl.Float64))
    mean = summed.fill_null(pl.col("level_sum")) / pl.col("covered_us")
    return pl.when(pl.col("total").is_not_null()).then(rate).otherwise(mean)


def _level_us(covered_us: pl.Expr) -> pl.Expr:
    """Return level times covered time in integer unit-microseconds, for gauges only."""
    product_us = (pl.col("level") * covered_us).round(mode="half_away_from_zero")
    return pl.when(pl.col("amount").is_null()).then(product_us.cast(pl.Int64, strict=False))


def _precedence() -> pl.Expr:
    """Return the sort value: the level; of levels equal to nine digits the earlier start wins."""
    lateness = divided(pl.col("start_us") - pl.col("hour_us"), INTERVAL_MAX_US)
    return pl.col("level") - (pl.col("level").abs() + 1) * TIE * lateness
