"""Apportion measured intervals to UTC hours: the only module that splits time.

An interval that spans several hours gives each its share. Counters are split by the floor of
the cumulated amount, so that the parts add up to the total exactly. Daylight saving is no
concern here: hours are UTC hours, and site days are put together later, of whole rows.
"""

from __future__ import annotations

from typing import Final

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from mqcap.domain.metric import SERIES_SEPARATOR
from mqcap.domain.units import SECONDS_PER_HOUR
from spark_apps.attribution.days import SiteDays
from spark_apps.transforms.intervals import MICROSECONDS
from spark_apps.transforms.keys import INTERVAL, INTERVAL_MAX_US
from spark_apps.transforms.site_midnights import cut_at_midnight

HOUR_US: Final = SECONDS_PER_HOUR * MICROSECONDS

TIE: Final = 1e-9
"""Relative difference below which two levels count as the same peak (ours)."""

_PARTS: Final = ("metric", "subject", "hour_us")


def hour_parts(intervals: DataFrame, site_days: SiteDays | None = None) -> DataFrame:
    """Return a row per interval row and UTC hour that it touches.

    Adds ``hour_us``, ``part_start_us`` and ``part_end_us`` (microseconds since 1970, UTC), and
    replaces ``amount`` by its share. Intervals without length, or longer than a record can
    cover, have no rows. With ``site_days``, an hour in which a site date begins counts as two;
    the second one has that instant as its ``hour_us``.
    """
    length = sf.col("end_us") - sf.col("start_us")
    hours = sf.sequence(
        _hour_of(sf.col("start_us")), _hour_of(sf.col("end_us") - 1), sf.lit(HOUR_US).cast("bigint")
    )
    split = (
        intervals.withColumn("start_us", sf.unix_micros("interval_start_utc"))
        .withColumn("end_us", sf.unix_micros("interval_end_utc"))
        .where((length > 0) & (length <= INTERVAL_MAX_US))
        .withColumn("hour_us", sf.explode(hours))
        .withColumn("part_start_us", sf.greatest("start_us", "hour_us"))
        .withColumn("part_end_us", sf.least(sf.col("end_us"), sf.col("hour_us") + HOUR_US))
    )
    if site_days is not None:
        split = cut_at_midnight(split, site_days)
    share = _amount_until("part_end_us") - _amount_until("part_start_us")
    return split.withColumn("amount", share)


def whole_hours(parts: DataFrame, *figures: Column) -> DataFrame:
    """Return a row per queue manager and UTC hour of ``hour_parts``, with the hour as interval.

    For tasks, whose intervals overlap: an hour is covered once, however many of them ran in it.
    """
    start, end = INTERVAL
    return (
        parts.groupBy("sysplex", "qmgr", "hour_us")
        .agg(*figures)
        .withColumn(start, sf.timestamp_micros("hour_us"))
        .withColumn(end, sf.timestamp_micros(sf.col("hour_us") + HOUR_US))
    )


def hourly(intervals: DataFrame, site_days: SiteDays | None = None) -> DataFrame:
    """Return a row per metric, subject and UTC hour: the columns of METRIC_HOURLY.

    A UTC hour in which a site date begins (zones with half hours) has a row for each date.

    ``value`` is the mean over the covered time: the total over it for counters, the mean
    weighted by time for gauges. ``peak`` is the highest level among the intervals that touch
    the hour, ``peak_interval_start_utc`` the first of those. An hour that no interval touches
    has no row.
    """
    parts = hour_parts(intervals, site_days).withColumn("hour_date", _date_of("hour_us"))
    covered_us = sf.col("part_end_us") - sf.col("part_start_us")
    grouped = (
        parts.repartition("hour_date")
        .groupBy("hour_date", *_PARTS)
        .agg(
            sf.try_sum(_level_us(covered_us)).alias("level_us"),
            sf.bool_and(_level_us(covered_us).isNotNull()).alias("is_exact"),
            sf.sum(sf.col("level") * covered_us).alias("level_sum"),
            sf.sum("amount").cast("double").alias("total"),
            sf.max("amount_per_unit").alias("amount_per_unit"),
            sf.sum(covered_us).alias("covered_us"),
            sf.max("level").alias("peak"),
            sf.max_by("start_us", _precedence()).alias("peak_start_us"),
            sf.count("*").alias("interval_count"),
        )
    )
    return grouped.select(
        "metric",
        "subject",
        sf.concat_ws(SERIES_SEPARATOR, "metric", "subject").alias("series_id"),
        sf.timestamp_micros("hour_us").alias("hour_utc"),
        _value().alias("value"),
        "peak",
        sf.timestamp_micros("peak_start_us").alias("peak_interval_start_utc"),
        "total",
        (sf.col("covered_us") / sf.lit(MICROSECONDS)).alias("covered_seconds"),
        "interval_count",
        "hour_date",
    )


def _date_of(instant_us: str) -> Column:
    return sf.timestamp_micros(instant_us).cast("date")


def _hour_of(instant_us: Column) -> Column:
    return instant_us - sf.pmod(instant_us, sf.lit(HOUR_US).cast("bigint"))


def _amount_until(column: str) -> Column:
    """Return the floor of the amount counted up to an instant, in exact integer arithmetic."""
    return sf.expr(
        f"""
        case when amount is null then null
             when {column} = start_us then 0L
             when {column} = end_us then amount
             else cast(amount as decimal(19,0)) * cast({column} - start_us as decimal(18,0))
                  div cast(end_us - start_us as decimal(18,0))
        end
        """
    )


def _value() -> Column:
    """Return the total over covered time for counters; for gauges the mean weighted by time.

    Levels are added as integers of unit-microseconds: exact, hence the same in whatever
    order rows arrive. Of levels above 2.5e9, which do not fit, numbers with 53 bits are added.
    """
    rate = (
        sf.col("total") * sf.lit(MICROSECONDS) / (sf.col("covered_us") * sf.col("amount_per_unit"))
    )
    fits = sf.col("is_exact") & sf.col("level_us").isNotNull()
    summed = sf.when(fits, sf.col("level_us")).otherwise(sf.col("level_sum"))
    mean = summed / sf.col("covered_us")
    return sf.when(sf.col("total").isNotNull(), rate).otherwise(mean)


def _level_us(covered_us: Column) -> Column:
    """Return level times covered time in integer unit-microseconds, for gauges only."""
    product_us = sf.round(sf.col("level") * covered_us).try_cast("bigint")
    return sf.when(sf.col("amount").isNull(), product_us)


def _precedence() -> Column:
    """Return the sort value: the level; of levels equal to nine digits the earlier start wins."""
    lateness = (sf.col("start_us") - sf.col("hour_us")) / sf.lit(float(INTERVAL_MAX_US))
    return sf.col("level") - (sf.abs("level") + 1) * sf.lit(TIE) * lateness
