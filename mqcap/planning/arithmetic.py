"""Arithmetic of a plan: the rules that decide it, at the bound and one step below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mqcap.domain.finding import Finding
from mqcap.domain.numbers import figure, percent
from mqcap.judging.evaluate import DayFacts
from mqcap.planning.context import PlanContext, RuleOfSubject, State, Value
from mqcap.planning.evaluation import on_bound
from mqcap.planning.search import Grids
from mqcap.planning.states import Standards, States


def arithmetic_of(states: States, state: State, standards: Standards) -> tuple[str, ...]:
    """Return the lines of the rules that the state one step below would fail.

    Each is evaluated at the worst bound up to the horizon, with the plan and with one step less of
    its last setting. Empty for a plan without changes, and where nothing is one step below.
    """
    less = _one_step_less(states.grids, state)
    if state == states.today or less is None:
        return ()
    key, value, below = less
    lines: list[str] = []
    for pair, standard in standards.items():
        if states.fails_bound(pair, below, standard) or states.fails_proof(pair, below):
            planned, lower = states.facts(state), states.facts(below)
            lines += _lines(states.context, pair, planned, lower, f"with {key} {_shown(value)}")
    return tuple(lines)


def _lines(
    context: PlanContext, pair: RuleOfSubject, planned: DayFacts, lower: DayFacts, less: str
) -> Iterator[str]:
    judged = on_bound(context, pair, planned)
    if judged is None:
        return
    finding, day = judged
    confidence = percent(context.facts.settings.plan.confidence)
    when = f" on {day} at the {confidence} bound of the forecast" if day else ""
    yield f"{pair.rule.id} {pair.subject}{when}: {finding.statement}"
    yield from finding.arithmetic
    before = on_bound(context, pair, lower)
    if before is not None:
        yield f"{less}: {before[0].severity.value}, {_headroom(before[0])}{before[0].statement}"


def _headroom(finding: Finding) -> str:
    ratio = finding.headroom_ratio
    return "" if ratio is None else f"headroom {percent(ratio)}: "


def _one_step_less(grids: Grids, state: State) -> tuple[str, Value, State] | None:
    """Return the last setting with the value before the state's own, and that state."""
    key = list(grids)[-1]
    values: Sequence[Value] = grids[key]
    index = values.index(state[key]) if state[key] in values else 0
    if index == 0:
        return None
    return key, values[index - 1], {**state, key: values[index - 1]}


def _shown(value: Value) -> str:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return figure(float(value)) if is_number else f"{value}"
