"""Metrics that are one field of a section."""

from __future__ import annotations

from spark_apps.metrics import one_field
from tests.spark_apps.rows import levels, records, sections

CHINIT = "PLEX1/CSQ1/CHINIT"


def test_channels_come_with_their_limits() -> None:
    rows = [{"qcctnocc": 462, "qcctmxcc": 9_999, "qcctnoac": 419, "qcctmxac": 4_000}]
    assert levels(one_field.intervals(sections(section_qcct=rows))) == {
        ("channels_current_count", CHINIT): [462.0],
        ("channels_current_limit_count", CHINIT): [9_999.0],
        ("channels_active_count", CHINIT): [419.0],
        ("channels_active_limit_count", CHINIT): [4_000.0],
    }


def test_an_amount_per_hour_is_counted_in_the_interval() -> None:
    rows = one_field.intervals(sections(section_qjst=[{"qjstwtb": 90, "qjstllcp": 3}]))
    assert {row.metric: (row.subject, row.level, row.amount) for row in records(rows)} == {
        "log_buffer_wait_count": ("PLEX1/CSQ1", 180.0, 90),
        "log_checkpoints_per_h": ("PLEX1/CSQ1", 6.0, 3),
    }
