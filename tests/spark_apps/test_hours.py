"""Measured intervals are cut at hours and added up by Spark."""

import math
import random
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

import polars as pl
import pytest
from pyspark.sql import SparkSession

from mqcap.domain.datasets import METRIC_HOURLY
from mqcap.domain.units import MIB_BYTES
from spark_apps.hours import hours
from spark_apps.measure import interval_rows, series_names, with_series
from spark_apps.replace_dates import named
from spark_apps.transforms.site_midnights import SiteDays
from tests.spark_apps.rows import at, intervals_of, records

pytestmark = pytest.mark.spark

Hourly = Callable[..., pl.LazyFrame]
FIGURES = (
    "hour_utc", "value", "peak", "peak_interval_start_utc", "total", "covered_seconds",
    "interval_count",
)  # fmt: skip


@pytest.fixture
def hourly(spark: SparkSession) -> Hourly:
    """The columns of METRIC_HOURLY that Spark makes of interval rows."""

    def made(intervals: pl.LazyFrame, site_days: SiteDays | None = None) -> pl.LazyFrame:
        every = with_series(intervals.collect())
        dates = {day for row in every.rows() for start, end in [row[2:4]]
                 for day in (start.date(), end.date())}  # fmt: skip
        zones = site_days or SiteDays()
        measured = spark.createDataFrame(interval_rows(every, dates, zones))
        table = hours(measured, zones).toArrow()
        names = series_names(every, dates).drop("hour_date")
        return pl.DataFrame(named(table, names)).lazy()

    return made


def counter(start: datetime, end: datetime, amount: int, per_unit: float = 1.0) -> tuple[Any, ...]:
    rate = amount / ((end - start).total_seconds() * per_unit)
    return ("growth", "PLEX1/CSQ1", start, end, rate, amount, per_unit)


def gauge(start: datetime, end: datetime, level: float) -> tuple[Any, ...]:
    return ("busy", "PLEX1/CF01", start, end, level, None, None)


def assert_hours(result: pl.LazyFrame, *expected: tuple[Any, ...]) -> None:
    found = result.sort("hour_utc").select(FIGURES).collect().rows()
    assert found == list(expected)


def test_a_complete_hour_keeps_its_total_and_rate(hourly: Hourly) -> None:
    start, end = at("2025-03-10 13:00"), at("2025-03-10 14:00")
    hours = hourly(intervals_of(counter(start, end, 7_200 * MIB_BYTES, float(MIB_BYTES))))
    assert hours.collect_schema().names() == list(METRIC_HOURLY.columns)
    assert_hours(hours, (start, 2.0, 2.0, start, 7_200.0 * MIB_BYTES, 3_600.0, 1))


def test_an_interval_across_an_hour_is_split_by_time_and_loses_no_byte(hourly: Hourly) -> None:
    start, end = at("2025-03-10 13:50"), at("2025-03-10 14:20")
    hours = hourly(intervals_of(counter(start, end, 1_000)))
    peak = 1_000 / 1_800
    assert_hours(
        hours,
        (at("2025-03-10 13:00"), 333 / 600, peak, start, 333.0, 600.0, 1),
        (at("2025-03-10 14:00"), 667 / 1_200, peak, start, 667.0, 1_200.0, 1),
    )


def test_a_restart_within_the_hour_gives_two_short_intervals_and_a_gap(hourly: Hourly) -> None:
    first, second = at("2025-03-10 13:00"), at("2025-03-10 13:40")
    hours = hourly(
        intervals_of(
            gauge(first, first + timedelta(minutes=10), 30.0),
            gauge(second, second + timedelta(minutes=20), 60.0),
        )
    )
    assert_hours(hours, (first, 50.0, 60.0, second, None, 1_800.0, 2))


@pytest.mark.parametrize(
    ("minutes", "first", "second", "mean"),
    [(45, 10.0, 50.0, 20.0), (30, 1e15, 0.0, 5e14), (30, 50.0, 50.0, 50.0)],
)
def test_the_mean_of_a_gauge_is_weighted_by_time_and_the_first_of_equal_peaks_is_named(
    hourly: Hourly, minutes: int, first: float, second: float, mean: float
) -> None:
    start = at("2025-03-10 13:00")
    middle, end = start + timedelta(minutes=minutes), start + timedelta(hours=1)
    hours = hourly(intervals_of(gauge(middle, end, second), gauge(start, middle, first)))
    peak = max(first, second)
    assert_hours(hours, (start, mean, peak, start if peak == first else middle, None, 3_600.0, 2))


