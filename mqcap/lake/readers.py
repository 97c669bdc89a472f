"""Read hours and intervals of a series, and parts of metrics, from the lake, without Spark."""

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo

import pyarrow as pa
import pyarrow.compute as pc

from mqcap.domain.attribution import PartDay, PartKind
from mqcap.domain.datasets import METRIC_HOURLY, METRIC_INTERVAL, METRIC_PART, Dataset
from mqcap.domain.metric import series_id
from mqcap.lake.layout import hour_partitions, partitions
from mqcap.lake.location import Location
from mqcap.lake.tables import partition_rows

DATES_MAX: Final = 31
"""Partitions read by one call at most, so that a page stays quick (ours)."""
INTERVAL_MAX: Final = timedelta(days=1)
"""An interval that reaches into the requested time began at most so long before it."""


class HourValue(NamedTuple):
    """A measured UTC hour of one series, in its unit; an hour that was not measured has none."""

    hour_utc: datetime
    value: float
    """Mean over the covered time."""
    peak: float
    """The highest interval that touches the hour."""
    peak_interval_start_utc: datetime
    covered_seconds: float
    interval_count: int


class IntervalValue(NamedTuple):
    """A measured interval of one series, in its unit."""

    start_utc: datetime
    end_utc: datetime
    level: float


def day_bounds(first: date, last: date, zone: str) -> tuple[datetime, datetime]:
    """Return the begin of the first and the end of the last site day, as instants in UTC."""
    site_zone = ZoneInfo(zone)
    begin = datetime.combine(first, time(), site_zone).astimezone(UTC)
    return begin, datetime.combine(last + timedelta(days=1), time(), site_zone).astimezone(UTC)


def hour_values(lake: Location, series_id: str, begin: datetime, end: datetime) -> list[HourValue]:
    """Return measured hours that start in ``[begin, end)``, of the last 31 UTC dates, in order."""
    in_time = (pc.field("hour_utc") >= instant(begin)) & (pc.field("hour_utc") < instant(end))
    dates = (begin.date(), end.date())
    rows = _rows(lake, METRIC_HOURLY.name, series_id, dates, in_time, HourValue._fields)
    times = ("hour_utc", "peak_interval_start_utc")
    return sorted(HourValue(**row | {name: as_utc(row[name]) for name in times}) for row in rows)


class HourRate(NamedTuple):
    """Mean of a measured hour over the covered time, and the highest interval that touches it."""

    mean: float
    peak: float


def rates_by_hour(
    lake: Location, metrics: Collection[str], begin: datetime, end: datetime
) -> dict[tuple[str, str], dict[datetime, HourRate]]:
    """Return the hours that start in ``[begin, end)`` by metric and subject, and by the UTC hour.

    An hour measured in part has the mean of that part; one that was not measured is absent.
    """
    wanted = (
        pc.field("metric").isin(sorted(metrics))
        & (pc.field("hour_utc") >= instant(begin))
        & (pc.field("hour_utc") < instant(end))
    )
    columns = ["metric", "subject", "hour_utc", "value", "peak"]
    folders = hour_partitions(lake, METRIC_HOURLY.name, begin.date(), end.date())
    table = partition_rows(folders if metrics else (), columns, wanted)
    series: dict[tuple[str, str], dict[datetime, HourRate]] = {}
    values = (table[name].to_pylist() for name in columns)
    for metric, subject, hour, mean, peak in zip(*values, strict=True):
        series.setdefault((metric, subject), {})[as_utc(hour)] = HourRate(mean, peak)
    return series


def interval_values(
    lake: Location, series_id: str, begin: datetime, end: datetime
) -> list[IntervalValue]:
    """Return intervals that touch ``begin`` to ``end``, of the last 31 UTC dates, in order.

    One that lasts longer is cut at ``end``: its length is known from records of a later time.
    """
    in_time = (pc.field("interval_start_utc") < instant(end)) & (
        pc.field("interval_end_utc") > instant(begin)
    )
    dates = ((begin - INTERVAL_MAX).date(), end.date())
    columns = ("interval_start_utc", "interval_end_utc", "level")
    return sorted(
        IntervalValue(
            as_utc(row["interval_start_utc"]),
            min(as_utc(row["interval_end_utc"]), end),
            row["level"],
        )
        for row in _rows(lake, METRIC_INTERVAL.name, series_id, dates, in_time, columns)
    )


