from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from mqcap.domain.plan import Plan
from mqcap.rulebook.explain import advice_lines, explanation
from mqcap.store.database import Store
from mqcap.store.findings import replace_findings
from mqcap.store.plans import replace_plans
from tests import factories, plan_factories
from tests.mqcap.rulebook.builders import DAY, QUEUE_MANAGER, new_store, settings_of

RULE = "LOG-FILL-30MIN"


@pytest.fixture
def engine(tmp_path: Path) -> Store:
    return new_store(tmp_path)


def advice(engine: Store, folder: Path, plan: Plan, day: date = DAY) -> tuple[str, ...]:
    """The advice on a finding of the active logs with its heading, with this plan on ``day``."""
    replace_findings(engine, DAY, [factories.finding(site_date=DAY)])
    replace_plans(engine, day, [plan])
    section = explanation(engine, settings_of(folder), RULE, QUEUE_MANAGER, DAY)[-1]
    return (section.heading, *section.lines)


def test_advice_is_the_plan_and_then_that_of_the_rule_with_what_it_is_sized_for(
    engine: Store, tmp_path: Path
) -> None:
    plan = plan_factories.plan(site_date=DAY)
    heading, *lines = advice(engine, tmp_path, plan)
    assert heading == f"Advice: {plan.changes[0].sentence} now"
    assert lines[0].startswith("Option: 16 x CYL(5825); +96 GiB DASD, 10 h")
    assert lines[1] == (
        f"{RULE} alone (limit 0.556 MiB/s), for the level that it names, else its limit, at the "
        "expected value of the day of the forecast that it names, else on the measured days; the "
        "plan is sized at the 90 % bound of the forecast: Make the active logs larger first; "
        "then add more."
    )
    assert "[CYL(3073)]" in lines[2]


def test_the_watch_level_that_the_plan_keeps_is_named(engine: Store) -> None:
    replace_plans(engine, DAY, [plan_factories.plan(site_date=DAY)])
    found = factories.finding(site_date=DAY, watch_level=0.445)
    assert (
        "(limit 0.556 MiB/s, Watch above 0.445 MiB/s), for" in advice_lines(engine, found).rest[1]
    )


def test_of_a_plan_without_a_change_the_rule_has_the_advice(engine: Store, tmp_path: Path) -> None:
    heading, first, second, *_ = advice(
        engine, tmp_path, plan_factories.plan(site_date=DAY, changes=())
    )
    assert heading == "Advice: Make the active logs larger first; then add more."
    assert first.startswith("Plan of the resource: nothing to do")
    assert second.startswith("- Allocate each active log")


def test_what_was_reported_has_no_figure_as_its_limit(engine: Store) -> None:
    replace_plans(engine, DAY, [plan_factories.plan(site_date=DAY)])
    found = factories.finding(site_date=DAY, is_event=True)
    assert advice_lines(engine, found).rest[1].startswith(f"{RULE} alone: Make")


def test_advice_is_of_the_rule_where_another_resource_has_the_plan(
    engine: Store, tmp_path: Path
) -> None:
    other = plan_factories.plan(site_date=DAY, resource="PLEX1/CSQ2/active_log")
    assert advice(engine, tmp_path, other)[1].startswith("- Allocate each active log")


def test_the_plan_of_another_day_is_not_shown(engine: Store, tmp_path: Path) -> None:
    earlier = DAY - timedelta(days=1)
    plan = plan_factories.plan(site_date=earlier)
    assert advice(engine, tmp_path, plan, earlier)[1].startswith("- Allocate each active log")


def test_a_rule_that_is_no_longer_known_has_no_plan(engine: Store) -> None:
    replace_plans(engine, DAY, [plan_factories.plan(site_date=DAY)])
    found = factories.finding(site_date=DAY, rule_id="GONE-1")
    assert advice_lines(engine, found).first == found.advice
