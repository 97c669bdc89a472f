"""The least state of a resource that keeps the limits of rules, and the rules that can be kept."""

from collections.abc import Collection, Iterable, Mapping
from datetime import date, timedelta

from mqcap.planning.context import Grids, PlanContext, RuleOfSubject, State, is_mandatory
from mqcap.planning.evaluation import kept
from mqcap.planning.search import cheapest, cheapest_of_rising
from mqcap.planning.states import States


def base_pairs(context: PlanContext) -> tuple[RuleOfSubject, ...]:
    """Return the rules whose limits a plan keeps: the mandatory ones, of a kind without any all."""
    mandatory = tuple(pair for pair in context.pairs if is_mandatory(context, pair))
    return mandatory or context.pairs


def keepable(states: States, pairs: Iterable[RuleOfSubject]) -> tuple[RuleOfSubject, ...]:
    """Return the rules whose limits the state with the most of each setting keeps."""
    most = _most(states)
    return tuple(pair for pair in pairs if not states.breaks(pair, most))


def least_state(
    states: States,
    pairs: Collection[RuleOfSubject],
    reachable: Mapping[RuleOfSubject, date],
    grids: Grids | None = None,
) -> State | None:
    """Return the cheapest state that keeps rules, and others as long as they can be kept.

    ``None`` where none of the grids does; ``grids`` are those of the resource unless given.
    """
    search = cheapest_of_rising if states.settable.rises else cheapest
    return search(
        grids or states.grids,
        lambda state: keeps_as_much(states, state, pairs, reachable),
        lambda state: states.cost(state).weighted,
    )


def keeps_as_much(
    states: States,
    state: State,
    pairs: Iterable[RuleOfSubject],
    reachable: Mapping[RuleOfSubject, date],
) -> bool:
    """Return whether a state keeps what can be kept, and the other rules as long as they can be."""
    return states.keeps(state, pairs) and all(
        states.keeps(state, [pair], until) for pair, until in reachable.items()
    )


def reachable_dates(
    states: States, pairs: Iterable[RuleOfSubject], kept_pairs: Collection[RuleOfSubject]
) -> Mapping[RuleOfSubject, date]:
    """Return the last day to which any state keeps each rule that none keeps to the end.

    The state with the most of each setting lasts longest. Rules that fail in it from the earliest
    day on are left out: no state is better than another.
    """
    context = states.context
    facts = states.facts(_most(states))
    reachable: dict[RuleOfSubject, date] = {}
    for pair in pairs:
        if pair in kept_pairs:
            continue
        fails_from = kept(context, pair, facts).fails_from
        if fails_from is not None and fails_from > context.earliest_date:
            reachable[pair] = min(fails_from - timedelta(days=1), context.horizon_date)
    return reachable


def _most(states: States) -> State:
    """Return the state with the most of each setting."""
    return {name: values[-1] for name, values in states.grids.items()}