def test_an_hour_without_an_interval_has_no_row(hourly: Hourly) -> None:
    result = hourly(
        intervals_of(
            gauge(at("2025-03-10 10:00"), at("2025-03-10 10:30"), 0.0),
            gauge(at("2025-03-10 12:00"), at("2025-03-10 12:30"), 1.0),
        )
    )
    hours = {row.hour_utc.hour: row.value for row in records(result)}
    assert hours == {10: 0.0, 12: 1.0}


@pytest.mark.parametrize("end", ["2025-03-10 13:00", "2025-03-10 12:00", "2025-03-12 13:00"])
def test_an_impossible_interval_has_no_hours(hourly: Hourly, end: str) -> None:
    broken = ("busy", "PLEX1/CF01", at("2025-03-10 13:00"), at(end), 1.0, None, None)
    assert records(hourly(intervals_of(broken))) == []


def test_bytes_are_conserved_however_a_day_is_cut(hourly: Hourly) -> None:
    chance = random.Random(7)  # noqa: S311 - a test repeats
    day, amounts = at("2025-03-10"), dict[str, int]()
    rows = []
    for number in range(50):
        cuts = sorted(chance.sample(range(1, 86_400_000_000), 50))
        edges = [day + timedelta(microseconds=us) for us in [0, *cuts, 86_400_000_000]]
        subject = f"PLEX1/CSQ{number}"
        for start, end in pairwise(edges):
            amount = chance.choice([0, 1, 2**43, chance.randrange(2**43)])
            amounts[subject] = amounts.get(subject, 0) + amount
            rows.append(
                (*counter(start, end, amount)[:1], subject, *counter(start, end, amount)[2:])
            )
    made = records(hourly(intervals_of(*rows)))
    for subject, amount in amounts.items():
        of_subject = [row for row in made if row.subject == subject]
        assert sum(int(row.total) for row in of_subject) == amount
        assert sum(row.covered_seconds for row in of_subject) == pytest.approx(86_400)
        assert all(row.total >= 0 for row in of_subject)


@pytest.mark.parametrize("level", [0.4, 0.49999999999999994, 0.5, 1.5, -0.5, 7.3e9, 1e300])
def test_levels_are_added_to_the_nearest_unit_in_any_order(hourly: Hourly, level: float) -> None:
    start = at("2025-03-10 13:00")
    end = start + timedelta(microseconds=1)
    [row] = records(hourly(intervals_of(gauge(start, end, level))))
    half_away = level if abs(level) > 2**53 else int(abs(level) + 0.5) * (1 if level > 0 else -1)
    assert row.value == (0 if level == 0.49999999999999994 else half_away)


def test_no_level_and_no_amount_stops_the_hours(hourly: Hourly) -> None:
    start, end = at("2025-03-10 13:50"), at("2025-03-10 14:20")
    extreme = (7e75, -7e75, 1e300, math.nan, math.inf, -math.inf)
    rows: list[tuple[Any, ...]] = [gauge(start, end, level) for level in extreme]
    rows += [counter(start, end, amount) for amount in (2**63 - 1, -(2**63), 1 - 2**63)] * 2
    assert len(records(hourly(intervals_of(*rows)))) == 4


@pytest.mark.parametrize(
    "days",
    [
        SiteDays({"EAST": "Asia/Kolkata", "WEST": "America/Chicago"}, "UTC"),
        SiteDays({"WEST": "America/Chicago"}, "Asia/Kolkata"),
    ],
)
def test_an_hour_with_a_midnight_has_a_row_for_each_date(hourly: Hourly, days: SiteDays) -> None:
    rows: list[tuple[Any, ...]] = [
        ("m", subject, at("2026-07-09 18:15"), at("2026-07-09 18:55"), 6.0, 2_400, 1.0)
        for subject in ("EAST/QM1", "WEST/QM2")
    ]
    rows.append(("m", "EAST/QM3", at("2026-07-09 18:40"), at("2026-07-09 19:10"), 1.0, None, None))
    found = records(hourly(intervals_of(*rows), days), "subject", "hour_utc")
    assert [
        (row.subject, f"{row.hour_utc:%H:%M}", row.total, row.peak, row.covered_seconds)
        for row in found
    ] == [
        ("EAST/QM1", "18:00", 900.0, 6.0, 900.0),
        ("EAST/QM1", "18:30", 1_500.0, 6.0, 1_500.0),
        ("EAST/QM3", "18:30", None, 1.0, 1_200.0),
        ("EAST/QM3", "19:00", None, 1.0, 600.0),
        ("WEST/QM2", "18:00", 2_400.0, 6.0, 2_400.0),
    ]