def instant(moment: datetime) -> pa.Scalar:
    """Return an instant in the type of the columns of the lake, for a filter."""
    return pa.scalar(moment, pa.timestamp("us", tz="UTC"))


def as_utc(moment: datetime) -> datetime:
    """Return an instant read from the lake with Python's own UTC as its zone."""
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)


def _rows(
    lake: Location,
    dataset: str,
    series_id: str,
    dates: tuple[date, date],
    in_time: pc.Expression,
    columns: Sequence[str],
) -> list[dict[str, Any]]:
    folders = hour_partitions(lake, dataset, *dates)[-DATES_MAX:]
    wanted = (pc.field("series_id") == series_id) & in_time
    rows: list[dict[str, Any]] = partition_rows(folders, columns, wanted).to_pylist()
    return rows


_ONE_DAY: Final = timedelta(days=1)
_NOT_LISTED_DAYS: Final = 14
"""Up to so many folders are looked at without a list of all of them (ours)."""


def rows_of_site_dates(
    lake: Location,
    dataset: Dataset,
    first: date,
    last: date,
    columns: Iterable[str],
    wanted: pc.Expression | None = None,
) -> list[dict[str, Any]]:
    """Return wanted rows, all by default, of site dates, each of which may span two UTC dates."""
    begin, end = first - _ONE_DAY, last + _ONE_DAY
    is_short = (end - begin).days < _NOT_LISTED_DAYS
    folders = (hour_partitions if is_short else _listed)(lake, dataset.name, begin, end)
    site_date = pc.field("site_date")
    rows = (site_date >= pa.scalar(first)) & (site_date <= pa.scalar(last))
    if wanted is not None:
        rows &= wanted
    found: list[dict[str, Any]] = partition_rows(folders, list(columns), rows).to_pylist()
    return found


def _listed(lake: Location, dataset: str, first: date, last: date) -> list[Location]:
    return [folder for day, folder in partitions(lake, dataset).items() if first <= day <= last]


PartsOf = Callable[[str, str, date, date], list[PartDay]]
"""The parts of a metric and subject on the site dates from first to last, as ``part_days``."""


def part_days(lake: Location, metric: str, subject: str, first: date, last: date) -> list[PartDay]:
    """Return the parts of a metric of a subject on site dates, by day, breakdown, kind and name."""
    of_series = (pc.field("metric") == metric) & (pc.field("subject") == subject)
    found = rows_of_site_dates(lake, METRIC_PART, first, last, PartDay._fields, of_series)
    return sorted(PartDay(**row) for row in found)


def largest_part(lake: Location, metric: str, subject: str, day: date) -> str | None:
    """Return the first named part with the highest value of a site date; ``None`` without any."""
    rows = part_days(lake, metric, subject, day, day)
    named = [row for row in rows if row.kind not in {PartKind.other, PartKind.whole}]
    return min(named, key=lambda row: (-row.value, row.part)).part if named else None


def attributed_series(lake: Location, first: date, last: date) -> list[str]:
    """Return the ids of the series that have parts between two days, in order."""
    is_whole = pc.field("kind") == str(PartKind.whole)
    columns = ("metric", "subject")
    rows = rows_of_site_dates(lake, METRIC_PART, first, last, columns, is_whole)
    return sorted({series_id(row["metric"], row["subject"]) for row in rows})


def measured_subjects(lake: Location, first: date, last: date) -> list[str]:
    """Return the subjects of the hourly metrics of the UTC dates from first to last, in order."""
    rows = partition_rows(_listed(lake, METRIC_HOURLY.name, first, last), ["subject"])
    return sorted(pc.unique(rows["subject"]).to_pylist())


def part_dates(lake: Location) -> list[date]:
    """Return the UTC dates of which the lake has parts, in order."""
    return list(partitions(lake, METRIC_PART.name))
