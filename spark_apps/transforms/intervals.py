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

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from mqcap.domain.metric import SERIES_SEPARATOR
from spark_apps.qmgr_settings import SettingPeriod
from spark_apps.transforms.keys import INTERVAL

MICROSECONDS: Final = 1_000_000
INTERVAL_COLUMNS: Final = (
    "metric",
    "subject",
    *INTERVAL,
    "level",
    "amount",
    "amount_per_unit",
)


@dataclass(frozen=True)
class Sections:
    """Input of the metrics: deduplicated datasets, and limits from the settings.

    ``chinit_31bit_limits_mib`` maps ``SYSPLEX/QMGR`` to the configured extended private storage,
    ``bridge_queues`` to the names of its IMS bridge queues, ``log_volumes`` to the volumes of its
    active logs; ``setting_periods`` are the settings of distributed queue managers.
    """

    frames: Mapping[str, DataFrame]
    chinit_31bit_limits_mib: Mapping[str, float] = field(default_factory=dict)
    bridge_queues: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    log_volumes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    setting_periods: tuple[SettingPeriod, ...] = ()

    def __getitem__(self, dataset: str) -> DataFrame:
        """Return the rows of one dataset; without rows when no file holds any."""
        return self.frames[dataset]


def path(*parts: Column | str) -> Column:
    """Return a subject: its parts joined, beginning with the sysplex."""
    return sf.concat_ws(SERIES_SEPARATOR, *(sf.col(p) if isinstance(p, str) else p for p in parts))


def number(column: str) -> Column:
    """Return a counter as an integer, zero where the record has none."""
    return sf.coalesce(sf.round(sf.col(column)).cast("bigint"), sf.lit(0).cast("bigint"))


def seconds() -> Column:
    """Return the length of the interval in seconds."""
    return (sf.unix_micros(INTERVAL[1]) - sf.unix_micros(INTERVAL[0])) / sf.lit(MICROSECONDS)


@dataclass(frozen=True)
class Gauge:
    """A level that held during the interval; null means not measured."""

    metric: str
    level: Column


@dataclass(frozen=True)
class Counter:
    """An integer counted during the interval, shown as a rate.

    ``amount_per_unit`` is how many of it make the metric's unit for one second: 1 048 576
    for bytes shown as MiB/s, 1/3600 for a rate per hour.
    """

    metric: str
    amount: Column
    amount_per_unit: float = 1.0


def interval_rows(
    frame: DataFrame, subject: Column, figures: Sequence[Gauge | Counter]
) -> DataFrame:
    """Return an interval row per row of ``frame`` and figure; figures that are null have none."""
    rows = sf.inline(sf.array(*(_figure(figure) for figure in figures)))
    return (
        frame.select(subject.alias("subject"), *INTERVAL, rows)
        .where(sf.col("level").isNotNull())
        .select(*INTERVAL_COLUMNS)
    )


def union(frames: Sequence[DataFrame]) -> DataFrame:
    """Return all rows of all frames, matched by column name.

    Each step makes Spark check the plan so far; in pairs that is less than one after the other.
    """
    if len(frames) == 1:
        return frames[0]
    half = len(frames) // 2
    return union(frames[:half]).unionByName(union(frames[half:]))


def _figure(figure: Gauge | Counter) -> Column:
    if isinstance(figure, Gauge):
        return sf.struct(
            sf.lit(figure.metric).alias("metric"),
            figure.level.cast("double").alias("level"),
            sf.lit(None).cast("bigint").alias("amount"),
            sf.lit(None).cast("double").alias("amount_per_unit"),
        )
    amount = figure.amount.cast("bigint")
    rate = amount / (seconds() * sf.lit(figure.amount_per_unit))
    return sf.struct(
        sf.lit(figure.metric).alias("metric"),
        sf.when(seconds() > 0, rate).cast("double").alias("level"),
        amount.alias("amount"),
        sf.lit(figure.amount_per_unit).alias("amount_per_unit"),
    )
