"""The heat table as a section of every report."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqcap.domain.finding import Severity
from mqcap.reports.document import ReportKind
from mqcap.reports.registry import sections_of
from mqcap.reports.sections.fleet import SECTION, fleet
from tests.factories import finding
from tests.mqcap.reports.builders import basis, texts


def test_every_queue_manager_has_a_row_whatever_its_severity(tmp_path: Path) -> None:
    fine = finding("PLEX1/CSQ2", severity=Severity.ok, breach=False, headroom_ratio=0.5)
    with basis(tmp_path, [finding(), fine]) as made:
        section = fleet(made)
    assert section.heading == "The fleet"
    rows = texts(section.tables[0])
    assert [row[0].split()[0] for row in rows] == ["CSQ1", "CSQ2"]


def test_a_day_without_findings_has_an_empty_table(tmp_path: Path) -> None:
    with basis(tmp_path) as made:
        assert fleet(made).tables[0].rows == ()


@pytest.mark.parametrize("kind", ReportKind)
def test_every_kind_of_report_has_the_section(kind: ReportKind) -> None:
    assert SECTION in sections_of(kind)
