"""Plans from night to night: a plan that people know stays while it is good enough.

Forecasts are fitted anew each night, so values, dates and severity near a limit move a little. A
plan changes where that matters: at once where it no longer lasts or is due much earlier, and for a
cheaper one only where it costs far less or is old.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final

from mqcap.domain.plan import Plan
from mqcap.judging.bound_dates import Standard
from mqcap.planning.context import RuleOfSubject, State
from mqcap.planning.states import Standards, States
from mqcap.settings import ChangeFreeze

KEPT_COST_RATIO: Final = 1.25
"""A previous plan stays that costs no more than so many times the cheapest (ours)."""
NEW_COST_RATIO: Final = 2.0
"""The same in the first ``NEW_DAYS`` days of a plan (ours)."""
NEW_DAYS: Final = 30
EARLIER_DAYS: Final = 7
LATER_DAYS: Final = 30
"""A due day stays that a new forecast moves by no more, earlier or later (ours) ..."""
EARLIER_SHARE: Final = 0.25
LATER_SHARE: Final = 1.0
"""... or by no more than this share of the days that remain to it (ours)."""


def continued_standards(
    states: States, state: State, standards: Standards, previous: Plan
) -> Standards:
    """Return the rules that a plan in progress has to keep, until half of the horizon.

    Those that the previous plan kept, where its state keeps them until then; those that it gave up
    only where they are now kept with headroom, and the plan is no longer new.
    """
    given_up = _given_up(previous)
    is_new = _is_new(states, previous)
    until = half_horizon(states)
    result: dict[RuleOfSubject, Standard] = {}
    for pair in states.context.pairs:
        standard = standards.get(pair)
        if (pair.rule.id, pair.subject) in given_up:
            if standard is Standard.ok and not is_new:
                result[pair] = standard
        elif standard is not None and states.keeps(state, {pair: standard}, until):
            result[pair] = standard
        elif states.keeps(state, {pair: Standard.limit}, until):
            result[pair] = Standard.limit
    return result


def continued_state(states: States, previous: Plan | None) -> State | None:
    """Return the state that the previous plan leads to; ``None`` without one, or when it is done.

    A plan is done when every setting has the value that it planned. None is returned either where
    today's settings went past it since: no plan takes a change back.
    """
    if previous is None or not previous.settings:
        return None
    today = states.today
    follows = states.settable.follows
    values = {key: each for (_, key), each in previous.settings.items() if key not in follows}
    if not values.keys() <= today.keys() or all(today[key] == values[key] for key in values):
        return None
    if any(value not in states.grids[key] for key, value in values.items()):
        return None
    return {**today, **values}


def is_good_enough(
    states: States, state: State, cheapest: State, standards: Standards, previous: Plan
) -> bool:
    """Return whether the state of the previous plan lasts to half of the horizon, at its cost.

    ``standards`` are what the cheapest state keeps. A cheaper one that keeps less is no reason.
    """
    continued = continued_standards(states, state, standards, previous)
    given_up = _given_up(previous)
    lost = [pair for pair in standards if pair not in continued]
    if any((pair.rule.id, pair.subject) not in given_up for pair in lost):
        return False
    if any(pair not in standards for pair in continued):
        return True
    ratio = NEW_COST_RATIO if _is_new(states, previous) else KEPT_COST_RATIO
    return states.cost(state).weighted <= ratio * states.cost(cheapest).weighted


def _is_new(states: States, previous: Plan) -> bool:
    return (states.context.site_date - previous.made_on).days < NEW_DAYS


def _given_up(plan: Plan) -> set[tuple[str, str]]:
    return {(unkept.rule_id, unkept.subject) for unkept in plan.not_kept}


def half_horizon(states: States) -> date:
    """Return the day until which a plan in progress has to last."""
    context = states.context
    return context.site_date + timedelta(days=context.facts.settings.plan.horizon_days // 2)


def steadied(plan: Plan, previous: Plan | None, freezes: Sequence[ChangeFreeze]) -> Plan:
    """Return a plan with dates and severity of the night before, where its changes are the same.

    Its due day is new where it comes much earlier, much later or into a change freeze. The severity
    rises at once, and falls only with a new due day.
    """
    if previous is None or previous.settings != plan.settings:
        return plan
    first = max(previous.earliest_date, plan.site_date)
    is_same = plan.is_feasible is previous.is_feasible
    made_on = previous.made_on if is_same else plan.made_on
    dated = plan.model_copy(update={"made_on": made_on, "earliest_date": first})
    own = previous.own_due_date or previous.due_date
    if not _is_near(plan, own, freezes):
        return dated
    highest = max(plan.severity, previous.severity, key=lambda severity: severity.rank)
    by = previous.due_rule or plan.due_rule
    return dated.model_copy(update={"due_date": own, "due_rule": by, "severity": highest})


def _is_near(plan: Plan, old: date, freezes: Sequence[ChangeFreeze]) -> bool:
    """Return whether a due day stays; one that is over stays while the limit is passed."""
    if any(freeze.first <= old <= freeze.last for freeze in freezes):
        return False
    moved, remaining = (plan.due_date - old).days, max((old - plan.site_date).days, 0)
    if moved < 0:
        return -moved <= max(EARLIER_DAYS, EARLIER_SHARE * remaining)
    is_passed = plan.due_date <= plan.earliest_date
    return is_passed or moved <= max(LATER_DAYS, LATER_SHARE * remaining)
