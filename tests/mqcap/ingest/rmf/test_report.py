from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from mqcap.domain.errors import InputError
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


def test_a_facility_without_its_busy_figure_is_incomplete() -> None:
    facts = ReportFacts()
    assert read(PAGE.format(cf="CFP1", date="03/10/2025"), facts) == []
    assert facts.incomplete == ["CFP1"]


@pytest.mark.parametrize(("last", "month"), [("13/10/2025", 10), ("03/13/2025", 3)])
def test_a_date_with_a_day_above_twelve_fixes_the_order_of_all_dates(last: str, month: int) -> None:
    pages = "".join(PAGE.format(cf="CFP1", date=date) + BUSY for date in ("03/10/2025", last))
    facts = ReportFacts(day_first=has_day_first(pages.splitlines()))
    assert {facility.start_local.month for facility in read(pages, facts)} == {month}


@pytest.mark.parametrize(
    ("old", "new"), [("20.3", "120.3"), ("DEFINED  2", "DEFINED  2000"), ("030.00", "030.xx")]
)
def test_a_figure_that_cannot_be_is_an_error_or_left_out(old: str, new: str) -> None:
    text = (PAGE.format(cf="CFP1", date="03/10/2025") + BUSY).replace(old, new)
    try:
        assert read(text) == []
    except ValueError as error:
        assert str(error)


def test_xml_gives_the_same_facility(tmp_path: Path) -> None:
    path = tmp_path / "report.xml"
    path.write_text(XML, "utf-8")
    assert list(xml_reports(TextFile(path), ReportFacts())) == read(page())


def test_xml_that_is_not_well_formed_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "report.xml"
    path.write_text(XML.removesuffix("</ddsml>\n"), "utf-8")
    with pytest.raises(InputError, match="not well formed"):
        list(xml_reports(TextFile(path), ReportFacts()))
