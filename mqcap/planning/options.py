"""What more than a plan buys, and what does instead of it, each found by the same search."""

from collections.abc import Collection, Iterator
from typing import Final

from mqcap.domain.plan import PlanCost, PlanEnd, PlanTier, PlanVariant
from mqcap.planning.compose import level_of, variant_with
from mqcap.planning.context import Grids, RuleOfSubject, State
from mqcap.planning.least_state import keepable, least_state
from mqcap.planning.states import States, weighted

UNKNOWN_EFFECT: Final = "an effect that is not known here"
MOST_OPTIONS: Final = 4
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
    same = {choice: [state[choice]] for choice in states.settable.choices if choice in state}
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

    They are those with another value of one setting, such as another size of a log, and those with
    a setting whose effect the site has to find out. Last come changes whose effect no scenario can
    tell.
    """
    others = list(_of_choices(states, state, pairs))
    less = (_of_less(states, each, pairs) for each in (state, *others))
    kept = [*others, *(each for each in less if each is not None)]
    found = [*(variant_with(states, each, pairs) for each in kept), *_of_supposed(states, pairs)]
    found.sort(key=lambda option: option.cost.weighted)
    plan = states.context.facts.settings.plan
    cost = weighted(PlanCost(work_hours=plan.change_hours), plan)
    unknown = (
        each.model_copy(update={"cost": cost, "effect": each.effect or UNKNOWN_EFFECT})
        for each in states.settable.alternatives(states.context, state)
    )
    return (*found[:MOST_OPTIONS], *unknown)


def _of_choices(states: States, state: State, pairs: Collection[RuleOfSubject]) -> Iterator[State]:
    """Yield the least with each other value of one choice, those beside it as they are today."""
    others = {key: [states.today[key]] for key in states.settable.choices if key in states.today}
    for choice in others:
        for value in states.grids[choice]:
            if value == state[choice]:
                continue
            other = _least_with(states, others | {choice: [value]}, pairs)
            if other is not None and states.changes(other):
                yield other


def _of_less(states: States, state: State, pairs: Collection[RuleOfSubject]) -> State | None:
    """Return the least of the last setting that costs more; ``None`` where none keeps the rules."""
    key = list(states.grids)[-1]
    values = (
        value
        for value in states.settable.dearer(states.context)
        if key not in states.context.fixed and float(value) < float(state[key])
    )
    smaller = ({**state, key: value} for value in values)
    return next((each for each in smaller if states.keeps(each, pairs)), None)


def _of_supposed(states: States, pairs: Collection[RuleOfSubject]) -> Iterator[PlanVariant]:
    """Yield the least supposed effect that needs no other change, else the first with the rest."""
    for key, values in states.supposed.items():
        found = [_least_with(states, {key: [value]}, pairs) for value in values[1:]]
        kept = [each for each in found if each is not None]
        alone = (each for each in kept if {**each, key: values[0]} == states.today)
        least = next(alone, kept[0] if kept else None)
        if least is not None:
            yield variant_with(states, least, pairs)


def _least_with(states: States, fixed: Grids, pairs: Collection[RuleOfSubject]) -> State | None:
    return least_state(states, pairs, {}, {**states.grids, **fixed})
