"""The metrics that have parts, by day: their mean, and the amount that their parts are parts of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from mqcap.domain.metric import SERIES_SEPARATOR, Metric
from spark_apps.attribution.days import DAYS, SiteDays
from spark_apps.attribution.parts import MILLISECOND_US
from spark_apps.metrics import (
    buffer_pool,
    call_cpu,
    channels,
    chinit_storage,
    coupling_facility,
    log,
    messages,
    structure,
)
from spark_apps.transforms.intervals import MICROSECONDS, Sections, path, union
from spark_apps.transforms.keys import INTERVAL, INTERVAL_MAX_US

_STORAGE: Final = (chinit_storage.USED_31BIT, chinit_storage.USED_64BIT)
_SOURCES: Final[tuple[tuple[Callable[[Sections], DataFrame], tuple[Metric, ...]], ...]] = (
    (log.intervals, (log.LOG_GROWTH,)),
    (messages.intervals, (messages.PUT_RATE,)),
    (call_cpu.intervals, (call_cpu.CALL_CPU,)),
    (coupling_facility.intervals, (coupling_facility.CF_BUSY,)),
    (buffer_pool.intervals, (buffer_pool.BUFFER_POOL_USED,)),
    (channels.intervals, (channels.CURRENT,)),
    (chinit_storage.intervals, _STORAGE),
)
_OF_INTERVALS: Final = tuple(metric for _, metrics in _SOURCES for metric in metrics)
_OF_STRUCTURES: Final = {structure.ENTRIES_USED: "entries", structure.ELEMENTS_USED: "elements"}
"""Column of ``structure.once_of_members`` with the number that its parts add up to."""
ATTRIBUTED: Final = (*_OF_INTERVALS, *_OF_STRUCTURES)
"""The metrics that have parts."""
_BY_LEVEL: Final = (channels.CURRENT.name, *(metric.name for metric in _STORAGE))
"""Gauges whose parts are counted in the same unit; their amount is unit-microseconds."""


def attributed(sections: Sections) -> DataFrame:
    """Return the interval rows of the metrics that have parts, and of others of their modules."""
    return union([source(sections) for source, _ in _SOURCES])


def wholes(intervals: DataFrame, sections: Sections, site_days: SiteDays) -> DataFrame:
    """Return a row per metric, subject and day: value, covered_seconds, base.

    ``value`` is the mean over the covered time, as in ``metric_hourly``. ``base`` is the whole in
    the base unit in which its parts are counted; null where the metric is divided by weights.

    Args:
        intervals: Interval rows of the metrics that have parts; others are left out.
        sections: The sections that these are made from.
        site_days: Zones of the sysplexes.
    """
    names = [metric.name for metric in _OF_INTERVALS]
    measured = intervals.where(sf.col("metric").isin(names)).withColumn("base", _own_base())
    rows = measured.unionByName(_structures(sections))
    level_us = sf.round(sf.col("level") * _length_us()).cast("bigint")
    sums = (
        rows.where((_length_us() > 0) & (_length_us() <= INTERVAL_MAX_US))
        .withColumns(dict(zip(DAYS, _days(site_days), strict=True)))
        .groupBy("metric", "subject", *DAYS)
        .agg(
            sf.sum(sf.when(sf.col("amount").isNull(), level_us)).alias("level_us"),
            sf.sum("amount").cast("double").alias("total"),
            sf.max("amount_per_unit").alias("per_unit"),
            sf.sum(sf.when(sf.col("level").isNotNull(), _length_us())).alias("covered_us"),
            sf.sum("base").alias("base"),
        )
    )
    covered_seconds = sf.col("covered_us") / sf.lit(MICROSECONDS)
    rate = sf.col("total") / (covered_seconds * sf.col("per_unit"))
    mean = sf.col("level_us") / sf.col("covered_us")
    return sums.where(sf.col("covered_us") > 0).select(
        "metric",
        "subject",
        *DAYS,
        sf.when(sf.col("total").isNotNull(), rate).otherwise(mean).alias("value"),
        covered_seconds.alias("covered_seconds"),
        "base",
    )


def _days(site_days: SiteDays) -> list[Column]:
    """Return the columns of ``DAYS`` for rows with a subject and an interval."""
    sysplex = sf.substring_index("subject", SERIES_SEPARATOR, 1)
    start = sf.col(INTERVAL[0])
    local = sf.from_utc_timestamp(start, site_days.default_zone)
    for name, zone in sorted(site_days.zones.items()):
        if zone != site_days.default_zone:  # a literal zone is looked up once, not for each row
            local = sf.when(sysplex == name, sf.from_utc_timestamp(start, zone)).otherwise(local)
    return [start.cast("date"), local.cast("date")]


def _length_us() -> Column:
    """Return the length of the interval in microseconds."""
    return sf.unix_micros(INTERVAL[1]) - sf.unix_micros(INTERVAL[0])


def _own_base() -> Column:
    """Return the amount of a counter, and of some gauges their level over time."""
    level_us = sf.round(sf.col("level") * _length_us()).cast("bigint")
    return sf.coalesce("amount", sf.when(sf.col("metric").isin(list(_BY_LEVEL)), level_us))


def _structures(sections: Sections) -> DataFrame:
    """Return entries and elements used of each structure, with their numbers over time."""
    length_ms = sf.floor(_length_us() / sf.lit(MILLISECOND_US))
    figures = [
        sf.struct(
            sf.lit(metric.name).alias("metric"),
            sf.col(f"{number}_pct").alias("level"),
            (sf.col(number).cast("bigint") * length_ms).alias("base"),
        )
        for metric, number in _OF_STRUCTURES.items()
    ]
    rows = structure.once_of_members(sections).select(
        path("sysplex", "cf", "r744snam").alias("subject"), *INTERVAL, sf.inline(sf.array(*figures))
    )
    return rows.where(sf.col("level").isNotNull()).select(
        "metric",
        "subject",
        *INTERVAL,
        "level",
        sf.lit(None).cast("bigint").alias("amount"),
        sf.lit(None).cast("double").alias("amount_per_unit"),
        "base",
    )
