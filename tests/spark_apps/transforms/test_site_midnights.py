"""Site dates that begin within a UTC hour."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from pyspark.sql import SparkSession

from spark_apps.attribution.days import SiteDays
from spark_apps.transforms.hourly import hourly
from spark_apps.transforms.site_midnights import begins_within_hours

SCHEMA = (
    "metric string, subject string, interval_start_utc timestamp, interval_end_utc timestamp, "
    "level double, amount bigint, amount_per_unit double"
)


def at(hour: int, minute: int) -> datetime:
    return datetime(2026, 7, 9, hour, minute, tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "is_within"),
    [
        ("UTC", False),
        ("America/Chicago", False),
        ("Asia/Kolkata", True),
        ("Asia/Kathmandu", True),
        ("Australia/Lord_Howe", True),
    ],
)
def test_zones_with_parts_of_hours_are_known(zone: str, is_within: bool) -> None:
    assert begins_within_hours(zone) is is_within


@pytest.mark.spark
@pytest.mark.parametrize(
    "days",
    [
        SiteDays({"EAST": "Asia/Kolkata", "WEST": "America/Chicago"}, "UTC"),
        SiteDays({"WEST": "America/Chicago"}, "Asia/Kolkata"),
    ],
)
def test_an_hour_with_a_midnight_has_a_row_for_each_date(
    spark: SparkSession, days: SiteDays
) -> None:
    rows = [
        ("m", subject, at(18, 15), at(18, 55), 6.0, 2_400, 1.0)
        for subject in ("EAST/QM1", "WEST/QM2")
    ] + [("m", "EAST/QM3", at(18, 40), at(19, 10), 1.0, None, None)]
    found = hourly(spark.createDataFrame(rows, SCHEMA), days).orderBy("subject", "hour_utc")
    columns = found.select("subject", "hour_utc", "total", "peak", "covered_seconds").collect()
    assert [(row[0], row[1].strftime("%H:%M"), *row[2:]) for row in columns] == [
        ("EAST/QM1", "18:00", 900.0, 6.0, 900.0),
        ("EAST/QM1", "18:30", 1_500.0, 6.0, 1_500.0),
        ("EAST/QM3", "18:30", None, 1.0, 1_200.0),
        ("EAST/QM3", "19:00", None, 1.0, 600.0),
        ("WEST/QM2", "18:00", 2_400.0, 6.0, 2_400.0),
    ]
