"""The plan of each resource with a rule at Watch or Act, from the facts of a day."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Final, NamedTuple

from mqcap.domain.plan import Plan, following
from mqcap.judging.evaluate import DayFacts, Verdict
from mqcap.planning.compose import is_bad, is_mandatory, plan_by_hand, plan_with, variant_with
from mqcap.planning.context import PlanContext, RuleOfSubject, State, contexts_of
from mqcap.planning.evaluation import Standard
from mqcap.planning.search import cheapest
from mqcap.planning.settable import settable_of
from mqcap.planning.states import Standards, States

KEPT_COST_RATIO: Final = 1.25
"""A previous plan stays that costs no more than so many times the cheapest (ours)."""


class _Found(NamedTuple):
    """A state that keeps as many rules as can be kept, and the standard that it keeps them at."""

    state: State
    standards: Standards


def plans_of_day(
    facts: DayFacts, verdicts: Sequence[Verdict], previous: Mapping[str, Plan] | None = None
) -> list[Plan]:
    """Return the plans of all resources with a rule at Watch or Act, by path of the resource.

    ``previous`` holds the plans of the day before by resource; a change that is on its way is
    not replaced by one that is hardly larger.
    """
    before = previous or {}
    return [
        following(
            plan_of(context, before.get(context.resource.path)), before.get(context.resource.path)
        )
        for context in contexts_of(facts, verdicts)
        if any(is_bad(verdict.finding) for verdict in context.verdicts)
    ]


def plan_of(context: PlanContext, previous: Plan | None = None) -> Plan:
    """Return the least-cost changes that keep every rule of a resource until the horizon.

    The previous plan stays while it lasts to half of the horizon and costs little more.
    """
    settable = settable_of(context.resource.kind)
    today = settable.today(context) if settable is not None else None
    if settable is None or today is None:
        missing = settable.needs if settable is not None else ()
        return plan_by_hand(context, missing)
    states = States(context, settable, today)
    found = _search(states, context.pairs)
    continued = _continued(states, found, previous)
    if continued is not None:
        found = found._replace(state=continued)
    binding = tuple(pair for pair in context.pairs if is_mandatory(context, pair))
    fewer = _search(states, binding)
    plan = plan_with(states, *found)
    if continued is not None and previous is not None:
        plan = plan.model_copy(update={"made_on": previous.made_on})
    if fewer.state == found.state:
        return plan
    return plan.model_copy(update={"mandatory_only": variant_with(states, *fewer)})


def _search(states: States, pairs: Sequence[RuleOfSubject]) -> _Found:
    standards = standards_of(states, pairs)
    state = cheapest(
        states.grids,
        lambda state: states.keeps(state, standards),
        lambda state: states.cost(state).weighted,
    )
    return _Found(state if state is not None else states.today, standards)


def _continued(states: States, found: _Found, previous: Plan | None) -> State | None:
    """Return the state of the previous plan where it is still good enough to be carried out.

    Not where today's settings went past it since: no plan takes a change back.
    """
    if previous is None or not previous.settings:
        return None
    today = states.today
    values = {key: value for (_, key), value in previous.settings.items()}
    if not values.keys() <= today.keys() or all(today[key] == values[key] for key in values):
        return None
    if any(value not in states.grids[key] for key, value in values.items()):
        return None
    state = {**today, **values}
    if states.cost(state).weighted > KEPT_COST_RATIO * states.cost(found.state).weighted:
        return None
    context = states.context
    half = timedelta(days=context.facts.settings.plan.horizon_days // 2)
    return state if states.keeps(state, found.standards, context.site_date + half) else None


def standards_of(states: States, pairs: Sequence[RuleOfSubject]) -> Standards:
    """Return the rules that the state with the most of each setting keeps, and how well."""
    most = {name: values[-1] for name, values in states.grids.items()}
    found: dict[RuleOfSubject, Standard] = {}
    for pair in pairs:
        if states.fails_proof(pair, most):
            continue
        for standard in Standard:
            if not states.fails_bound(pair, most, standard):
                found[pair] = standard
                break
    return found
