from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from mqcap.domain.plan import Plan
from mqcap.presentation.plan_text import plan_lines
from mqcap.rulebook.explain import explanation
from mqcap.rulebook.plan_lines import OF_RULE_ALONE, lines_of_plan
from mqcap.store.database import Store
from mqcap.store.findings import replace_findings
from mqcap.store.plans import replace_plans
from tests import factories
from tests.mqcap.rulebook.builders import DAY, QUEUE_MANAGER, new_store, settings_of

RULE = "LOG-FILL-30MIN"


@pytest.fixture
def engine(tmp_path: Path) -> Store:
    return new_store(tmp_path)


def advice(engine: Store, folder: Path, plan: Plan, day: date = DAY) -> tuple[str, ...]:
    """The lines of advice on a finding of the active logs, with this plan on ``day``."""
    replace_findings(engine, DAY, [factories.finding(site_date=DAY)])
    replace_plans(engine, day, [plan])
    return explanation(engine, settings_of(folder), RULE, QUEUE_MANAGER, DAY)[-1].lines


def test_advice_begins_with_the_plan_of_the_resource_and_says_what_is_of_the_rule_alone(
    engine: Store, tmp_path: Path
) -> None:
    plan = factories.plan(site_date=DAY)
    _, to_do, takes = plan_lines(plan)
    lines = advice(engine, tmp_path, plan)
    assert lines[:3] == (f"Plan of the resource: {to_do}", takes, OF_RULE_ALONE)
    assert "[CYL(3073)]" in lines[3]


def test_a_plan_without_a_change_has_no_cost_line(engine: Store, tmp_path: Path) -> None:
    lines = advice(engine, tmp_path, factories.plan(site_date=DAY, changes=()))
    assert lines[0].startswith("Plan of the resource: Nothing to do")
    assert lines[1] == OF_RULE_ALONE


def test_a_finding_without_a_change_has_the_plan_alone(engine: Store) -> None:
    plan = factories.plan(site_date=DAY)
    replace_plans(engine, DAY, [plan])
    _, to_do, takes = plan_lines(plan)
    without = factories.finding(site_date=DAY, changes=())
    assert lines_of_plan(engine, without) == [f"Plan of the resource: {to_do}", takes]


def test_advice_is_of_the_rule_where_another_resource_has_the_plan(
    engine: Store, tmp_path: Path
) -> None:
    other = factories.plan(site_date=DAY, resource="PLEX1/CSQ2/active_log")
    assert advice(engine, tmp_path, other)[0].startswith("- Allocate each active log")


def test_the_plan_of_another_day_is_not_shown(engine: Store, tmp_path: Path) -> None:
    earlier = DAY - timedelta(days=1)
    plan = factories.plan(site_date=earlier)
    assert advice(engine, tmp_path, plan, earlier)[0].startswith("- Allocate each active log")


def test_a_rule_that_is_no_longer_known_has_no_plan(engine: Store) -> None:
    replace_plans(engine, DAY, [factories.plan(site_date=DAY)])
    assert lines_of_plan(engine, factories.finding(site_date=DAY, rule_id="GONE-1")) == []
