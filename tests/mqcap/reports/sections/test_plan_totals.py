"""The summary of the monthly plan."""

from __future__ import annotations

from pathlib import Path

from mqcap.domain.plan import PlanCost
from mqcap.losses.model import SurvivorChanges
from mqcap.reports.sections.plan_totals import plan_totals
from mqcap.store.losses import replace_losses
from tests.factories import DAY
from tests.mqcap.reports.builders import basis
from tests.plan_factories import loss, plan


def test_plans_are_counted_and_added_up_by_month_and_owner(tmp_path: Path) -> None:
    plans = [plan(), plan(resource="PLEX1/CSQ2/active_log", changes=())]
    with basis(tmp_path, plans=plans) as made:
        section = plan_totals(made)
    assert section.sentences[0].startswith("2 plans (production); all: 2; with changes 1.")
    assert [table.name for table in section.tables] == ["By month", "By owner"]
    assert [row[1].value for row in section.tables[0].rows] == [1.0] * 5


def test_a_day_without_a_plan_has_no_totals(tmp_path: Path) -> None:
    with basis(tmp_path) as made:
        section = plan_totals(made)
    assert (section.sentences, section.tables) == (("No change is to be requested.",), ())


def test_what_losses_take_is_beside_the_totals(tmp_path: Path) -> None:
    needed = SurvivorChanges(resource="PLEX1/CF03", label="CF03", cost=PlanCost(engines=1))
    with basis(tmp_path, plans=[plan()]) as made:
        replace_losses(made.engine, DAY, [loss(by_resource=(needed,))])
        section = plan_totals(made)
    assert section.sentences[-1].startswith(
        "For losses, beside the plans of the day: 1 resource, 1 CF"
    )
