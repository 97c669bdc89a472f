from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mqcap.lake.layout import hour_partition
from mqcap.lake.readers import (
    DATES_MAX,
    HourValue,
    IntervalValue,
    as_utc,
    day_bounds,
    hour_values,
    interval_values,
)

SERIES = "log_growth_mib_per_s:PLEX1/CSQ1"
NOON = datetime(2026, 3, 9, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


def write_hours(lake: Path, starts: Iterable[datetime], series_id: str = SERIES) -> None:
    """One file per date with an hour of value 1.0 and peak 2.0 for each start."""
    by_date: dict[date, list[datetime]] = {}
    for start in starts:
        by_date.setdefault(start.date(), []).append(start)
    for day, some in by_date.items():
        write(
            lake, "metric_hourly", day, series_id,
            hour_utc=some,
            value=[1.0] * len(some),
            peak=[2.0] * len(some),
            peak_interval_start_utc=some,
            covered_seconds=[3600.0] * len(some),
            interval_count=[2] * len(some),
        )  # fmt: skip


def write_interval(lake: Path, start: datetime, end: datetime, series_id: str = SERIES) -> None:
    """A file of the date of the start with one interval at level 5.0."""
    write(
        lake, "metric_interval", start.date(), series_id,
        interval_start_utc=[start], interval_end_utc=[end], level=[5.0],
    )  # fmt: skip


def write(lake: Path, dataset: str, day: date, series_id: str, **columns: Sequence[object]) -> None:
    folder = hour_partition(lake, dataset, day)
    folder.mkdir(parents=True, exist_ok=True)
    count = len(next(iter(columns.values())))
    table = pa.table({"series_id": [series_id] * count, **columns})
    pq.write_table(table, folder / f"{len(list(folder.iterdir()))}.parquet")


def test_hours_are_those_that_start_in_the_time_in_order(tmp_path: Path) -> None:
    write_hours(tmp_path, [NOON + HOUR, NOON - HOUR, NOON, NOON + 2 * HOUR])
    values = hour_values(tmp_path, SERIES, NOON, NOON + 2 * HOUR)
    assert values == [
        HourValue(NOON, 1.0, 2.0, NOON, 3600.0, 2),
        HourValue(NOON + HOUR, 1.0, 2.0, NOON + HOUR, 3600.0, 2),
    ]
    assert {value.hour_utc.tzinfo for value in values} == {UTC}


def test_hours_of_another_series_are_left_out(tmp_path: Path) -> None:
    write_hours(tmp_path, [NOON], "log_growth_mib_per_s:PLEX1/CSQ2")
    assert hour_values(tmp_path, SERIES, NOON - DAY, NOON + DAY) == []


def test_a_lake_without_hours_has_no_values(tmp_path: Path) -> None:
    assert hour_values(tmp_path, SERIES, NOON, NOON + DAY) == []
    assert interval_values(tmp_path, SERIES, NOON, NOON + DAY) == []


def test_of_a_long_time_only_the_latest_dates_are_read(tmp_path: Path) -> None:
    write_hours(tmp_path, [NOON + count * DAY for count in range(DATES_MAX + 5)])
    values = hour_values(tmp_path, SERIES, NOON, NOON + (DATES_MAX + 4) * DAY + HOUR)
    assert len(values) == DATES_MAX
    assert values[0].hour_utc == NOON + 5 * DAY


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        (NOON - HOUR, NOON, []),
        (NOON - HOUR, NOON + HOUR, [(NOON - HOUR, NOON + HOUR)]),
        (NOON + HOUR, NOON + 3 * HOUR, [(NOON + HOUR, NOON + 2 * HOUR)]),
        (NOON + 2 * HOUR, NOON + 3 * HOUR, []),
        (NOON - 20 * HOUR, NOON + HOUR, [(NOON - 20 * HOUR, NOON + HOUR)]),
    ],
    ids=["before", "reaches in", "cut at the end", "after", "began the day before"],
)
def test_intervals_are_those_that_touch_the_time(
    tmp_path: Path, start: datetime, end: datetime, expected: list[tuple[datetime, datetime]]
) -> None:
    write_interval(tmp_path, start, end)
    write_interval(tmp_path, start, end, "log_growth_mib_per_s:PLEX1/CSQ2")
    values = interval_values(tmp_path, SERIES, NOON, NOON + 2 * HOUR)
    assert values == [IntervalValue(begin, until, 5.0) for begin, until in expected]


def test_a_site_day_has_23_hours_when_clocks_go_forward() -> None:
    begin, end = day_bounds(date(2026, 3, 29), date(2026, 3, 29), "Europe/Berlin")
    assert begin == datetime(2026, 3, 28, 23, tzinfo=UTC)
    assert end - begin == 23 * HOUR


def test_site_days_are_counted_to_the_end_of_the_last() -> None:
    begin, end = day_bounds(date(2026, 3, 1), date(2026, 3, 7), "UTC")
    assert (begin, end) == (datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 3, 8, tzinfo=UTC))


def test_an_instant_without_zone_is_taken_as_utc() -> None:
    assert as_utc(datetime(2026, 3, 9, 12)) == NOON  # noqa: DTZ001 - as files of Spark give it
