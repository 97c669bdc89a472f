"""The source files on the page."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from mqcap.store.files import upsert_source_files
from tests.plugins import builder
from tests.plugins.web import TestClient, rows_of, text_of

SERIES_LOG = f"/series?series={builder.LOG}"


def test_the_data_page_accounts_for_bytes_and_shows_problems(filled: TestClient) -> None:
    text = text_of(filled.get("/data"))
    assert "2,469,134 bytes" in text
    assert "12 bytes at byte 99 are no record" in text
    assert [("SYS2" in row) for row in rows_of(filled.get("/data?problems=true"))] == [True]


def test_a_measured_day_leads_to_the_files_behind_it(site_folder: Path, filled: TestClient) -> None:
    engine = builder.empty_store(site_folder)
    begin = datetime(2026, 1, 30, 23, tzinfo=UTC)
    shown = builder.source_file(first_interval_utc=begin, last_interval_utc=begin)
    upsert_source_files(engine, [shown])
    engine.dispose()
    assert f"at={builder.DAY}" in filled.get(SERIES_LOG).text
    assert "data?about=2026-01-31" in filled.get(f"/trace?series={builder.LOG}&at=2026-01-31").text
    about = filled.get("/data?about=2026-01-31")
    assert [("SYS1" in row) for row in rows_of(about)] == [True]
    assert "Only files with intervals of Sat 31 Jan 2026" in text_of(about)
    assert rows_of(filled.get("/data?about=2026-01-28")) == []
