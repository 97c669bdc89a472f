"""Feeds, keys and which source counts."""

from typing import Any, Final

import polars as pl
import pytest

from mqcap.ingest.mqsmfcsv.rows import LOWEST_PRINTED_HASH
from mqcap.ingest.smf.layout import layouts
from mqcap.ingest.smf.sections import dataset_schema
from spark_apps.transforms.feeds import feed_intervals
from spark_apps.transforms.intervals import Gauge, interval_rows, path, with_fallback
from spark_apps.transforms.keys import has_declared_key, key_of
from tests.spark_apps.rows import START, at, between, frame, records, sections

MQ = ("smfid", "qmgr", "interval_start_utc")
CHINIT = "PLEX1/CSQ1/CHINIT"
FIRST: Final = 1
SECOND: Final = 2
Span = tuple[str, str]


def test_a_section_without_a_declared_key_is_identified_by_its_place_in_its_record() -> None:
    assert layouts()["QSST"].key is None
    assert not has_declared_key("section_qsst")
    assert key_of("section_qsst") == (*MQ, "record_hash", "section_index")


def test_every_declared_key_names_columns_of_its_dataset() -> None:
    for layout in layouts().values():
        assert set(layout.key or ()) <= set(dataset_schema(layout).names), layout.name


def test_each_feed_has_its_intervals_once_and_a_failed_gatherer_none() -> None:
    read = sections(
        section_qjst=[{"mq_level": "9.4.5"}, {"mq_level": "9.4.5", "record_hash": 2}],
        section_qcct=[{}],
        section_r744f=[
            {"r744fflg": 0x90},
            {"r744fflg": 0xB0, "smfid": "SYS2"},
            {"smfid": None},
            {"cf": None},
        ],
    )
    rows = records(feed_intervals(read), "kind", "smfid")
    assert [(row.kind, row.subject, row.smfid, row.mq_level) for row in rows] == [
        ("channel_initiator", "PLEX1/CSQ1/CHINIT", "SYS1", None),
        ("coupling_facility", "PLEX1/CF01", "", None),
        ("coupling_facility", "PLEX1/CF01", "SYS1", None),
        ("statistics", "PLEX1/CSQ1", "SYS1", "9.4.5"),
    ]
    assert {row.hour_date for row in rows} == {START.date()}


def test_an_interval_has_the_offset_of_its_record_and_none_that_the_settings_gave_to_print() -> (
    None
):
    printed = {"utc_offset_minutes": -300, "record_hash": LOWEST_PRINTED_HASH}
    read = sections(
        section_qjst=[{"utc_offset_minutes": 60}, printed, {"qmgr": "CSQ2"}], section_qcct=[printed]
    )
    rows = records(feed_intervals(read), "kind", "subject")
    assert [(row.subject, row.utc_offset_minutes) for row in rows] == [
        ("PLEX1/CSQ1/CHINIT", None), ("PLEX1/CSQ1", 60), ("PLEX1/CSQ2", None),
    ]  # fmt: skip


def gauges(level: int, *spans: Span, **changed: Any) -> pl.LazyFrame:
    """Return interval rows of one level, of 2025-03-10 between two times of day."""
    rows = [
        {"qjstwtb": level, **between(at(f"2025-03-10 {start}"), at(f"2025-03-10 {end}")), **changed}
        for start, end in spans
    ]
    made = frame("section_qjst", rows)
    return interval_rows(made, path("sysplex", "qmgr"), Gauge("used", pl.col("qjstwtb")))


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
