"""Local dates as intervals, and zones whose dates begin within a UTC hour."""

from __future__ import annotations

import polars as pl
import pytest

from spark_apps.transforms.site_midnights import SiteDays, begins_within_hours, with_local_date
from tests.spark_apps.rows import records


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


@pytest.mark.parametrize(
    ("zone", "day", "begin", "end"),
    [
        ("UTC", "2026-07-09", "07-09 00:00", "07-10 00:00"),
        ("America/New_York", "2026-07-09", "07-09 04:00", "07-10 04:00"),
        ("America/New_York", "2026-03-08", "03-08 05:00", "03-09 04:00"),
        ("America/New_York", "2026-11-01", "11-01 04:00", "11-02 05:00"),
        ("Asia/Kolkata", "2026-07-09", "07-08 18:30", "07-09 18:30"),
        ("America/Havana", "2026-03-08", "03-08 05:00", "03-09 04:00"),
        ("America/Havana", "2026-11-01", "11-01 04:00", "11-02 05:00"),
    ],
    ids=["no zone", "summer", "23 hours", "25 hours", "half hour", "no midnight", "two midnights"],
)
def test_a_local_date_is_an_interval_of_its_zone(zone: str, day: str, begin: str, end: str) -> None:
    frame = pl.LazyFrame({"site": ["EAST", "WEST"], "local_date": [day, day]})
    here, other = records(with_local_date(frame, SiteDays({"EAST": zone}, "Asia/Tokyo")))
    found = [f"{each:%m-%d %H:%M}" for each in (here.interval_start_utc, here.interval_end_utc)]
    assert found == [begin, end]
    assert f"{other.interval_start_utc:%H:%M}" == "15:00"
