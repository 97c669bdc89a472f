"""The rules that decide how much a plan changes, with their arithmetic at the bound.

Those are the rules that fail with the next smaller amount.
"""

from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from datetime import date, timedelta
from typing import Final

from mqcap.domain.numbers import figure, percent
from mqcap.domain.plan import PlanChange
from mqcap.judging.evaluate import DayFacts
from mqcap.planning.context import PlanContext, RuleOfSubject, State, Value, is_mandatory
from mqcap.planning.continuity import half_horizon
from mqcap.planning.evaluation import kept, on_bound
from mqcap.planning.states import States
from mqcap.presentation.dates import short_day


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
    if not keys or state[keys[-1]] not in grids[keys[-1]]:
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

    def fails_from(pair: RuleOfSubject, state: State) -> date:
        return kept(states.context, pair, states.facts(state)).fails_from or date.max

    failing = [pair.rule.id for pair in pairs if states.breaks(pair, below)]
    if not failing:
        failing = [
            pair.rule.id
            for pair in states.context.pairs
            if pair not in pairs
            and is_mandatory(states.context, pair)
            and fails_from(pair, below) < fails_from(pair, state)
        ]
    return tuple(dict.fromkeys(failing))


_UNITS: Final = {"kb": "KB", "mib": "MiB", "gib": "GiB", "pct": "%"}
"""Ends of the keys of settings, and the units that they stand for."""


def arithmetic_of(
    states: States, state: State, pairs: Collection[RuleOfSubject]
) -> tuple[str, ...]:
    """Return the lines of the rules that the state one step below breaks.

    Each is evaluated at the worst bound up to the horizon, with the plan and with one step less of
    its last setting, each with the day until which it lasts. Empty for a plan without changes, and
    where nothing is one step below.
    """
    key, values = list(states.grids.items())[-1]
    at = list(values).index(state[key]) if state[key] in values else 0
    if state == states.today or not at:
        return ()
    below = {**state, key: values[at - 1]}
    words = [_words(key, settings[key]) for settings in (state, below)]
    lines: list[str] = []
    for pair in pairs:
        if states.breaks(pair, below):
            lines += _lines(states.context, pair, words, [states.facts(state), states.facts(below)])
    if not states.keeps(state, pairs):
        lines.append(
            f"planned on an earlier day: it stays while it keeps its rules until half of the "
            f"horizon, {short_day(half_horizon(states))}"
        )
    return tuple(lines)


def _lines(
    context: PlanContext, pair: RuleOfSubject, words: Sequence[str], facts: Sequence[DayFacts]
) -> Iterator[str]:
    (planned, less), (with_planned, with_less) = words, facts
    judged = on_bound(context, pair, with_planned)
    if judged is None:
        return
    finding, day = judged
    confidence = percent(context.facts.settings.plan.confidence)
    when = f" on {day} at the {confidence} bound of the forecast" if day else ""
    yield f"{pair.rule.id} {pair.subject}{when}: {finding.statement}"
    yield from finding.arithmetic
    lasts = _lasts_text(context, pair, with_planned)
    if lasts:
        yield f"{planned}: {lasts}"
    before = on_bound(context, pair, with_less)
    if before is not None:
        ratio = before[0].headroom_ratio
        headroom = "" if ratio is None else f"headroom {percent(ratio)}: "
        statement = f"{headroom}{before[0].statement.rstrip('.')}"
        lasts = _lasts_text(context, pair, with_less)
        yield f"{less}: {'; '.join(filter(None, (statement, lasts)))}"


def _lasts_text(context: PlanContext, pair: RuleOfSubject, facts: DayFacts) -> str:
    """Return until when an amount keeps the limit; empty without a forecast of its figure."""
    found = kept(context, pair, facts)
    if not found.is_forecast:
        return ""
    first = found.fails_from
    if first is None:
        return "within its limit at the bound as far as the forecast reaches"
    if first <= context.earliest_date:
        return f"over its limit at the bound on {short_day(first)}, the first day of the plan"
    return f"within its limit at the bound until {short_day(first - timedelta(days=1))}"


def _words(key: str, value: Value) -> str:
    """Return a setting with its value: ``with channels moved 2,400``, ``with memlimit 3 GiB``."""
    *names, last = key.split("_")
    unit = _UNITS.get(last, "")
    name = " ".join(names if unit else [*names, last])
    shown = value if isinstance(value, bool | str) else figure(value)
    return f"with {name} {shown} {unit}".rstrip()
