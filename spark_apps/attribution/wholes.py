"""The metrics that have parts, by day: their mean, and the amount that their parts are parts of."""

from typing import Final

import polars as pl

from mqcap.domain.subject import SERIES_SEPARATOR
from mqcap.domain.units import US_PER_S
from spark_apps.attribution.parts import DAYS, MILLISECOND_US, measured
from spark_apps.metrics import (
    accounting,
    buffer_pools,
    channel_initiators,
    coupling_facility,
    distributed,
    local_queues,
    logs,
    structures,
)
from spark_apps.transforms.intervals import Sections, divided, length_us, path, total, union, whole
from spark_apps.transforms.keys import INTERVAL
from spark_apps.transforms.site_midnights import SiteDays

_STORAGE: Final = (channel_initiators.USED_31BIT, channel_initiators.USED_64BIT)
_OF_INTERVALS: Final = (
    logs.LOG_GROWTH,
    local_queues.PUT_RATE,
    accounting.CALL_CPU,
    coupling_facility.CF_BUSY,
    buffer_pools.BUFFER_POOL_USED,
    channel_initiators.CURRENT,
    *_STORAGE,
    distributed.PUTS,
    distributed.PUT_MIB,
    distributed.QUEUE_PUTS,
    distributed.QUEUE_PUT_MIB,
)
_OF_STRUCTURES: Final = {structures.ENTRIES_USED: "entries", structures.ELEMENTS_USED: "elements"}
"""Column of ``structures.once_of_members`` with the number that its parts add up to."""
ATTRIBUTED: Final = (*_OF_INTERVALS, *_OF_STRUCTURES)
"""The metrics that have parts."""
_BY_LEVEL: Final = (channel_initiators.CURRENT, *_STORAGE)
"""Gauges whose parts are counted in the same unit; their amount is unit-microseconds."""


def wholes(intervals: pl.LazyFrame, sections: Sections, site_days: SiteDays) -> pl.LazyFrame:
    """Return a row per metric, subject and day: value, covered_seconds, base.

    ``value`` is the mean over the covered time, as in ``metric_hourly``. ``base`` is the whole in
    the base unit in which its parts are counted; null where the metric is divided by weights.
    ``intervals`` are interval rows made from ``sections``; those without parts are left out.
    """
    level_us = whole(pl.col("level") * length_us())
    by_level = pl.when(pl.col("metric").is_in(_BY_LEVEL)).then(level_us)
    of_intervals = intervals.filter(pl.col("metric").is_in(_OF_INTERVALS)).with_columns(
        base=pl.coalesce("amount", by_level)
    )
    length, amount, start = length_us(), pl.col("amount"), pl.col(INTERVAL[0])
    root = pl.col("subject").str.split(SERIES_SEPARATOR).list.first()
    sums = (
        measured(union(of_intervals, _structures(sections)))
        .with_columns(
            start.dt.date().alias(DAYS[0]),
            site_days.local_date(root, start).alias(DAYS[1]),
            level_us=pl.when(amount.is_null()).then(level_us),
        )
        .group_by("metric", "subject", *DAYS)
        .agg(
            total("level_us"),
            total(amount).cast(pl.Float64).alias("total"),
            pl.col("amount_per_unit").max(),
            total(length).alias("covered_us"),
            total("base"),
        )
    )
    covered_seconds = divided(pl.col("covered_us"), US_PER_S)
    rate = pl.col("total") / (covered_seconds * pl.col("amount_per_unit"))
    mean = pl.col("level_us") / pl.col("covered_us")
    return sums.filter(pl.col("covered_us") > 0).select(
        "metric",
        "subject",
        *DAYS,
        pl.when(pl.col("total").is_not_null()).then(rate).otherwise(mean).alias("value"),
        covered_seconds.alias("covered_seconds"),
        "base",
    )


def _structures(sections: Sections) -> pl.LazyFrame:
    """Return entries and elements used of each structure, with their numbers over time."""
    length_ms = length_us() // MILLISECOND_US
    rows = structures.once_of_members(sections).with_columns(
        path("sysplex", "cf", "r744snam").alias("subject")
    )
    return union(
        *(
            rows.select(
                pl.lit(metric).alias("metric"),
                "subject",
                *INTERVAL,
                pl.col(f"{number}_pct").alias("level"),
                pl.lit(None, pl.Int64).alias("amount"),
                pl.lit(None, pl.Float64).alias("amount_per_unit"),
                (pl.col(number) * length_ms).alias("base"),
            )
            for metric, number in _OF_STRUCTURES.items()
        )
    ).filter(pl.col("level").is_not_null())
