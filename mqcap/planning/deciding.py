"""The rules that decide how much a plan changes: those that fail with the next smaller amount."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection
from datetime import date

from mqcap.domain.plan import PlanChange
from mqcap.planning.context import RuleOfSubject, State, is_mandatory
from mqcap.planning.evaluation import kept
from mqcap.planning.states import States


def decided_changes(
    states: States, state: State, pairs: Collection[RuleOfSubject]
) -> tuple[PlanChange, ...]:
    """Return the changes that lead to a state, each with the rules that decide its amount."""
    return tuple(
        change.model_copy(
            update={"decided_by": _deciding(states, state, pairs, change) or change.decided_by}
        )
        for change in states.changes(state)
    )


def _deciding(
    states: States, state: State, pairs: Collection[RuleOfSubject], change: PlanChange
) -> tuple[str, ...]:
    """Return the ids of the rules that break at the largest smaller value that breaks any.

    That is one step below the planned value, but for a plan that stays from the night before and
    has some to spare. Of a change of several settings the last one is stepped: size before number.
    """
    grids = {**states.grids, **states.supposed}
    keys = [key for key in grids if key in change.settings]
    if not keys:
        return ()
    values = grids[keys[-1]]

    def failing(at: int) -> tuple[str, ...]:
        return _failing(states, state, {**state, keys[-1]: values[at]}, pairs)

    index = list(values).index(state[keys[-1]])
    below = bisect_left(range(index), True, key=lambda at: not failing(at)) - 1
    return failing(below) if below >= 0 else ()


def _failing(
    states: States, state: State, below: State, pairs: Collection[RuleOfSubject]
) -> tuple[str, ...]:
    """Return the rules that a lower state breaks; of none, those that it keeps less long."""
    failing = [pair.rule.id for pair in pairs if states.breaks(pair, below)]
    if not failing:
        failing = [
            pair.rule.id
            for pair in states.context.pairs
            if pair not in pairs
            and is_mandatory(states.context, pair)
            and _fails_from(states, pair, below) < _fails_from(states, pair, state)
        ]
    return tuple(dict.fromkeys(failing))


def _fails_from(states: States, pair: RuleOfSubject, state: State) -> date:
    """Return the first day on which a state breaks a rule that none keeps to the horizon."""
    return kept(states.context, pair, states.facts(state)).fails_from or date.max
