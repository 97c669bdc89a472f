"""Plans from night to night: a plan that people know stays while it is good enough.

Forecasts are fitted anew each night, so values, dates and severity near a limit move a little. A
plan changes where that matters: at once where it no longer lasts or is due much earlier, and for a
cheaper one only where it costs far less or is old.
"""

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import Final

from mqcap.domain.plan import Plan
from mqcap.planning.context import RuleOfSubject, State
from mqcap.planning.states import States
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


def continued_state(
    states: States, previous: Plan | None, least: State, pairs: Iterable[RuleOfSubject]
) -> State | None:
    """Return the state of the previous plan where it is good enough; ``None`` where it is not.

    It keeps what the least state keeps until half of the horizon, and costs little more. A plan is
    done when every setting has the value that it planned, and none takes a change back. A rule that
    it gave up is no reason for another one while it is new.
    """
    if previous is None or not previous.settings:
        return None
    today = states.today
    follows = states.settable.follows
    values = {key: value for (_, key), value in previous.settings.items() if key not in follows}
    if not values.keys() <= today.keys() or all(today[key] == values[key] for key in values):
        return None
    if any(value not in states.grids[key] for key, value in values.items()):
        return None
    state: State = {**today, **values}
    is_new = (states.context.site_date - previous.dates.made_on).days < NEW_DAYS
    given_up = {(unkept.rule_id, unkept.subject) for unkept in previous.evidence.not_kept}
    wanted = [pair for pair in pairs if not (is_new and (pair.rule.id, pair.subject) in given_up)]
    ratio = NEW_COST_RATIO if is_new else KEPT_COST_RATIO
    if states.cost(state).weighted > ratio * states.cost(least).weighted:
        return None
    return state if states.keeps(state, wanted, half_horizon(states)) else None


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
    first = max(previous.dates.earliest_date, plan.site_date)
    is_same = plan.is_feasible is previous.is_feasible
    made_on = (previous if is_same else plan).dates.made_on
    dated = plan.dated(made_on=made_on, earliest_date=first)
    if not _is_near(plan, previous.due_date, freezes):
        return dated
    highest = max(plan.severity, previous.severity, key=lambda severity: severity.rank)
    reason = dated.reason.model_copy(update={"severity": highest})
    due = dated.dated(due_date=max(previous.due_date, plan.site_date))
    return due.model_copy(update={"reason": reason})


def _is_near(plan: Plan, old: date, freezes: Sequence[ChangeFreeze]) -> bool:
    """Return whether a due day stays; one that is over stays while a limit is passed."""
    if any(freeze.first <= old <= freeze.last for freeze in freezes):
        return False
    moved, remaining = (plan.due_date - old).days, max((old - plan.site_date).days, 0)
    if moved < 0:
        return -moved <= max(EARLIER_DAYS, EARLIER_SHARE * remaining)
    return plan.is_due_at_once or moved <= max(LATER_DAYS, LATER_SHARE * remaining)
