"""Hours of measured intervals, by Spark SQL: the program that makes ``metric_hourly``.

An interval that spans several hours gives each its share. Counters are split by the floor of the
cumulated amount, so that the parts add up to the total exactly. Hours are UTC hours.
"""

from typing import Final

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - Spark's own convention

from spark_apps.transforms.site_midnights import SiteDays

TIE: Final = 1e-9
"""Relative difference below which two levels count as the same peak (ours)."""

_PARTS: Final = """
    SELECT *, greatest(start_us, hour_us) AS part_start_us,
              least(end_us, hour_us + 3600000000) AS part_end_us
    FROM {measured}
    LATERAL VIEW explode(
        CASE WHEN finished IS NOT NULL THEN array(0L)
        WHEN start_us DIV 3600000000 = (end_us - 1) DIV 3600000000
            THEN array(start_us - start_us % 3600000000)
        ELSE sequence(
            greatest(start_us - start_us % 3600000000, unix_date(hour_date) * 86400000000),
            least(end_us - 1, unix_date(hour_date) * 86400000000 + 86399999999),
            3600000000)
        END) AS hour_us
"""
"""A row per interval and UTC hour that it touches on its date."""

_METRIC_HOURLY: Final = """
    WITH shares AS (
        SELECT *, part_end_us - part_start_us AS covered_us,
            CASE WHEN part_start_us = start_us AND part_end_us = end_us THEN amount
            ELSE CAST(amount AS DECIMAL(19, 0)) * (part_end_us - start_us) DIV (end_us - start_us)
               - CAST(amount AS DECIMAL(19, 0)) * (part_start_us - start_us)
                    DIV (end_us - start_us)
            END AS share,
            level * (part_end_us - part_start_us) AS level_over_time
        FROM {parts}
    ), hours AS (
        SELECT hour_date, series, finished, hour_us,
            try_sum(CASE WHEN amount IS NULL AND abs(level_over_time) < 9.2E18D THEN
                try_cast(level_over_time AS BIGINT)
                + CASE WHEN level_over_time - try_cast(level_over_time AS BIGINT) >= 0.5D THEN 1
                       WHEN level_over_time - try_cast(level_over_time AS BIGINT) <= -0.5D THEN -1
                       ELSE 0 END
                END) AS level_us,
            count_if(amount IS NULL AND NOT abs(level_over_time) < 9.2E18D) = 0 AS is_exact,
            sum(level_over_time) AS level_sum,
            CAST(try_sum(share) AS DOUBLE) AS total,
            max(amount_per_unit) AS amount_per_unit,
            sum(covered_us) AS covered_us,
            max(level) AS peak,
            max_by(start_us, level - (abs(level) + 1) * {tie}
                * (CAST(start_us - hour_us AS DOUBLE) / 90000000000D)) AS peak_start_us,
            count(*) AS interval_count
        FROM shares
        GROUP BY hour_date, series, finished, hour_us
    )
    SELECT series, timestamp_micros(hour_us) AS hour_utc,
        CASE WHEN total IS NOT NULL THEN total * 1000000 / (covered_us * amount_per_unit)
             ELSE coalesce(CASE WHEN is_exact THEN CAST(level_us AS DOUBLE) END, level_sum)
                  / covered_us END AS value,
        peak, timestamp_micros(peak_start_us) AS peak_interval_start_utc, total,
        covered_us / 1000000D AS covered_seconds, interval_count, hour_date, finished
    FROM hours
"""
"""A row per series and hour: of amounts the shares, exact to the last unit, of levels those over
time, added as integers of unit-microseconds: the same in whatever order rows arrive. Of levels
above 2.5e9, which do not fit, numbers with 53 bits are."""


def hours(measured: DataFrame, site_days: SiteDays) -> DataFrame:
    """Return the columns of METRIC_HOURLY, with ``series`` and ``finished`` of ``MEASURED``.

    ``value`` is the total over the covered time for counters, the mean weighted by time for gauges.
    ``peak`` is the highest level among the intervals that touch the hour,
    ``peak_interval_start_utc`` the first of those. An hour that no interval touches has no row; one
    in which a site date begins (zones with half hours) has a row for each date. Finished tables
    pass through.
    """
    spark = measured.sparkSession
    parts = _cut_at_midnight(spark.sql(_PARTS, measured=measured), site_days)
    return spark.sql(_METRIC_HOURLY.replace("{tie}", f"{TIE!r}D"), parts=parts)


def _cut_at_midnight(parts: DataFrame, site_days: SiteDays) -> DataFrame:
    """Return the parts cut where a site date begins within an hour; then it begins an hour too."""
    midnight = F.lit(None).cast("long")
    hour_end = F.timestamp_micros(F.col("hour_us") + 3_599_999_999)
    for number, zone in enumerate(site_days.within_hours()):
        begun = F.date_trunc("day", F.from_utc_timestamp(hour_end, zone))
        begun_us = F.unix_micros(F.to_utc_timestamp(begun, zone))
        midnight = F.when(F.col("zone") == number, begun_us).otherwise(midnight)
    if not site_days.within_hours():
        return parts
    hour, at, end = F.col("hour_us"), F.col("midnight_us"), F.col("part_end_us")
    begin = F.explode(F.when(at > hour, F.array(hour, at)).otherwise(F.array(hour)))
    return (
        parts.withColumn("midnight_us", midnight)
        .withColumn("hour_us", begin)
        .withColumn("part_start_us", F.greatest("part_start_us", "hour_us"))
        .withColumn("part_end_us", F.when(hour < at, F.least(end, at)).otherwise(end))
        .drop("midnight_us")
        .where("finished IS NOT NULL OR part_start_us < part_end_us")
    )
