"""From a point of a chart to the records behind it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.plugins import builder, lake
from tests.plugins.web import TestClient, rows_of, text_of

TRACE = f"/trace?series={builder.LOG}"


def test_a_day_leads_to_its_busiest_hour_and_that_to_file_byte_and_field(
    traced: TestClient,
) -> None:
    answer = traced.get(f"{TRACE}&at={builder.DAY}")
    text = text_of(answer)
    assert "Records of the hour 10:00 to 11:00 CET" in text
    assert "The busiest hour of the day." in text
    first, again = rows_of(answer, "records")
    place = lake.OFFSET_BYTES + 34
    assert f"SYS1.D260131.smf received 2026-01-31 · aaaaaaaaaaaa byte {place:,}" in first
    assert "115.1 QJST 1 SYS1 2026-01-31 10:00 CET 2026-01-31 11:00 CET QJSTBFFL 1,034" in first
    assert "AGAIN.D260131.smf" in again
    assert "duplicate record; counted once" in again


def test_the_hours_of_a_site_day_are_listed_and_the_missing_one_is_named(
    traced: TestClient,
) -> None:
    answer = traced.get(f"{TRACE}&at={builder.DAY}")
    assert len(rows_of(answer, "hours")) == 23
    assert "2026-01-31 00:00 CET 7,200 MB/hour 5,400 MB/hour 60 2" in rows_of(answer, "hours")[0]
    assert "Not measured: 2026-01-31 05:00 CET." in text_of(answer)


def test_an_hour_has_its_own_address(traced: TestClient) -> None:
    text = text_of(traced.get(f"{TRACE}&at=2026-01-30T23:00Z"))
    assert "Sat 31 Jan 2026 records" in text
    assert "Records of the hour 00:00 to 01:00 CET" in text


def test_figures_of_the_day_say_how_they_are_made(traced: TestClient) -> None:
    text = text_of(traced.get(f"{TRACE}&at={builder.DAY}"))
    assert "Daily peak 9,000 MB/hour 2.5 MiB/s the highest interval of the day" in text
    assert "of 24 hours measured, weighted by covered time" in text


def test_a_day_whose_hours_are_gone_says_so(traced: TestClient) -> None:
    text = text_of(traced.get(f"{TRACE}&at=2026-01-05"))
    assert "No hours of this day" in text
    assert "Daily peak" in text


def test_records_that_are_gone_are_not_made_up(site_folder: Path, traced: TestClient) -> None:
    for path in (site_folder / "lake" / "section_qjst").rglob("*.parquet"):
        path.unlink()
    text = text_of(traced.get(f"{TRACE}&at={builder.DAY}"))
    assert "The lake no longer holds the records of this hour" in text


@pytest.mark.parametrize("at", ["x", "2026-13-01", "2026-01-31T09:00", ""])
def test_an_address_that_is_no_day_and_no_hour_is_refused(traced: TestClient, at: str) -> None:
    assert traced.get(f"{TRACE}&at={at}").status_code == 422


def test_an_interval_leads_to_the_records_of_its_hour(traced: TestClient) -> None:
    text = text_of(traced.get(f"{TRACE}&at=2026-01-31T09:30Z"))
    assert "Records of the hour 10:00 to 11:00 CET" in text
