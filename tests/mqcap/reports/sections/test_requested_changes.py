"""The changes to request, by the day on which each is due."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from mqcap.domain.finding import Severity
from mqcap.reports.document import ReportKind
from mqcap.reports.registry import sections_of
from mqcap.reports.sections.requested_changes import SECTION, requested_changes
from tests.factories import DAY, crossing, finding
from tests.mqcap.reports.builders import basis, texts


def test_what_is_due_at_once_comes_before_what_is_due_later(tmp_path: Path) -> None:
    later = finding("PLEX1/CSQ2", severity=Severity.watch, breach=False)
    due = crossing(later, earliest_date=DAY + timedelta(days=60))
    with basis(tmp_path, [later, finding()], [due]) as made:
        section = requested_changes(made)
    assert section.heading == "Changes to request"
    first, second = texts(section.tables[0])
    assert (first[0], first[1].split("/")[0]) == ("at once", "PLEX1")
    assert (DAY + timedelta(days=46)).strftime("%-d %b %Y") in second[0]


def test_suggestions_and_what_is_in_order_are_not_requested(tmp_path: Path) -> None:
    others = [
        finding(f"PLEX1/{severity}", severity=severity, breach=False)
        for severity in (Severity.ok, Severity.suggestion, Severity.unknown)
    ]
    with basis(tmp_path, others) as made:
        assert requested_changes(made).tables[0].rows == ()


def test_only_the_monthly_report_has_the_section() -> None:
    having = [kind for kind in ReportKind if SECTION in sections_of(kind)]
    assert having == [ReportKind.monthly]
