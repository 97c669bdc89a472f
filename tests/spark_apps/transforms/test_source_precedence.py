"""A second source of a gauge fills the hours that the first one lacks."""

from __future__ import annotations

from typing import Any, Final

import polars as pl
import pytest

from spark_apps.transforms.intervals import Gauge, interval_rows, path, with_fallback
from tests.spark_apps.rows import at, between, frame, records

FIRST: Final = 1
SECOND: Final = 2
Span = tuple[str, str]


def gauges(level: int, *spans: Span, **changed: Any) -> pl.LazyFrame:
    """Return interval rows of one level, of 2025-03-10 between two times of day."""
    rows = [
        {"qjstwtb": level, **between(at(f"2025-03-10 {start}"), at(f"2025-03-10 {end}")), **changed}
        for start, end in spans
    ]
    made = frame("section_qjst", rows)
    return interval_rows(made, path("sysplex", "qmgr"), [Gauge("used", pl.col("qjstwtb"))])


def spans(rows: pl.LazyFrame) -> list[tuple[float, str, str]]:
    return [
        (row.level, f"{row.interval_start_utc:%H:%M}", f"{row.interval_end_utc:%H:%M}")
        for row in records(rows, "interval_start_utc", "level")
    ]


@pytest.mark.parametrize(
    ("preferred", "left"),
    [
        ([], [("13:00", "14:00"), ("14:00", "15:00"), ("15:00", "15:30")]),
        ([("14:10", "14:11")], [("13:00", "14:00"), ("15:00", "15:30")]),
        ([("13:59", "14:01")], [("15:00", "15:30")]),
        ([("13:00", "14:00")], [("14:00", "15:00"), ("15:00", "15:30")]),
    ],
    ids=["none", "in an hour", "across two hours", "up to the hour"],
)
def test_the_fallback_has_the_hours_that_the_preferred_source_does_not_touch(
    preferred: list[Span], left: list[Span]
) -> None:
    fallback = gauges(SECOND, ("13:00", "15:30"))
    both = spans(with_fallback(gauges(FIRST, *preferred), fallback))
    assert [span for span in both if span[0] == FIRST] == [(FIRST, *span) for span in preferred]
    assert [span for span in both if span[0] == SECOND] == [(SECOND, *span) for span in left]


def test_another_subject_leaves_the_fallback_as_it_is() -> None:
    preferred = gauges(FIRST, ("13:00", "14:00"), qmgr="CSQ2")
    both = with_fallback(preferred, gauges(SECOND, ("13:00", "14:00")))
    assert spans(both) == [(FIRST, "13:00", "14:00"), (SECOND, "13:00", "14:00")]


def test_one_day_computed_alone_is_that_day_of_the_history() -> None:
    preferred = gauges(FIRST, ("10:00", "11:00"), ("14:20", "14:40"))
    fallback = gauges(SECOND, ("10:30", "12:30"), ("14:00", "16:00"))
    is_morning = pl.col("interval_start_utc").dt.hour() < 13
    morning, afternoon = (
        [rows.filter(side) for rows in (preferred, fallback)] for side in (is_morning, ~is_morning)
    )
    apart = sorted([*spans(with_fallback(*morning)), *spans(with_fallback(*afternoon))])
    assert apart == sorted(spans(with_fallback(preferred, fallback)))
