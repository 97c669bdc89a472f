"""The rules that decide the amount of a change fail with one step less, and not with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqcap.judging.bound_dates import Standard
from mqcap.planning.context import PlanContext, State
from mqcap.planning.deciding import decided_changes
from mqcap.planning.levers.active_log import ACTIVE_LOG, LOGS
from mqcap.planning.make import standards_of
from mqcap.planning.states import Standards, States
from tests.mqcap.planning.builders import active_log_of, facts_of, plan_of_active_log


@pytest.fixture
def states(tmp_path: Path) -> States:
    context = active_log_of(facts_of(tmp_path, 0.9, growth_per_day=0.002))
    today = ACTIVE_LOG.today(context)
    assert today is not None
    return States(context, ACTIVE_LOG, today)


def decided(states: States, state: State, standards: Standards) -> tuple[str, ...]:
    [change] = decided_changes(states, state, standards)
    return change.decided_by


def ids(context: PlanContext) -> set[str]:
    return {pair.rule.id for pair in context.pairs}


@pytest.mark.thorough
def test_a_plan_names_the_rule_of_all_rules_and_its_smaller_way_a_mandatory_one(
    tmp_path: Path,
) -> None:
    plan = plan_of_active_log(facts_of(tmp_path, 0.9, growth_per_day=0.002))
    assert plan is not None
    assert plan.mandatory_only is not None
    mandatory = {rule.rule_id for rule in plan.rules if rule.is_mandatory}
    assert plan.changes[0].decided_by == ("LOG-DAY-ACTIVE",)
    assert "LOG-DAY-ACTIVE" not in mandatory
    assert plan.mandatory_only.changes[0].decided_by == ("LOG-RUNWAY-12H",)
    assert "LOG-RUNWAY-12H" in mandatory


def test_a_plan_with_some_to_spare_names_the_rule_that_fails_first_below_it(
    states: States,
) -> None:
    standards = standards_of(states, states.context.pairs)
    largest = states.grids["active_log_size_mib"][-1]
    kept = next(
        {"active_log_size_mib": largest, LOGS: count}
        for count in states.grids[LOGS]
        if states.keeps({"active_log_size_mib": largest, LOGS: count}, standards)
    )
    spare = {**kept, LOGS: int(kept[LOGS]) + 7}
    assert decided(states, spare, standards) == decided(states, kept, standards) != ()


def test_a_change_that_no_rule_needs_is_decided_by_none(states: States) -> None:
    today = states.today
    assert decided(states, {**today, LOGS: int(today[LOGS]) + 1}, {}) == ()


@pytest.mark.thorough
def test_of_a_resource_that_nothing_keeps_the_rules_that_last_longer_decide(
    tmp_path: Path,
) -> None:
    context = active_log_of(facts_of(tmp_path, 12.0, growth_per_day=0.02))
    today = ACTIVE_LOG.today(context)
    assert today is not None
    states = States(context, ACTIVE_LOG, today)
    most = {name: values[-1] for name, values in states.grids.items()}
    standards = {
        pair: Standard.limit
        for pair in context.pairs
        if not states.fails_bound(pair, most, Standard.limit)
        and not states.fails_bound(pair, today, Standard.limit)
        and not states.fails_proof(pair, today)
    }
    assert set(decided(states, most, standards)) <= ids(context) - {p.rule.id for p in standards}
    assert decided(states, most, standards) != ()
