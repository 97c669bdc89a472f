from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqcap.domain.datasets import METRIC_HOURLY
from mqcap.domain.units import MIB_BYTES
from spark_apps.transforms.hourly import hour_parts, hourly, whole_hours
from tests.spark_apps.rows import intervals_of, records

FIGURES = (
    "hour_utc", "value", "peak", "peak_interval_start_utc", "total", "covered_seconds",
    "interval_count",
)  # fmt: skip


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def counter(start: datetime, end: datetime, amount: int, per_unit: float = 1.0) -> tuple[Any, ...]:
    rate = amount / ((end - start).total_seconds() * per_unit)
    return ("growth", "PLEX1/CSQ1", start, end, rate, amount, per_unit)


def gauge(start: datetime, end: datetime, level: float) -> tuple[Any, ...]:
    return ("busy", "PLEX1/CF01", start, end, level, None, None)


def assert_hours(result: pl.LazyFrame, *expected: tuple[Any, ...]) -> None:
    found = result.sort("hour_utc").select(FIGURES).collect().rows()
    assert found == list(expected)


def test_a_complete_hour_keeps_its_total_and_rate() -> None:
    start, end = at("2025-03-10 13:00"), at("2025-03-10 14:00")
    hours = hourly(intervals_of(counter(start, end, 7_200 * MIB_BYTES, float(MIB_BYTES))))
    assert hours.collect_schema().names() == list(METRIC_HOURLY.columns)
    assert_hours(hours, (start, 2.0, 2.0, start, 7_200.0 * MIB_BYTES, 3_600.0, 1))


def test_an_interval_across_an_hour_is_split_by_time_and_loses_no_byte() -> None:
    start, end = at("2025-03-10 13:50"), at("2025-03-10 14:20")
    hours = hourly(intervals_of(counter(start, end, 1_000)))
    peak = 1_000 / 1_800
    assert_hours(
        hours,
        (at("2025-03-10 13:00"), 333 / 600, peak, start, 333.0, 600.0, 1),
        (at("2025-03-10 14:00"), 667 / 1_200, peak, start, 667.0, 1_200.0, 1),
    )


def test_an_interval_across_midnight_gives_each_date_its_share() -> None:
    hours = hourly(intervals_of(counter(at("2025-03-10 23:45"), at("2025-03-11 00:15"), 11)))
    by_date = {row.hour_date.isoformat(): row.total for row in records(hours)}
    assert by_date == {"2025-03-10": 5.0, "2025-03-11": 6.0}


def test_a_restart_within_the_hour_gives_two_short_intervals_and_a_gap() -> None:
    first, second = at("2025-03-10 13:00"), at("2025-03-10 13:40")
    hours = hourly(
        intervals_of(
            gauge(first, first + timedelta(minutes=10), 30.0),
            gauge(second, second + timedelta(minutes=20), 60.0),
        )
    )
    assert_hours(hours, (first, 50.0, 60.0, second, None, 1_800.0, 2))


def test_the_mean_of_a_gauge_is_weighted_by_time() -> None:
    start = at("2025-03-10 13:00")
    middle, end = start + timedelta(minutes=45), start + timedelta(hours=1)
    hours = hourly(intervals_of(gauge(start, middle, 10.0), gauge(middle, end, 50.0)))
    assert_hours(hours, (start, 20.0, 50.0, middle, None, 3_600.0, 2))


def test_a_gauge_beyond_all_sizes_has_a_mean_too() -> None:
    start = at("2025-03-10 13:00")
    middle, end = start + timedelta(minutes=30), start + timedelta(hours=1)
    hours = hourly(intervals_of(gauge(start, middle, 1e15), gauge(middle, end, 0.0)))
    assert_hours(hours, (start, 5e14, 1e15, start, None, 3_600.0, 2))


def test_the_first_of_equal_peaks_is_named() -> None:
    start = at("2025-03-10 13:00")
    middle, end = start + timedelta(minutes=30), start + timedelta(hours=1)
    hours = hourly(intervals_of(gauge(middle, end, 50.0), gauge(start, middle, 50.0)))
    assert records(hours)[0].peak_interval_start_utc == start


def test_an_hour_without_an_interval_has_no_row() -> None:
    result = hourly(
        intervals_of(
            gauge(at("2025-03-10 10:00"), at("2025-03-10 10:30"), 0.0),
            gauge(at("2025-03-10 12:00"), at("2025-03-10 12:30"), 1.0),
        )
    )
    hours = {row.hour_utc.hour: row.value for row in records(result)}
    assert hours == {10: 0.0, 12: 1.0}


@pytest.mark.parametrize("day", ["2025-03-30", "2025-10-26"])
def test_a_day_on_which_clocks_change_has_24_utc_hours(day: str) -> None:
    midnight = at(day)
    rows = [
        counter(midnight + timedelta(minutes=30 * i), midnight + timedelta(minutes=30 * (i + 1)), 7)
        for i in range(48)
    ]
    hours = records(hourly(intervals_of(*rows)))
    assert (len(hours), sum(row.total for row in hours)) == (24, 336.0)


@pytest.mark.parametrize("end", ["2025-03-10 13:00", "2025-03-10 12:00", "2025-03-12 13:00"])
def test_an_impossible_interval_has_no_hours(end: str) -> None:
    broken = ("busy", "PLEX1/CF01", at("2025-03-10 13:00"), at(end), 1.0, None, None)
    assert records(hourly(intervals_of(broken))) == []


@pytest.mark.thorough
@given(
    cuts=st.lists(st.integers(1, 86_399_999_999), min_size=40, max_size=60, unique=True),
    amounts=st.lists(st.integers(0, 2**31 * 4_096), min_size=61, max_size=61),
)
def test_bytes_are_conserved_however_the_day_is_cut(cuts: list[int], amounts: list[int]) -> None:
    day = at("2025-03-10")
    edges = [day + timedelta(microseconds=us) for us in [0, *sorted(cuts), 86_400_000_000]]
    pairs = list(pairwise(edges))
    rows = [counter(start, end, amounts[i]) for i, (start, end) in enumerate(pairs)]
    result = records(hourly(intervals_of(*rows)))
    assert sum(int(row.total) for row in result) == sum(amounts[: len(pairs)])
    assert sum(row.covered_seconds for row in result) == pytest.approx(86_400)
    assert all(row.total >= 0 for row in result)


def test_tasks_that_overlap_cover_their_hours_once_and_lose_no_count() -> None:
    first, second = at("2025-03-10 13:00"), at("2025-03-10 14:00")
    rows = [
        ("PLEX1", "CSQ1", first, at("2025-03-10 15:00"), 5),
        ("PLEX1", "CSQ1", at("2025-03-10 13:10"), at("2025-03-10 13:20"), 7),
    ]
    names = ("sysplex", "qmgr", "interval_start_utc", "interval_end_utc", "amount")
    parts = hour_parts(pl.LazyFrame(rows, schema=names, orient="row"))
    hours = records(whole_hours(parts, pl.col("amount").sum().alias("counted")), "hour_us")
    found = [(row.interval_start_utc, row.interval_end_utc, row.counted) for row in hours]
    ends = [at("2025-03-10 14:00"), at("2025-03-10 15:00")]
    expected = list(zip([first, second], ends, [2 + 7, 3], strict=True))
    assert found == expected
