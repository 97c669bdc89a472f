"""The plans of a day in a report."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqcap.domain.plan import PlanCost
from mqcap.presentation.plans.lasting import LASTS_MEANS
from mqcap.reports.document import ReportKind
from mqcap.reports.sections.requested_changes import requested_changes
from tests.mqcap.reports.builders import basis, texts
from tests.plan_factories import plan


@pytest.mark.parametrize("kind", ReportKind)
def test_only_the_monthly_report_has_the_plans_on_pages_of_their_own(
    tmp_path: Path, kind: ReportKind
) -> None:
    with basis(tmp_path, kind=kind, plans=[plan(confidence=0.8)]) as made:
        section = requested_changes(made)
    assert [row[1] for row in texts(section.tables[0])] == ["CSQ1 active logs"]
    assert "at the 80 % bound of the forecast" in section.sentences[0]
    assert section.sentences[0].endswith(LASTS_MEANS)
    assert section.starts_page is (kind is ReportKind.monthly)


def test_a_day_without_a_plan_says_so(tmp_path: Path) -> None:
    with basis(tmp_path) as made:
        section = requested_changes(made)
    assert (section.sentences, section.tables[0].rows) == ((), ())
    assert section.tables[0].blank.startswith("No change is to be requested")


def test_a_team_with_more_hours_of_changes_than_it_has_is_named(tmp_path: Path) -> None:
    with basis(tmp_path, plans=[plan(cost=PlanCost(work_hours=81))]) as made:
        section = requested_changes(made)
    assert section.sentences[1].startswith("Payments MQ team: 81 h of mandatory changes by")
