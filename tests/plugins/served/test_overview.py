"""The overview: the heat table counts every finding once, and what changed is what differs."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from tests.plugins.served.web import TestClient, rows_of, text_of  # isort: skip - chooses Airflow's home

from mqcap.domain.crossing import CrossingState
from mqcap.domain.estate import Estate
from mqcap.domain.finding import Finding, Severity
from mqcap.presentation.fleet import Facts, FleetLine, fleet_lines
from mqcap.presentation.heat_table import heat_table
from mqcap.reports.day_over_day import Turn, changes
from mqcap.settings import AlertSettings, ChangeFreeze
from mqcap.store.findings import replace_findings
from mqcap.store.models import FindingSummary
from tests.plugins import builder

BEFORE = builder.DAY - timedelta(days=1)


def lines_of(findings: list[Finding], alerts: AlertSettings | None = None) -> list[FleetLine]:
    facts = Facts(findings, builder.dated(), [])
    return fleet_lines(facts, Estate(sysplexes=()), alerts or AlertSettings())


def test_the_counts_of_the_heat_table_add_up_to_the_findings() -> None:
    lines = lines_of(builder.judged())
    table = heat_table(lines)
    assert sum(row.total for row in table.rows) == len(lines)
    assert sum(table.totals.values()) == len(lines)
    for row in table.rows:
        assert sum(cell.total for cell in row.cells.values()) == row.total


def suggestion(subject: str = "PLEX1/CSQ1/BP02") -> Finding:
    """What a buffer pool that is too large gets."""
    return builder.finding(
        rule_id="BP-OVERSIZE-50",
        subject=subject,
        severity=Severity.suggestion,
        title="A buffer pool that can shrink",
        observed=20.0,
        limit_value=50.0,
        unit="%",
        breach=False,
        headroom_ratio=None,
        series_id=None,
    )


def test_suggestions_are_in_no_cell_of_the_heat_table() -> None:
    lines = lines_of([*builder.judged(), suggestion(), suggestion("PLEX1/CSQ9/BP01")])
    assert heat_table(lines) == heat_table(lines_of(builder.judged()))
    assert heat_table([suggested for suggested in lines if suggested.key[0] == "BP-OVERSIZE-50"]
                      ).rows == ()  # fmt: skip


def test_a_cell_shows_its_most_urgent_finding_and_its_worst_severity() -> None:
    [row] = [one for one in heat_table(lines_of(builder.judged())).rows if one.name == "CSQ1"]
    cell = row.cells["Active log"]
    assert cell.severity is Severity.act
    assert cell.worst.finding.rule_id == "LOG-FILL-30MIN"
    assert cell.total == 2


def test_what_is_over_comes_first_then_what_is_due_first() -> None:
    names = [row.name for row in heat_table(lines_of(builder.judged())).rows]
    assert names == ["CSQ1", "TST1", "CF01"]


def test_the_last_responsible_date_allows_for_lead_time_and_freezes() -> None:
    freeze = ChangeFreeze(first=date(2026, 1, 28), last=date(2026, 1, 30))
    alerts = AlertSettings(lead_time_days={"default": 14}, change_freezes=(freeze,))
    [line] = [one for one in lines_of(builder.judged(), alerts) if one.key[0] == "CF-BUSY-1"]
    assert line.crossing is not None
    assert line.crossing.earliest_date == date(2026, 2, 12)
    assert line.due_date == date(2026, 1, 27)


@pytest.mark.parametrize(
    ("before", "turn", "words"),
    [
        (FindingSummary(Severity.watch, 0.1, None), None, ""),
        (FindingSummary(Severity.ok, 0.2, None), Turn.worse, "OK → Watch"),
        (FindingSummary(Severity.act, 0.1, None), Turn.better, "Act → Watch"),
        (None, Turn.worse, "new: Watch"),
        (FindingSummary(Severity.watch, 0.1, date(2026, 3, 10)), None, ""),
        (FindingSummary(Severity.watch, 0.1, date(2026, 4, 4)), Turn.worse, "31 days nearer"),
        (FindingSummary(Severity.watch, 0.1, date(2026, 2, 4)), Turn.better, "28 days later"),
    ],
    ids=["same", "worse", "better", "new", "moved-little", "nearer", "later"],
)
def test_what_changed_is_a_severity_or_a_date(
    before: FindingSummary | None, turn: Turn | None, words: str
) -> None:
    [line] = [one for one in lines_of(builder.judged()) if one.key[0] == "CF-BUSY-1"]
    found = changes([line], {line.key: before} if before else {}, 14)
    assert [one.turn for one in found] == ([turn] if turn else [])
    assert all(words in one.words for one in found)


@pytest.mark.parametrize("before", [Severity.ok, Severity.suggestion])
def test_what_becomes_a_suggestion_is_neither_worse_nor_better(before: Severity) -> None:
    lines = lines_of([suggestion()])
    assert changes(lines, {lines[0].key: FindingSummary(before, None, None)}, 14) == []
    assert changes(lines, {}, 14) == []


def test_a_new_finding_without_a_breach_is_no_new_alert() -> None:
    assert changes(lines_of([builder.finding(severity=Severity.ok)]), {}, 14) == []


def test_the_page_says_what_is_worse_than_the_day_before(
    site_folder: Path, filled: TestClient
) -> None:
    assert "No earlier day was evaluated" in text_of(filled.get("/"))
    engine = builder.empty_store(site_folder)
    quiet = builder.finding(site_date=BEFORE, severity=Severity.ok)
    replace_findings(engine, BEFORE, [quiet])
    engine.dispose()
    text = text_of(filled.get("/"))
    assert "Since Fri 30 Jan 2026" in text
    assert "CSQ1 Time to fill one active log: OK → Act" in text
    assert "2 worse, 0 better" in text


def test_the_page_shows_the_heat_table_with_words_beside_the_colours(filled: TestClient) -> None:
    first = rows_of(filled.get("/"), "heat")[0]
    assert first.startswith("CSQ1 PLEX1")
    assert "▲ Act" in first
    assert "over the limit" in first


def test_the_page_lists_a_suggestion_without_headroom_and_not_as_over(
    site_folder: Path, filled: TestClient
) -> None:
    engine = builder.empty_store(site_folder)
    replace_findings(engine, builder.DAY, [*builder.judged(), suggestion()])
    engine.dispose()
    listed = rows_of(filled.get("/"), "fleet")
    [row] = [one for one in listed if "A buffer pool that can shrink" in one]
    assert row.startswith("» Suggestion")
    assert "over the limit" not in row
    assert "%" not in row.partition("50 %")[2].partition("Define")[0]
    only = filled.get("/?severity=suggestion")
    assert "The fleet" not in text_of(only)
    assert rows_of(only, "fleet") == [row]


def test_the_page_sums_up_the_completeness_of_the_day(filled: TestClient) -> None:
    text = text_of(filled.get("/"))
    assert "Data incomplete: 3 feeds lack records of this day" in text
    assert "✓ Complete 1 feed" in text


def test_a_cell_of_something_dated_says_by_when(filled: TestClient) -> None:
    row = next(row for row in rows_of(filled.get("/"), "heat") if row.startswith("CF01"))
    assert "due now" in row
    assert CrossingState.will_cross.value not in row
