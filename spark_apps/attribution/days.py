"""Days of the rows of attribution: site date and UTC date on which an interval begins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from mqcap.domain.attribution import PartKind
from mqcap.domain.metric import Metric
from spark_apps.transforms.hourly import INTERVAL_MAX_US
from spark_apps.transforms.keys import INTERVAL

DAYS: Final = ("hour_date", "site_date")
PART: Final = ("metric", "subject", "breakdown", "kind", "part")
PART_COLUMNS: Final = (*PART, *DAYS, "amount")
"""A part on a day: ``amount`` is an integer in base units, so that sums do not depend on order."""


@dataclass(frozen=True)
class SiteDays:
    """Time zones that decide on which site date an interval begins."""

    zones: Mapping[str, str] = field(default_factory=dict)
    """Zone by sysplex."""
    default_zone: str = "UTC"

    def of(self, sysplex: Column) -> list[Column]:
        """Return the columns of ``DAYS`` for rows with an interval."""
        start = sf.col(INTERVAL[0])
        local = sf.from_utc_timestamp(start, self.default_zone)
        for name, zone in sorted(self.zones.items()):
            if zone != self.default_zone:  # a literal zone is looked up once, not for each row
                in_zone = sf.from_utc_timestamp(start, zone)
                local = sf.when(sysplex == name, in_zone).otherwise(local)
        return [start.cast("date").alias(DAYS[0]), local.cast("date").alias(DAYS[1])]


def length_us() -> Column:
    """Return the length of the interval in microseconds."""
    return sf.unix_micros(INTERVAL[1]) - sf.unix_micros(INTERVAL[0])


def has_length() -> Column:
    """Return whether an interval can be one of a record: of some length, at most 25 hours."""
    return (length_us() > 0) & (length_us() <= sf.lit(INTERVAL_MAX_US))


def named(frame: DataFrame, breakdown: PartKind, name: Column) -> DataFrame:
    """Return the rows with the columns breakdown, kind and part; without a name it is ``other``."""
    is_named = sf.coalesce(sf.trim(name), sf.lit("")) != ""
    return frame.withColumns(
        {
            "breakdown": sf.lit(str(breakdown)),
            "kind": sf.when(is_named, str(breakdown)).otherwise(str(PartKind.other)),
            "part": sf.when(is_named, name).otherwise(f"no {breakdown}"),
        }
    )


def part_rows(frame: DataFrame, figures: Sequence[tuple[Metric, Column, str]]) -> DataFrame:
    """Return a part row per row of ``frame`` and figure with a subject and an amount above zero.

    Args:
        frame: Rows that are ``named``, with the columns of ``DAYS``.
        figures: Metric, subject, and the column with the amount.
    """
    structs = [
        sf.struct(
            sf.lit(metric.name).alias("metric"),
            subject.alias("subject"),
            sf.col(amount).cast("bigint").alias("amount"),
        )
        for metric, subject, amount in figures
    ]
    rows = frame.select("breakdown", "kind", "part", *DAYS, sf.inline(sf.array(*structs)))
    return rows.where((sf.col("amount") > 0) & sf.col("subject").isNotNull()).select(*PART_COLUMNS)
