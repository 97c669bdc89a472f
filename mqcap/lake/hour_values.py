"""The hours behind the days of a series, read from the lake without Spark."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as pds

from mqcap.domain.datasets import METRIC_HOURLY

MOST_DAYS: Final = 31
"""Partitions read for one question at most, so that a page stays quick (ours)."""
_COLUMNS: Final = (
    "hour_utc",
    "value",
    "peak",
    "peak_interval_start_utc",
    "covered_seconds",
    "interval_count",
)


class HourValue(NamedTuple):
    """One measured UTC hour of one series, in its unit; an hour not measured has none."""

    hour_utc: datetime
    value: float
    """Mean over the covered time."""
    peak: float
    """The highest interval that touches the hour."""
    peak_interval_start_utc: datetime
    covered_seconds: float
    interval_count: int


def day_bounds(first: date, last: date, zone: str) -> tuple[datetime, datetime]:
    """Begin of the first and end of the last site day, as instants in UTC."""
    place = ZoneInfo(zone)
    begin = datetime.combine(first, time(), place).astimezone(UTC)
    return begin, datetime.combine(last + timedelta(days=1), time(), place).astimezone(UTC)


def hour_values(lake: Path, series_id: str, begin: datetime, end: datetime) -> list[HourValue]:
    """The measured hours from ``begin`` up to, not with, ``end``, in order; at most 31 dates.

    Empty where the lake has none: not measured, not aggregated, or removed with old days.
    """
    paths = partition_paths(lake, METRIC_HOURLY.name, begin.date(), end.date())
    if not paths:
        return []
    wanted = (
        (pc.field("series_id") == series_id)
        & (pc.field("hour_utc") >= instant(begin))
        & (pc.field("hour_utc") < instant(end))
    )
    table = pds.dataset(paths, format="parquet").to_table(columns=list(_COLUMNS), filter=wanted)
    rows = [HourValue(**row) for row in table.to_pylist()]
    return sorted(
        one._replace(
            hour_utc=as_utc(one.hour_utc),
            peak_interval_start_utc=as_utc(one.peak_interval_start_utc),
        )
        for one in rows
    )


def partition_paths(lake: Path, dataset: str, first: date, last: date) -> list[str]:
    """The files of the partitions from ``first`` to ``last``, of the latest 31 dates."""
    days = [first + timedelta(days=count) for count in range((last - first).days + 1)]
    folders = [lake / dataset / f"hour_date={day.isoformat()}" for day in days[-MOST_DAYS:]]
    return [str(path) for folder in folders for path in sorted(folder.glob("*.parquet"))]


def instant(moment: datetime) -> pa.Scalar:
    """An instant as the files hold it."""
    return pa.scalar(moment, pa.timestamp("us", tz="UTC"))


def as_utc(moment: datetime) -> datetime:
    """An instant of a file in Python's own UTC."""
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
