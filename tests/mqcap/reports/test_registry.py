"""Sections of reports are found by being in their package, and have one place in each report."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from mqcap.domain.discovery import load_all
from mqcap.domain.finding import Severity
from mqcap.reports import sections
from mqcap.reports.document import ReportKind
from mqcap.reports.registry import sections_of
from tests.factories import finding
from tests.mqcap.reports.builders import basis

EXAMPLE = """
from mqcap.reports.document import ReportKind, Section
from mqcap.reports.registry import SectionEntry

SECTION = SectionEntry(
    0, frozenset({ReportKind.weekly}), lambda basis: Section(heading=f"About {basis.day}")
)
"""


def names(kind: ReportKind) -> list[str]:
    return [entry.make.__name__ for entry in sections_of(kind)]


def test_the_daily_report_begins_with_the_plans_and_ends_with_the_data() -> None:
    assert names(ReportKind.daily)[:3] == ["decisions", "options", "urgent"]
    assert names(ReportKind.daily)[-1] == "completeness"


def test_the_monthly_report_has_totals_then_plans_and_what_is_in_order_last() -> None:
    monthly = names(ReportKind.monthly)
    assert monthly[:4] == ["plan_totals", "decisions", "options", "urgent"]
    assert monthly[-1] == "limits_in_order"


def test_the_accuracy_of_forecasts_is_not_in_the_daily_report() -> None:
    assert "accuracy" not in names(ReportKind.daily)
    assert "accuracy" in names(ReportKind.weekly)
    assert "accuracy" in names(ReportKind.monthly)


def test_every_section_has_a_place_of_its_own_in_a_report() -> None:
    entries = [module.SECTION for module in load_all(sections)]
    assert len({entry.order for entry in entries}) == len(entries)
    assert all(entry.kinds for entry in entries)


def test_a_module_in_the_package_is_a_section_of_the_report_that_it_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "added.py").write_text(EXAMPLE, "utf-8")
    monkeypatch.setattr(sections, "__path__", [*sections.__path__, str(tmp_path)])
    try:
        first = sections_of(ReportKind.weekly)[0]
        with basis(tmp_path, [finding()]) as made:
            assert first.make(made).heading == "About 2026-03-02"
        assert first not in sections_of(ReportKind.daily)
    finally:
        sys.modules.pop("mqcap.reports.sections.added", None)


def test_urgent_lines_are_those_to_act_on_or_to_watch(tmp_path: Path) -> None:
    judged = [
        finding(f"PLEX1/{severity}", severity=severity, breach=False) for severity in Severity
    ]
    with basis(tmp_path, judged) as made:
        subjects = [line.finding.subject for line in made.urgent_lines]
    assert sorted(subjects) == ["PLEX1/act", "PLEX1/watch"]
