"""The totals of the monthly plan."""

from __future__ import annotations

from pathlib import Path

from mqcap.reports.sections.plan_totals import plan_totals
from tests.mqcap.reports.builders import basis
from tests.plan_factories import plan


def test_plans_with_changes_are_added_up_by_month_and_owner(tmp_path: Path) -> None:
    plans = [plan(), plan(resource="PLEX1/CSQ2/active_log", changes=())]
    with basis(tmp_path, plans=plans) as made:
        section = plan_totals(made)
    assert [table.name for table in section.tables] == ["By month", "By owner"]
    assert [row[1].value for row in section.tables[0].rows] == [1.0] * 3


def test_a_day_without_a_plan_has_no_totals(tmp_path: Path) -> None:
    with basis(tmp_path) as made:
        section = plan_totals(made)
    assert [table.rows for table in section.tables] == [(), ()]
