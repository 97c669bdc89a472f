"""The rules that decide the amount of a change break with one step less, and not with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqcap.planning.deciding import decided_changes
from mqcap.planning.levers.active_log import ACTIVE_LOG, LOGS
from mqcap.planning.states import States
from tests.mqcap.planning.builders import active_log_of, facts_of, plan_of_active_log


@pytest.mark.thorough
def test_the_rules_that_one_log_less_breaks_decide(tmp_path: Path) -> None:
    facts = facts_of(tmp_path, 0.9, growth_per_day=0.002)
    plan = plan_of_active_log(facts)
    assert plan is not None
    [change] = plan.changes
    context = active_log_of(facts)
    states = States(context, ACTIVE_LOG, ACTIVE_LOG.today(context) or {})
    state = {**states.today, **change.settings}
    less = {**state, LOGS: int(state[LOGS]) - 1}
    mandatory = {rule.rule_id for rule in plan.rules if rule.is_mandatory}
    pairs = [pair for pair in context.pairs if pair.rule.id in mandatory]
    assert states.keeps(state, pairs)
    broken = {pair.rule.id for pair in pairs if states.breaks(pair, less)}
    assert broken == set(change.decided_by) != set()


def test_a_change_that_no_rule_needs_is_decided_by_none(tmp_path: Path) -> None:
    context = active_log_of(facts_of(tmp_path, 0.9))
    today = ACTIVE_LOG.today(context)
    assert today is not None
    states = States(context, ACTIVE_LOG, today)
    [change] = decided_changes(states, {**today, LOGS: int(today[LOGS]) + 1}, ())
    assert change.decided_by == ()
