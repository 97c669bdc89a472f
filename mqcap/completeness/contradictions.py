"""Records of two files that contradict each other, as data findings with both figures."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from mqcap.domain.feed import FeedDay, FeedKind, FeedState
from mqcap.domain.numbers import counted
from mqcap.lake.layout import CONFLICT, hour_partition, parquet_files
from mqcap.lake.location import Location
from mqcap.lake.readers import as_utc
from mqcap.lake.tables import read_table

MEMBER: Final = "contradicting_records"


def contradicting_records(
    lake: Location,
    names: Mapping[str, str],
    first: date,
    last: date,
    zone: Callable[[str], ZoneInfo],
) -> list[FeedDay]:
    """Return a finding for each queue manager or facility and site day with contradictions.

    Args:
        lake: The lake.
        names: Names of files, as delivered, by content hash.
        first: First site day.
        last: Last site day.
        zone: Time zone of a subject.
    """
    found: dict[tuple[str, date], list[dict[str, Any]]] = defaultdict(list)
    for row in _rows(lake, first - timedelta(days=1), last + timedelta(days=1)):
        row["local"] = as_utc(row["interval_start_utc"]).astimezone(zone(row["place"]))
        if first <= row["local"].date() <= last:
            found[row["place"], row["local"].date()].append(row)
    return [_finding(place, day, rows, names) for (place, day), rows in sorted(found.items())]


def _rows(lake: Location, first: date, last: date) -> list[dict[str, Any]]:
    days = (first + timedelta(days=number) for number in range((last - first).days + 1))
    return [
        row
        for day in days
        for file in parquet_files(hour_partition(lake, CONFLICT, day))
        for row in read_table(file).to_pylist()
        if "field" in row  # frozen dates have rows of an older release
    ]


def _finding(
    place: str, day: date, rows: list[dict[str, Any]], names: Mapping[str, str]
) -> FeedDay:
    rows.sort(key=lambda row: (row["local"], row["dataset"], row["field"]))
    pairs = Counter((row["kept_file"], row["other_file"]) for row in rows)
    (kept, other), _ = pairs.most_common(1)[0]
    row = next(row for row in rows if (row["kept_file"], row["other_file"]) == (kept, other))
    more = f" and {counted(len(pairs) - 1, 'other pair')} of files" if len(pairs) > 1 else ""
    newer, older = names.get(kept, kept), names.get(other, other)
    field = f"{row['dataset'].removeprefix('section_')} {row['field']}".upper()
    summary = (
        f"{place}: {counted(len(rows), 'section')} of records in {newer} and {older}{more} "
        f"contradict each other; the first at {row['local']:%H:%M}: {field} is "
        f"{row['kept_value']} in {newer}, which was received last and counts, and "
        f"{row['other_value']} in {older}."
    )
    return FeedDay(
        kind=FeedKind.comparison,
        subject=place,
        member=MEMBER,
        site_date=day,
        state=FeedState.differs,
        expected_seconds=0.0,
        received_seconds=0.0,
        received_count=0,
        summary=summary,
        remedy=f"If {newer} is the wrong one: mqcap withdraw {newer}",
    )
