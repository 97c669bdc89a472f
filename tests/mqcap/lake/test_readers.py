import os
import shutil
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from mqcap.domain.attribution import PartDay
from mqcap.domain.datasets import METRIC_PART
from mqcap.domain.errors import InputError
from mqcap.lake.aggregated import (
    AGGREGATED,
    metric_catalogue,
    source_digests,
    write_metric_catalogue,
    write_source_digest,
)
from mqcap.lake.files import remove_before
from mqcap.lake.layout import hour_partition, metric_catalogue_path
from mqcap.lake.readers import (
    DATES_MAX,
    HourValue,
    IntervalValue,
    attributed_series,
    day_bounds,
    hour_values,
    interval_values,
    part_dates,
    part_days,
    rows_of_site_dates,
)
from mqcap.lake.retention_state import RetentionState
from tests.mqcap.lake.parts import CSQ1, FIRST, METRIC, row, write_parts

SERIES = "log_growth_mib_per_s:PLEX1/CSQ1"
NOON = datetime(2026, 3, 9, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


def write_hours(lake: Path, starts: Iterable[datetime], series_id: str = SERIES) -> None:
    by_date: dict[date, list[datetime]] = {}
    for start in starts:
        by_date.setdefault(start.date(), []).append(start)
    for day, some in by_date.items():
        facts = {"value": 1.0, "peak": 2.0, "covered_seconds": 3600.0, "interval_count": 2}
        columns = {name: [value] * len(some) for name, value in facts.items()}
        times = {"hour_utc": some, "peak_interval_start_utc": some}
        write(lake, "metric_hourly", day, series_id, **times, **columns)


def write_interval(lake: Path, start: datetime, end: datetime, series_id: str = SERIES) -> None:
    times = {"interval_start_utc": [start], "interval_end_utc": [end]}
    write(lake, "metric_interval", start.date(), series_id, **times, level=[5.0])


def write(lake: Path, dataset: str, day: date, series_id: str, **columns: Sequence[object]) -> None:
    folder = hour_partition(lake, dataset, day)
    folder.mkdir(parents=True, exist_ok=True)
    count = len(next(iter(columns.values())))
    table = pa.table({"series_id": [series_id] * count, **columns})
    pq.write_table(table, folder / f"{len(list(folder.iterdir()))}.parquet")


def test_hours_are_those_that_start_in_the_time_in_order(tmp_path: Path) -> None:
    write_hours(tmp_path, [NOON + HOUR, NOON - HOUR, NOON, NOON + 2 * HOUR])
    write_hours(tmp_path, [NOON], "log_growth_mib_per_s:PLEX1/CSQ2")
    values = hour_values(tmp_path, SERIES, NOON, NOON + 2 * HOUR)
    assert values == [
        HourValue(NOON, 1.0, 2.0, NOON, 3600.0, 2),
        HourValue(NOON + HOUR, 1.0, 2.0, NOON + HOUR, 3600.0, 2),
    ]
    assert {value.hour_utc.tzinfo for value in values} == {UTC}


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


def test_site_days_end_with_the_last_one_and_one_has_23_hours_when_clocks_go_forward() -> None:
    begin, end = day_bounds(date(2026, 3, 29), date(2026, 3, 29), "Europe/Berlin")
    assert (begin, end - begin) == (datetime(2026, 3, 28, 23, tzinfo=UTC), 23 * HOUR)
    begin, end = day_bounds(date(2026, 3, 1), date(2026, 3, 7), "UTC")
    assert (begin, end) == (datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 3, 8, tzinfo=UTC))


LONG_AGO_NS = 1_700_000_000_000_000_000
DAY_OF_AGGREGATED = date(2026, 3, 9)


def aggregated(lake: Path, dataset: str, *days: date) -> None:
    for day in days:
        file = hour_partition(lake, dataset, day) / "rows.parquet"
        file.parent.mkdir(parents=True)
        pq.write_table(pa.table({"value": [1.0]}), file)
        write_source_digest(lake, day, "digest")


Damage = Callable[[Path], object]
DAMAGES: dict[str, Damage] = {
    "gone": Path.unlink,
    "folder gone": lambda file: shutil.rmtree(file.parent),
    "emptied": lambda file: file.write_bytes(b""),
    "cut": lambda file: file.write_bytes(file.read_bytes()[:-1]),
    "zeros": lambda file: file.write_bytes(bytes(file.stat().st_size)),
}


@pytest.mark.parametrize("dataset", AGGREGATED)
@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_date_of_which_rows_are_gone_or_damaged_counts_as_not_aggregated(
    tmp_path: Path, dataset: str, damage: Damage
) -> None:
    days = [DAY_OF_AGGREGATED + timedelta(days=number) for number in range(3)]
    aggregated(tmp_path, dataset, *days)
    (tmp_path / "metric_sources" / ".hour_date=2026-03-12.json.17").write_text("{", "utf-8")
    assert list(source_digests(tmp_path)) == days
    damage(hour_partition(tmp_path, dataset, days[1]) / "rows.parquet")
    assert list(source_digests(tmp_path)) == [days[0], days[2]]


