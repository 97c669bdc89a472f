"""Differences between the findings of two days."""

from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine

from mqcap.domain.crossing import CrossingState
from mqcap.domain.estate import Estate
from mqcap.domain.finding import Severity
from mqcap.presentation.fleet import FleetLine
from mqcap.queries.fleet import fleet_lines
from mqcap.reports.document import ReportKind
from mqcap.reports.sections.findings import changed, changes
from mqcap.settings import AlertSettings
from mqcap.store.crossings import replace_crossings
from mqcap.store.findings import replace_findings
from mqcap.store.models import FindingSummary
from tests.factories import DAY, crossing, finding
from tests.mqcap.reports.builders import basis, texts

EXPECTED = DAY + timedelta(days=58)


def line(severity: Severity, subject: str = "PLEX1/CSQ1", **changed: Any) -> FleetLine:
    made = finding(subject, severity=severity, breach=False, headroom_ratio=0.2)
    dated = [crossing(made, **changed)]
    return fleet_lines([made], dated, [], Estate(), AlertSettings())[0]


def summary(severity: Severity, expected: date | None = EXPECTED) -> FindingSummary:
    return FindingSummary(severity, 0.2, expected)


def compared(now: FleetLine, before: FindingSummary | None) -> list[tuple[bool, str]]:
    earlier = {now.key: before} if before else {}
    return [(change.is_worse, change.words) for change in changes([now], earlier, 14)]


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        (Severity.watch, Severity.act, [(True, "Watch → Act")]),
        (Severity.act, Severity.ok, [(False, "Act → OK")]),
        (Severity.ok, Severity.unknown, [(True, "OK → Unknown")]),
        (Severity.unknown, Severity.ok, []),
        (Severity.ok, Severity.suggestion, []),
        (Severity.suggestion, Severity.ok, []),
        (Severity.act, Severity.act, []),
    ],
)
def test_a_severity_that_changed_is_worse_or_better(
    before: Severity, now: Severity, expected: list[tuple[bool, str]]
) -> None:
    assert compared(line(now), summary(before)) == expected


@pytest.mark.parametrize(("unit", "counts"), [("MiB/s", True), ("h", False), ("", True)])
@pytest.mark.parametrize(
    "before", [summary(Severity.watch), summary(Severity.act, EXPECTED + timedelta(days=90))]
)
def test_figures_of_different_units_are_neither_worse_nor_better(
    unit: str, counts: bool, before: FindingSummary
) -> None:
    now = line(Severity.act)
    assert now.finding.unit == "MiB/s"
    assert bool(compared(now, before._replace(unit=unit))) is counts


@pytest.mark.parametrize("severity", Severity)
def test_a_new_finding_counts_when_it_is_to_watch_or_to_act_on(severity: Severity) -> None:
    made = compared(line(severity), None)
    urgent = severity in {Severity.watch, Severity.act}
    assert made == ([(True, f"new: {severity.value.capitalize()}")] if urgent else [])


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        (13, []),
        (14, [(True, "expected 29 Apr 2026, 14 days nearer")]),
        (-13, []),
        (-14, [(False, "expected 29 Apr 2026, 14 days later")]),
    ],
)
def test_an_expected_date_counts_from_the_configured_days_on(
    days: int, expected: list[tuple[bool, str]]
) -> None:
    before = summary(Severity.watch, EXPECTED + timedelta(days=days))
    assert compared(line(Severity.watch), before) == expected


def test_a_date_that_appeared_or_that_is_over_is_no_move() -> None:
    assert compared(line(Severity.watch), summary(Severity.watch, None)) == []
    over = line(Severity.watch, state=CrossingState.breached)
    assert compared(over, summary(Severity.watch, EXPECTED + timedelta(days=90))) == []


def test_worse_findings_come_first_and_keep_their_order() -> None:
    lines = [line(severity, f"PLEX1/{name}") for name, severity in (
        ("A", Severity.ok), ("B", Severity.act), ("C", Severity.ok), ("D", Severity.act)
    )]  # fmt: skip
    before = {line.key: summary(Severity.watch) for line in lines}
    made = changes(lines, before, 14)
    assert [change.line.finding.subject[-1] for change in made] == ["B", "D", "A", "C"]


def test_only_a_date_that_moved_is_given_a_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def why(_engine: Engine, _before: date, moved: Iterable[FleetLine]) -> Iterator[str]:
        for each in moved:
            yield f"level of {each.finding.subject} higher"

    monkeypatch.setattr("mqcap.reports.sections.findings.why_moved", why)
    lines = [line(Severity.watch), line(Severity.act, "PLEX1/CSQ2")]
    yesterday = DAY - timedelta(days=1)
    with basis(tmp_path, kind=ReportKind.daily, lines=lines) as made:
        before = [finding(line.finding.subject, severity=Severity.watch, site_date=yesterday)
                  for line in lines]  # fmt: skip
        replace_findings(made.engine, yesterday, before)
        moved = {"cutoff_date": yesterday, "expected_date": EXPECTED + timedelta(days=30)}
        replace_crossings(made.engine, yesterday, [crossing(each, **moved) for each in before])
        [table] = changed(made).tables
    assert [row[-1] for row in texts(table)] == [
        "Watch → Act", "expected 29 Apr 2026, 30 days nearer: level of PLEX1/CSQ1 higher",
    ][::-1]  # fmt: skip
