"""Limits with forecasts: which lines."""

from __future__ import annotations

from pathlib import Path

from mqcap.domain.finding import Severity
from mqcap.reports.document import ReportKind
from mqcap.reports.sections.limits import limits
from tests.factories import crossing, finding
from tests.mqcap.reports.builders import basis, texts


def test_the_weekly_and_the_monthly_report_have_urgent_limits_only(tmp_path: Path) -> None:
    fine = finding("PLEX1/CSQ2", severity=Severity.ok, breach=False, headroom_ratio=0.5)
    urgent = finding(breach=False)
    findings, crossings = [fine, urgent], [crossing(fine), crossing(urgent)]
    with basis(tmp_path, findings, crossings) as made:
        monthly = texts(limits(made).tables[0])
        weekly = texts(limits(made._replace(kind=ReportKind.weekly)).tables[0])
    assert [row[0] for row in monthly] == [row[0] for row in weekly] == ["CSQ1"]
    assert weekly[0][6:9] == ["2 Apr 2026", "29 Apr 2026", "29 Jun 2026"]


def test_a_finding_without_a_crossing_is_no_limit(tmp_path: Path) -> None:
    with basis(tmp_path, [finding()]) as made:
        section = limits(made)
    assert section.tables[0].rows == ()
    assert section.tables[0].blank == "No limit has a forecast."