def test_single_intervals_of_old_dates_may_be_removed(tmp_path: Path) -> None:
    days = (DAY_OF_AGGREGATED, DAY_OF_AGGREGATED + timedelta(days=40))
    aggregated(tmp_path, "metric_interval", *days)
    remove_before(tmp_path, "metric_interval", DAY_OF_AGGREGATED + timedelta(days=1))
    assert len(source_digests(tmp_path)) == 2


@pytest.mark.parametrize("content", ["", "{", "[1]", "null", '{"sources_digest": 7}'])
def test_results_that_cannot_be_read_are_as_if_not_there(tmp_path: Path, content: str) -> None:
    write_source_digest(tmp_path, DAY_OF_AGGREGATED, "digest")
    write_metric_catalogue(tmp_path, [{"name": "cf_busy_pct"}])
    for path in tmp_path.rglob("*.json"):
        path.write_text(content, "utf-8")
    assert source_digests(tmp_path) == {}
    write_metric_catalogue(tmp_path, [{"name": "cf_busy_pct"}])
    assert metric_catalogue(tmp_path) == [{"name": "cf_busy_pct"}]


def test_the_file_of_an_unchanged_catalogue_is_not_written_again(tmp_path: Path) -> None:
    written = []
    for unit in ("%", "%", "MiB", "MiB"):
        write_metric_catalogue(tmp_path, [{"name": "cf_busy_pct", "unit": unit}])
        file = metric_catalogue_path(tmp_path)
        written.append(file.stat().st_mtime_ns != LONG_AGO_NS)
        os.utime(file, ns=(LONG_AGO_NS, LONG_AGO_NS))
    assert written == [True, False, True, False]


def test_a_site_date_in_two_utc_dates_has_the_rows_of_both(tmp_path: Path) -> None:
    pieces = [
        row(FIRST, "A", 2.0, hour_date=FIRST - DAY),
        row(FIRST, "A", 1.0),
        row(FIRST, "B", 9.0, subject="PLEX1/CSQ2"),
        row(FIRST + DAY, "A", 9.0),
        row(FIRST + DAY, "A", 9.0, hour_date=FIRST + 2 * DAY),
    ]
    write_parts(tmp_path, pieces)
    assert part_days(tmp_path, METRIC, CSQ1, FIRST, FIRST) == [
        PartDay(FIRST, "queue", "queue", "A", 1.0, 86_400.0),
        PartDay(FIRST, "queue", "queue", "A", 2.0, 86_400.0),
    ]
    assert len(part_days(tmp_path, METRIC, CSQ1, FIRST, FIRST + DAY)) == 4


def test_series_with_parts_are_those_of_the_days(tmp_path: Path) -> None:
    write_parts(tmp_path, [row(FIRST), row(FIRST + 3 * DAY, subject="PLEX1/CSQ2")])
    assert attributed_series(tmp_path, FIRST, FIRST) == [f"{METRIC}/{CSQ1}"]
    assert part_dates(tmp_path) == [FIRST, FIRST + 3 * DAY]


def test_rows_of_neighbouring_utc_dates_count_by_their_site_date(tmp_path: Path) -> None:
    pieces = [
        row(FIRST - DAY, value=1.0, hour_date=FIRST),
        row(FIRST, value=2.0, hour_date=FIRST - DAY),
        row(FIRST, value=3.0, hour_date=FIRST + DAY),
        row(FIRST + DAY, value=4.0, hour_date=FIRST),
    ]
    write_parts(tmp_path, pieces)
    found = rows_of_site_dates(tmp_path, METRIC_PART, FIRST, FIRST, ["value"])
    assert sorted(each["value"] for each in found) == [2.0, 3.0]
    large = pc.field("value") > 2.0
    found = rows_of_site_dates(tmp_path, METRIC_PART, FIRST, FIRST, ["value"], large)
    assert list(found) == [{"value": 3.0}]


def test_a_long_range_has_the_rows_of_a_short_one(tmp_path: Path) -> None:
    last = FIRST + 40 * DAY
    write_parts(tmp_path, [row(FIRST + number * DAY, value=float(number)) for number in range(41)])
    for days in (0, 11, 12, 39):
        first = last - days * DAY
        found = rows_of_site_dates(tmp_path, METRIC_PART, first, last, ["value"])
        assert [each["value"] for each in found] == [float(40 - days + n) for n in range(days + 1)]


def test_the_state_is_loaded_as_it_was_saved_and_a_damaged_one_is_named(tmp_path: Path) -> None:
    assert RetentionState.load(tmp_path) == RetentionState()
    removed = {"ab": "landing/source=smf/ab.smf"}
    state = RetentionState(interval_from=date(2026, 3, 1), removed=removed)
    state.save(tmp_path)
    assert RetentionState.load(tmp_path) == state
    [file] = tmp_path.iterdir()
    file.write_text("")
    with pytest.raises(InputError, match=r"kept\.json: what retention has removed .* backup"):
        RetentionState.load(tmp_path)
