"""The day with which a report compares, and what it says without one."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from mqcap.domain.finding import Severity
from mqcap.presentation.dates import day_words
from mqcap.reports.document import ReportKind
from mqcap.reports.sections.changed import changed, compared_date
from mqcap.store.findings import replace_findings
from tests.factories import DAY, finding
from tests.mqcap.reports.builders import basis, texts


@pytest.mark.parametrize(
    ("kind", "earlier", "compared"),
    [
        (ReportKind.daily, (1, 7), 1),
        (ReportKind.daily, (3,), 3),
        (ReportKind.weekly, (1, 7, 9), 7),
        (ReportKind.weekly, (1, 9), 9),
        (ReportKind.weekly, (1, 5), 5),
        (ReportKind.daily, (), None),
        (ReportKind.weekly, (), None),
    ],
)
def test_a_report_compares_with_an_evaluated_day(
    tmp_path: Path, kind: ReportKind, earlier: tuple[int, ...], compared: int | None
) -> None:
    with basis(tmp_path, [finding()], kind=kind) as made:
        for back in earlier:
            day = DAY - timedelta(days=back)
            replace_findings(made.engine, day, [finding(site_date=day)])
        expected = None if compared is None else DAY - timedelta(days=compared)
        assert compared_date(made) == expected


def test_without_an_earlier_day_there_is_a_sentence_and_no_table(tmp_path: Path) -> None:
    with basis(tmp_path, [finding()], kind=ReportKind.daily) as made:
        section = changed(made)
    assert section.heading == "What changed"
    assert section.sentences == (
        "No earlier day was evaluated, so there is nothing to compare with.",
    )
    assert section.tables == ()


def test_what_became_worse_is_in_the_table(tmp_path: Path) -> None:
    day = DAY - timedelta(days=1)
    with basis(tmp_path, [finding()], kind=ReportKind.daily) as made:
        earlier = finding(site_date=day, severity=Severity.ok, breach=False)
        replace_findings(made.engine, day, [earlier])
        section = changed(made)
    assert section.heading == "What changed since Sun 1 Mar 2026"
    [row] = texts(section.tables[0])
    assert (row[0], row[1], row[3]) == ("▲ worse", "PLEX1/CSQ1", "OK → Act")


@pytest.mark.parametrize("kind", [ReportKind.daily, ReportKind.weekly])
def test_a_day_before_the_one_compared_with_changes_nothing(
    tmp_path: Path, kind: ReportKind
) -> None:
    compared, older = DAY - timedelta(days=7), DAY - timedelta(days=8)
    with basis(tmp_path, [finding()], kind=kind) as made:
        replace_findings(made.engine, compared, [finding(site_date=compared)])
        before = changed(made)
        replace_findings(made.engine, older, [finding(site_date=older, severity=Severity.ok)])
        assert changed(made) == before


def test_a_daily_report_compares_with_a_later_day_that_is_evaluated_afterwards(
    tmp_path: Path,
) -> None:
    older, newer = DAY - timedelta(days=3), DAY - timedelta(days=1)
    with basis(tmp_path, [finding()], kind=ReportKind.daily) as made:
        replace_findings(made.engine, older, [finding(site_date=older)])
        replace_findings(made.engine, newer, [finding(site_date=newer, severity=Severity.ok)])
        section = changed(made)
    assert section.heading.endswith(day_words(newer))
    assert section.tables[0].rows
