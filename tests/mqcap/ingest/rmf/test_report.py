from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from mqcap.ingest.rmf.report import (
    FacilityReport,
    ReportFacts,
    has_day_first,
    text_reports,
    xml_reports,
)
from mqcap.ingest.text import TextFile
from tests.mqcap.ingest.rmf.test_source import BUSY, PAGE, XML, page


def read(text: str, facts: ReportFacts | None = None) -> list[FacilityReport]:
    return list(text_reports(text.splitlines(), facts or ReportFacts()))


def test_a_printed_page_gives_a_facility_with_its_interval() -> None:
    assert read(page()) == [
        FacilityReport(
            sysplex="PLEXP",
            cf="CFP1",
            start_local=datetime(2025, 3, 10, 8),  # noqa: DTZ001 - local
            length=timedelta(minutes=30),
            busy_pct=20.3,
            engine_count=2,
            storage_bytes=16 * 2**30,
            storage_free_bytes=8.25 * 2**30,
        )
    ]


def test_each_facility_is_reported_once() -> None:
    assert [item.cf for item in read(page("CFP1") + page("CFP1") + page("CFP2"))] == [
        "CFP1",
        "CFP2",
    ]


@pytest.mark.parametrize(("last", "month"), [("13/10/2025", 10), ("03/13/2025", 3)])
def test_a_date_with_a_day_above_twelve_fixes_the_order_of_all_dates(last: str, month: int) -> None:
    pages = "".join(PAGE.format(cf="CFP1", date=date) + BUSY for date in ("03/10/2025", last))
    facts = ReportFacts(day_first=has_day_first(pages.splitlines()))
    assert {facility.start_local.month for facility in read(pages, facts)} == {month}


def test_xml_gives_the_same_facility(tmp_path: Path) -> None:
    path = tmp_path / "report.xml"
    path.write_text(XML, "utf-8")
    assert list(xml_reports(TextFile(path), ReportFacts())) == read(page())
