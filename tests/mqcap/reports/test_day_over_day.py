"""Differences between the findings of two days."""

from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from typing import Any

import pytest

from mqcap.domain.crossing import CrossingState
from mqcap.domain.estate import Estate
from mqcap.domain.finding import Severity
from mqcap.presentation.fleet import FleetLine
from mqcap.queries.fleet import fleet_lines
from mqcap.reports.day_over_day import DayChange, Turn, changes, reasoned
from mqcap.settings import AlertSettings
from mqcap.store.models import FindingSummary
from tests.factories import DAY, crossing, finding

EXPECTED = DAY + timedelta(days=58)


def line(severity: Severity, subject: str = "PLEX1/CSQ1", **changed: Any) -> FleetLine:
    made = finding(subject, severity=severity, breach=False, headroom_ratio=0.2)
    dated = [crossing(made, **changed)]
    return fleet_lines([made], dated, [], Estate(), AlertSettings())[0]


def summary(severity: Severity, expected: date | None = EXPECTED) -> FindingSummary:
    return FindingSummary(severity, 0.2, expected)


def compared(now: FleetLine, before: FindingSummary | None) -> list[tuple[Turn, str]]:
    earlier = {now.key: before} if before else {}
    return [(change.turn, change.words) for change in changes([now], earlier, 14)]


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        (Severity.watch, Severity.act, [(Turn.worse, "Watch → Act")]),
        (Severity.act, Severity.ok, [(Turn.better, "Act → OK")]),
        (Severity.ok, Severity.unknown, [(Turn.worse, "OK → Unknown")]),
        (Severity.unknown, Severity.ok, []),
        (Severity.ok, Severity.suggestion, []),
        (Severity.suggestion, Severity.ok, []),
        (Severity.act, Severity.act, []),
    ],
)
def test_a_severity_that_changed_is_worse_or_better(
    before: Severity, now: Severity, expected: list[tuple[Turn, str]]
) -> None:
    assert compared(line(now), summary(before)) == expected


@pytest.mark.parametrize(("unit", "counts"), [("MiB/s", True), ("h", False), ("", True)])
@pytest.mark.parametrize(
    "before",
    [summary(Severity.watch), summary(Severity.act, EXPECTED + timedelta(days=90))],
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
    assert made == ([(Turn.worse, f"new: {severity.value.capitalize()}")] if urgent else [])


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        (13, []),
        (14, [(Turn.worse, "expected 29 Apr 2026, 14 days nearer")]),
        (-13, []),
        (-14, [(Turn.better, "expected 29 Apr 2026, 14 days later")]),
    ],
)
def test_an_expected_date_counts_from_the_configured_days_on(
    days: int, expected: list[tuple[Turn, str]]
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
    before = {each.key: summary(Severity.watch) for each in lines}
    made = changes(lines, before, 14)
    assert [change.line.finding.subject[-1] for change in made] == ["B", "D", "A", "C"]


def test_only_a_date_that_moved_is_given_a_reason() -> None:
    lines = [line(Severity.watch), line(Severity.act, "PLEX1/CSQ2")]
    before = {each.key: summary(Severity.watch, EXPECTED + timedelta(days=30)) for each in lines}
    asked: list[str] = []

    def why(moved: Iterable[FleetLine]) -> Iterator[str]:
        for each in moved:
            asked.append(each.finding.subject)
            yield "level higher"

    made: list[DayChange] = reasoned(changes(lines, before, 14), why)
    assert asked == ["PLEX1/CSQ1"]
    assert [change.words for change in made] == [
        "expected 29 Apr 2026, 30 days nearer: level higher", "Watch → Act",
    ]  # fmt: skip
