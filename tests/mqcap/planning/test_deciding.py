"""The rules that decide how much a plan changes, and their arithmetic."""

from pathlib import Path

import pytest

from mqcap.domain.resource import ResourceKind
from mqcap.planning.deciding import arithmetic_of, decided_changes
from mqcap.planning.levers.active_log import ACTIVE_LOG, LOGS
from mqcap.planning.levers.chinit_storage_31bit import CHINIT_STORAGE_31BIT
from mqcap.planning.states import States, base_pairs, least_state
from tests.mqcap.planning.builders import active_log_of, facts_of, plan_of_active_log
from tests.mqcap.planning.conftest import ContextByKind


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
    mandatory = {rule.rule_id for rule in plan.evidence.rules if rule.is_mandatory}
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


@pytest.mark.thorough
def test_the_rule_that_decides_is_shown_with_the_plan_and_with_one_log_less(
    tmp_path: Path,
) -> None:
    plan = plan_of_active_log(facts_of(tmp_path, 0.9, growth_per_day=0.002))
    assert plan is not None
    logs = int(plan.settings[("PLEX1/CSQ1", "active_logs")])
    lines = plan.evidence.arithmetic
    assert lines[0].startswith(("LOG-RUNWAY-12H PLEX1/CSQ1 on ", "LOG-DAY-ACTIVE PLEX1/CSQ1 on "))
    assert "at the 90 % bound of the forecast" in lines[0]
    assert any(f"({logs} - 1)" in line for line in lines)
    assert lines[-1].startswith(f"with active logs {logs - 1}: ")


@pytest.fixture(scope="module")
def states(contexts: ContextByKind) -> States:
    context = contexts[ResourceKind.chinit_storage_31bit]
    return States(context, CHINIT_STORAGE_31BIT, {"channels_moved": 0})


def tried(states: States, moved: int) -> list[str]:
    """Return the lines of what was tried, without the sentences of the rules."""
    lines = arithmetic_of(states, {"channels_moved": moved}, base_pairs(states.context))
    return [line for line in lines if line.startswith(("with ", "planned "))]


def least(states: States) -> int:
    state = least_state(states, base_pairs(states.context), {})
    assert state is not None
    return int(state["channels_moved"])


def test_each_amount_that_was_tried_has_the_day_until_which_it_lasts(states: States) -> None:
    moved = least(states)
    planned, less = tried(states, moved)
    assert planned.startswith(f"with channels moved {moved:,}: within its limit at the bound")
    assert "; within its limit at the bound until " in less


def test_a_plan_that_stays_from_an_earlier_day_says_so(states: States) -> None:
    moved = least(states)
    assert tried(states, moved - 200)[-1] == (
        "planned on an earlier day: it stays while it keeps its rules until half of the horizon, "
        "13 Jan 2027"
    )
    assert not [line for line in tried(states, moved) if "earlier day" in line]
