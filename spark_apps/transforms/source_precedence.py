"""Precedence of two sources of the same gauge: the fallback fills hours that the other lacks."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from spark_apps.transforms.hourly import hour_parts
from spark_apps.transforms.intervals import INTERVAL_COLUMNS


def with_fallback(preferred: DataFrame, fallback: DataFrame) -> DataFrame:
    """Return interval rows of ``preferred``, and those of ``fallback`` cut to hours without any.

    Only for gauges. The choice is made hour by hour from what touches that hour, so that it is
    the same whether one day or the complete history is computed.
    """
    rest = where_lacking(preferred, fallback)
    return preferred.select(*INTERVAL_COLUMNS).unionByName(rest)


def where_lacking(preferred: DataFrame, fallback: DataFrame) -> DataFrame:
    """Return interval rows of ``fallback``, cut to hours that no row of ``preferred`` touches.

    Of ``preferred`` only metric, subject and interval are used. Only for gauges.
    """
    hour = ["metric", "subject", "hour_us"]
    taken = hour_parts(preferred).select(*hour).distinct()
    rest = (
        hour_parts(fallback)
        .join(taken, on=hour, how="left_anti")
        .withColumn("interval_start_utc", sf.timestamp_micros("part_start_us"))
        .withColumn("interval_end_utc", sf.timestamp_micros("part_end_us"))
    )
    return rest.select(*INTERVAL_COLUMNS)
