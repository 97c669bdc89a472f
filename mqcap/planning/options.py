"""What more than a plan buys, and what does instead of it, each found by the same search."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from mqcap.domain.plan import PlanChange, PlanEnd, PlanTier, PlanVariant
from mqcap.planning.compose import level_of, variant_with
from mqcap.planning.context import PlanContext, RuleOfSubject, State
from mqcap.planning.evaluation import breaks, facts_with
from mqcap.planning.least_state import keepable, least_state
from mqcap.planning.states import States, weighted

MOST_OPTIONS: Final = 3
"""Other changes that are shown beside a plan (ours)."""


def tiers_of(
    states: States, state: State, pairs: Collection[RuleOfSubject]
) -> tuple[PlanTier, ...]:
    """Return the least state that keeps the recommended limits too, where the plan breaks them."""
    context = states.context
    others = [pair for pair in context.pairs if pair not in pairs]
    wanted = [pair for pair in keepable(states, others) if states.breaks(pair, state)]
    if not wanted:
        return ()
    every = [*pairs, *keepable(states, others)]
    choice = states.settable.choice
    same = {choice: [state[choice]]} if choice in states.grids else {}
    more = least_state(states, every, {}, {**states.grids, **same})
    if more is None or more == state:
        return ()
    facts = states.facts(more)
    buys = (PlanEnd(rule_id=pair.rule.id, level=level_of(pair, facts)) for pair in wanted)
    variant = variant_with(states, more, every)
    return (PlanTier(**dict(variant), buys=tuple(dict.fromkeys(buys))),)


def options_of(
    states: States, state: State, pairs: Collection[RuleOfSubject]
) -> tuple[PlanVariant, ...]:
    """Return other changes that keep the same limits, the cheapest first.

    They are those with another value of the first of several settings, such as another size of a
    log, and what the kind of resource has beside its settings.
    """
    found = [*_of_choice(states, state, pairs), *_of_kind(states, state, pairs)]
    return tuple(sorted(found, key=lambda option: option.cost.weighted)[:MOST_OPTIONS])


def _of_choice(
    states: States, state: State, pairs: Collection[RuleOfSubject]
) -> Iterator[PlanVariant]:
    choice = states.settable.choice
    for value in states.grids.get(choice, ()):
        if value == state[choice]:
            continue
        other = least_state(states, pairs, {}, {**states.grids, choice: [value]})
        if other is not None and states.changes(other):
            yield variant_with(states, other, pairs)


def _of_kind(
    states: States, state: State, pairs: Collection[RuleOfSubject]
) -> Iterator[PlanVariant]:
    context = states.context
    weights = context.facts.settings.plan.cost
    for option in states.settable.options(context, states.today, state):
        if not option.changes or _keeps(context, option.changes, pairs):
            yield option.model_copy(update={"cost": weighted(option.cost, weights)})


def _keeps(
    context: PlanContext, changes: Collection[PlanChange], pairs: Collection[RuleOfSubject]
) -> bool:
    facts = facts_with(context, [part for each in changes for part in each.scenario_parts])
    return not any(breaks(context, pair, facts) for pair in pairs)
