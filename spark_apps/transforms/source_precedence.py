"""Precedence of two sources of the same gauge: the fallback fills hours that the other lacks."""

from __future__ import annotations

import polars as pl

from spark_apps.transforms.hourly import hour_parts
from spark_apps.transforms.intervals import INTERVAL_COLUMNS, instant
from spark_apps.transforms.keys import INTERVAL


def with_fallback(preferred: pl.LazyFrame, fallback: pl.LazyFrame) -> pl.LazyFrame:
    """Return interval rows of ``preferred``, and those of ``fallback`` cut to hours without any.

    Only for gauges. The choice is made hour by hour from what touches that hour, so that it is
    the same whether one day or the complete history is computed.
    """
    return pl.concat([preferred.select(*INTERVAL_COLUMNS), where_lacking(preferred, fallback)])


def where_lacking(preferred: pl.LazyFrame, fallback: pl.LazyFrame) -> pl.LazyFrame:
    """Return interval rows of ``fallback``, cut to hours that no row of ``preferred`` touches.

    Of ``preferred`` only metric, subject and interval are used. Only for gauges.
    """
    hour = ["metric", "subject", "hour_us"]
    rest = (
        hour_parts(fallback)
        .join(hour_parts(preferred).select(*hour).unique(), on=hour, how="anti")
        .with_columns(
            instant(pl.col("part_start_us")).alias(INTERVAL[0]),
            instant(pl.col("part_end_us")).alias(INTERVAL[1]),
        )
    )
    return rest.select(*INTERVAL_COLUMNS)
