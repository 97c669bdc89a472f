"""Arrivals of feeds for the tests of completeness."""

from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from mqcap.completeness.arrivals import arrivals_of
from mqcap.completeness.gaps import FeedContext, judge_feeds
from mqcap.domain.estate import Estate
from mqcap.domain.feed import FeedDay

DAY = date(2026, 3, 4)
QM = ("statistics", "PLEX1/CSQ1", "SYS1")
MOVER = ("channel_initiator", "PLEX1/CSQ1/CHINIT", "SYS1")
OTHER = ("statistics", "PLEX1/CSQ2", "SYS1")
Sender = tuple[str, str, str]


def at(text: str, day: date = DAY) -> datetime:
    """An instant of the day, such as ``09:30``; ``24:00`` is the next midnight."""
    hours, minutes = text.split(":")
    midnight = datetime(day.year, day.month, day.day, tzinfo=UTC)
    return midnight + timedelta(hours=int(hours), minutes=int(minutes))


def every(
    sender: Sender,
    minutes: int = 60,
    first: date = DAY - timedelta(days=2),
    last: date = DAY,
    offset_minutes: int = 0,
) -> list[dict[str, Any]]:
    """Back-to-back intervals from midnight of the first day to the end of the last one."""
    count = ((last - first).days + 1) * 1_440 // minutes
    start = at("00:00", first) + timedelta(minutes=offset_minutes)
    step = timedelta(minutes=minutes)
    return [_row(sender, start + n * step, start + (n + 1) * step) for n in range(count)]


def one(sender: Sender, start: datetime, end: datetime) -> dict[str, Any]:
    return _row(sender, start, end)


def stating(
    rows: Iterable[Mapping[str, Any]], before: str | None, start: datetime, level: str
) -> list[dict[str, Any]]:
    """The rows with a level of MQ: one up to an instant (``None``: as it is), another from it."""
    return [
        {**row, "mq_level": level}
        if row["interval_start_utc"] >= start
        else {**row, "mq_level": before or row["mq_level"]}
        for row in rows
    ]


def without(
    rows: Iterable[Mapping[str, Any]], start: datetime, end: datetime
) -> list[dict[str, Any]]:
    return [
        dict(row)
        for row in rows
        if row["interval_end_utc"] <= start or row["interval_start_utc"] >= end
    ]


def table_of(rows: Iterable[Mapping[str, Any]]) -> pa.Table:
    zoned = pa.timestamp("us", tz="UTC")
    schema = pa.schema(
        [(name, pa.string()) for name in ("kind", "subject", "smfid", "mq_level")]
        + [(name, zoned) for name in ("interval_start_utc", "interval_end_utc")]
        + [("utc_offset_minutes", pa.int32())]
    )
    return pa.Table.from_pylist([dict(row) for row in rows], schema=schema)


def write_lake(lake: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Put the rows where aggregate does, one file for each date."""
    by_date: dict[date, list[Mapping[str, Any]]] = {}
    for row in rows:
        by_date.setdefault(row["interval_start_utc"].date(), []).append(row)
    for day, some in by_date.items():
        folder = lake / "feed_interval" / f"hour_date={day.isoformat()}"
        folder.mkdir(parents=True, exist_ok=True)
        pq.write_table(table_of(some), folder / "rows.parquet")


def arrived(
    rows: Iterable[Mapping[str, Any]],
    zones: Mapping[str, str] | None = None,
    estate: Estate | None = None,
) -> FeedContext:
    return FeedContext(arrivals_of(table_of(rows)), estate or Estate(), zones or {}, "UTC", 35)


def judged(
    rows: Iterable[Mapping[str, Any]],
    day: date = DAY,
    estate: Estate | None = None,
    zone: str = "UTC",
) -> dict[str, FeedDay]:
    feeds = arrived(rows, {"PLEX1": zone}, estate)
    return {result.key: result for result in judge_feeds(feeds, [day])}


def _row(sender: Sender, start: datetime, end: datetime) -> dict[str, Any]:
    kind, subject, smfid = sender
    return {
        "kind": kind,
        "subject": subject,
        "smfid": smfid,
        "interval_start_utc": start,
        "interval_end_utc": end,
    }
