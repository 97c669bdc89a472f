"""Hours of tasks, whose intervals overlap."""

from __future__ import annotations

from datetime import UTC, datetime

import polars as pl

from spark_apps.transforms.intervals import hour_parts, whole_hours
from tests.spark_apps.rows import records


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


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
