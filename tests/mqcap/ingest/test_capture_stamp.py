"""Stamps of captures."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from mqcap.ingest.capture_stamp import keyword, site_stamp_utc, stamp_utc


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


@pytest.mark.parametrize("text", ["0001-01-01T00:00:00+0100", "9999-12-31T23:59:59-0100"])
def test_a_time_beyond_the_calendar_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="no time that a clock has"):
        stamp_utc(text)
    with pytest.raises(ValueError, match="no time that a clock has"):
        zone = "Asia/Kolkata" if text.startswith("0001") else "America/Chicago"
        site_stamp_utc(text[:19], zone, None, "TPF1")


def test_a_stamp_without_offset_is_local_time_of_the_site() -> None:
    utc = datetime(2026, 7, 8, 18, 45, tzinfo=UTC)
    assert site_stamp_utc("2026-07-09T00:15:00", "Asia/Kolkata", None, "TPF1") == utc
    assert site_stamp_utc("2026-07-08T18:45:00Z", "Asia/Kolkata", None, "TPF1") == utc
    with pytest.raises(ValueError, match="no site of the settings lists TPF1"):
        site_stamp_utc("2026-07-09T00:15:00", None, None, "TPF1")


@pytest.mark.parametrize(("earlier_minute", "hour"), [(None, 5), (15, 5), (45, 6)])
def test_the_second_of_two_equal_hours_is_meant_behind_the_first(
    earlier_minute: int | None, hour: int
) -> None:
    earlier = None
    if earlier_minute is not None:
        earlier = datetime(2026, 11, 1, 5, earlier_minute, tzinfo=UTC)
    made = site_stamp_utc("2026-11-01T01:30:00", "America/New_York", earlier, "TPF1")
    assert made == datetime(2026, 11, 1, hour, 30, tzinfo=UTC)


def test_a_keyword_has_the_first_value_without_blanks() -> None:
    line = "QMNAME(QM1 )  STATUS(RUNNING) QMNAME(QM2)"
    assert keyword("QMNAME", line) == "QM1"
    assert keyword("HOST", line) is None
