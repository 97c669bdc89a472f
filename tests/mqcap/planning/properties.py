"""Properties that every plan has, checked through what-if: functions return what violates them."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Final, NamedTuple

from mqcap.domain.finding import Finding, Severity
from mqcap.domain.plan import Plan
from mqcap.judging.evaluate import DayFacts, Verdict, judge_facts
from mqcap.planning.context import PlanContext, State, contexts_of
from mqcap.planning.make import keeps_as_much, plans_of_day, reachable_dates, standards_of
from mqcap.planning.settable import settable_of
from mqcap.planning.states import States
from mqcap.whatif.overlay import overlay
from mqcap.whatif.scenario import Scenario
from mqcap.whatif.setting_keys import check_keys

BAD: Final = {Severity.act, Severity.watch}
Key = tuple[str, str]


class Checked(NamedTuple):
    """Counts of the plans of estates, and what violates a property."""

    estates: int
    resources: int
    plans: int
    feasible: int
    infeasible: int
    violated: tuple[str, ...]
    seconds: float
    """Time in which the plans were made, without that of the checks."""


def checked(estates: Iterable[DayFacts], states: int) -> Checked:
    """Make and check the plans of estates, trying at most so many cheaper states of each plan."""
    result = Checked(0, 0, 0, 0, 0, (), 0.0)
    for facts in estates:
        verdicts = judge_facts(facts)
        start = time.perf_counter()
        plans = plans_of_day(facts, verdicts)
        seconds = time.perf_counter() - start
        feasible = sum(plan.is_feasible for plan in plans)
        result = Checked(
            estates=result.estates + 1,
            resources=result.resources + sum(1 for _ in contexts_of(facts, verdicts)),
            plans=result.plans + len(plans),
            feasible=result.feasible + feasible,
            infeasible=result.infeasible + len(plans) - feasible,
            violated=(*result.violated, *violations(facts, verdicts, plans, states)),
            seconds=result.seconds + seconds,
        )
    return result


def violations(
    facts: DayFacts, verdicts: Sequence[Verdict], plans: Iterable[Plan], states: int
) -> Iterator[str]:
    """Yield what violates a property of a plan: its resource, the property, and the example."""
    before = by_key(verdicts)
    for plan in plans:
        after = under(facts, plan)
        if plan.to_end_watch is not None:
            ended = plan.model_copy(update={**dict(plan.to_end_watch), "to_end_watch": None})
            kept = broken_claims(ended, under(facts, ended)) if ended.changes else []
            yield from (f"{plan.resource}: Watch not ended: {item}" for item in kept)
        found = {
            "not kept in what-if": broken_claims(plan, after),
            "value out of range": wrong_values(plan),
            "worse and not named": silently_worse(plan, before, after),
            "cheaper": cheaper_states(facts, verdicts, plan, states),
        }
        for words, every in found.items():
            yield from (f"{plan.resource}: {words}: {item}" for item in every)


def under(facts: DayFacts, plan: Plan) -> dict[Key, Verdict]:
    """Results of the whole estate under a plan, by rule and subject, on its earliest day."""
    in_force = facts._replace(estate=facts.estate.as_of(plan.earliest_date))
    scenario = Scenario.model_validate({"configuration": plan.scenario_parts})
    return by_key(judge_facts(overlay(in_force, scenario).facts))


def by_key(verdicts: Sequence[Verdict]) -> dict[Key, Verdict]:
    """Results by rule and subject."""
    return {(verdict.finding.rule_id, verdict.finding.subject): verdict for verdict in verdicts}


def claimed(plan: Plan) -> set[Key]:
    """Rules that a plan claims to keep."""
    given_up = {(item.rule_id, item.subject) for item in plan.not_kept}
    return {(rule.rule_id, rule.subject) for rule in plan.rules} - given_up


def broken_claims(plan: Plan, after: dict[Key, Verdict]) -> list[str]:
    """Claimed rules that are Watch or Act, or are passed before the horizon.

    A plan of which nothing is needed claims the limits alone.
    """
    is_broken = _is_bad if plan.to_end_watch is None else _is_over
    return [_shown(after[key]) for key in sorted(claimed(plan) & after.keys())
            if is_broken(after[key].finding) or _passes(after[key], plan)]  # fmt: skip


def _is_over(finding: Finding) -> bool:
    return bool(finding.breach) or finding.severity is Severity.act


def wrong_values(plan: Plan) -> list[str]:
    """Typed values that their operand does not take."""
    result = []
    for change in plan.changes:
        try:
            check_keys(change.subject, change.settings)
        except ValueError as error:
            result.append(f"{change.subject} {error}")
    return result


def silently_worse(plan: Plan, before: dict[Key, Verdict], after: dict[Key, Verdict]) -> list[str]:
    """Results of other resources that the plan makes worse, and does not name."""
    own = {(rule.rule_id, rule.subject) for rule in plan.rules}
    result = []
    for key in sorted(after.keys() - own):
        finding, old = after[key].finding, before.get(key)
        rank = old.finding.severity.rank if old else Severity.ok.rank
        if _is_bad(finding) and finding.severity.rank > rank:
            named = f"{finding.rule_id} {finding.summary}"
            if named not in plan.affected:
                result.append(named)
    return result


def cheaper_states(
    facts: DayFacts, verdicts: Sequence[Verdict], plan: Plan, most: int
) -> Iterator[str]:
    """States of the grid that cost less and keep as much; at most so many are tried."""
    context = next(
        item for item in contexts_of(facts, verdicts) if item.resource.path == plan.resource
    )
    states = states_of(context)
    if states is None:
        return
    standards = standards_of(states, context.pairs)
    reachable = reachable_dates(states, context.pairs, standards)
    cheaper = [
        state for state in _every(states) if states.cost(state).weighted < plan.cost.weighted
    ]
    step = max(1, -(-len(cheaper) // max(most, 1)))
    for state in sorted(cheaper, key=lambda item: -states.cost(item).weighted)[::step]:
        if keeps_as_much(states, state, standards, reachable):
            yield f"{plan.resource} {state} costs {states.cost(state).weighted}"


def states_of(context: PlanContext) -> States | None:
    """The states of a resource; ``None`` where nothing can be changed or is known."""
    settable = settable_of(context.resource.kind)
    today = settable.today(context) if settable is not None else None
    return None if settable is None or today is None else States(context, settable, today)


def _every(states: States) -> Iterator[State]:
    for values in product(*states.grids.values()):
        yield dict(zip(states.grids, values, strict=True))


def _is_bad(finding: Finding) -> bool:
    return finding.severity in BAD


def _passes(verdict: Verdict, plan: Plan) -> bool:
    crossing = verdict.crossing
    first = crossing.earliest_date if crossing is not None else None
    return first is not None and first <= plan.horizon_date


def _shown(verdict: Verdict) -> str:
    finding, crossing = verdict.finding, verdict.crossing
    first = crossing.earliest_date if crossing is not None else None
    return f"{finding.rule_id} {finding.subject} {finding.severity.value} {first}"
