"""Stamps of captures."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from mqcap.ingest.capture_stamp import keyword, stamp_utc


@pytest.mark.parametrize(
    ("text", "hour"),
    [
        ("2026-07-09T10:00:00Z", 10),
        ("2026-07-09T10:00:00+0000", 10),
        ("2026-07-09T10:00:00-0400", 14),
        ("2026-07-09T10:00:00+05:00", 5),
    ],
)
def test_a_stamp_is_an_instant_by_its_offset(text: str, hour: int) -> None:
    assert stamp_utc(text) == datetime(2026, 7, 9, hour, tzinfo=UTC)


def test_the_largest_offset_is_fourteen_hours() -> None:
    assert stamp_utc("2026-07-09T14:00:00+1400") == datetime(2026, 7, 9, tzinfo=UTC)
    with pytest.raises(ValueError, match="no time zone has"):
        stamp_utc("2026-07-09T14:00:00+1401")


@pytest.mark.parametrize("text", ["2026-07-09T10:00:00", "2026-13-09T10:00:00Z", "yesterday"])
def test_a_stamp_without_offset_or_time_is_an_error(text: str) -> None:
    with pytest.raises(ValueError):
        stamp_utc(text)


def test_a_keyword_has_the_first_value_without_blanks() -> None:
    line = "QMNAME(QM1 )  STATUS(RUNNING) QMNAME(QM2)"
    assert keyword("QMNAME", line) == "QM1"
    assert keyword("HOST", line) is None
