"""Properties that every plan has: functions return what violates them."""

import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Final, NamedTuple

from mqcap.domain.finding import Severity
from mqcap.domain.plan import Plan, PlanVariant
from mqcap.judging.evaluate import DayFacts, Verdict, judge_facts
from mqcap.planning.context import PlanContext, RuleOfSubject, contexts_of
from mqcap.planning.evaluation import breaks, facts_with
from mqcap.planning.make import plans_of_day
from mqcap.planning.settable import settable_of
from mqcap.planning.states import States, base_pairs, keepable, keeps_as_much, reachable_dates
from mqcap.whatif.overlay import overlay
from mqcap.whatif.parts import check_keys
from mqcap.whatif.scenario import Scenario

BAD: Final = {Severity.act, Severity.watch}
OF_SCENARIOS: Final = {"sharecnv", "sharecnv_from", "client_conversations", "message_bytes"}


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
    facts: DayFacts, verdicts: Sequence[Verdict], plans: Sequence[Plan], states: int
) -> Iterator[str]:
    """Yield what violates a property of a plan: its resource, the property, and the example."""
    contexts = {str(each.resource.path): each for each in contexts_of(facts, verdicts)}
    for plan in plans:
        counted = tuple(
            one for one in plans if any(each in one.changes for each in plan.evidence.counted)
        )
        context = contexts[plan.resource]._replace(counted=counted)
        found = {
            "breaks its limit": broken(context, plan.base, base_of(context, plan)),
            "tier breaks what it buys": _broken_tiers(context, plan),
            "option breaks a limit": _broken_options(context, plan),
            "no worse with one step less": _unneeded(context, plan),
            "value out of range": wrong_values(plan),
            "worse and not named": _silently_worse(facts, verdicts, plan),
            "cheaper": _cheaper(context, plan, states),
        }
        for words, every in found.items():
            yield from (f"{plan.resource}: {words}: {item}" for item in every)


def base_of(context: PlanContext, plan: Plan) -> list[RuleOfSubject]:
    """The rules whose limits a plan claims to keep."""
    given_up = {(item.rule_id, item.subject) for item in plan.evidence.not_kept}
    return [pair for pair in base_pairs(context) if (pair.rule.id, pair.subject) not in given_up]


def broken(
    context: PlanContext, variant: PlanVariant, pairs: Iterable[RuleOfSubject]
) -> Iterator[str]:
    """Yield the limits that are passed until the horizon, by the what-if of the changes."""
    parts = [part for change in variant.changes for part in change.scenario_parts]
    facts = facts_with(context, parts)
    yield from (pair.rule.id for pair in pairs if breaks(context, pair, facts))


def _broken_tiers(context: PlanContext, plan: Plan) -> Iterator[str]:
    for tier in plan.tiers:
        bought = {end.rule_id for end in tier.buys}
        pairs = [pair for pair in context.pairs if pair.rule.id in bought]
        yield from broken(context, tier, [*base_of(context, plan), *pairs])
        if set(broken(context, plan.base, pairs)) != bought:
            yield f"the plan keeps some of {bought}"
        if tier.cost.weighted < plan.base.cost.weighted:
            yield f"costs less: {tier.cost.weighted}"


def _broken_options(context: PlanContext, plan: Plan) -> Iterator[str]:
    """Yield options that break a limit, are not the cheapest first, or suppose more than needed.

    Only one that supposes an effect may cost less than the base; it says so, and with less of this
    effect it breaks a limit.
    """
    options = [
        option for option in plan.options if any(change.settings for change in option.changes)
    ]
    costs = [option.cost.weighted for option in options]
    if costs != sorted(costs):
        yield f"not the cheapest first: {costs}"
    states, base = states_of(context), base_of(context, plan)
    for option in options:
        yield from broken(context, option, base)
        own = {key: value for change in option.changes for key, value in change.settings.items()}
        supposed = own.keys() & states.supposed.keys() if states is not None else set()
        if option.cost.weighted < plan.base.cost.weighted and not supposed:
            yield f"costs less: {option.cost.weighted}"
        if states is None or not supposed:
            continue
        if not option.condition:
            yield f"supposes {supposed} without a condition"
        state = {**states.today, **{key: own[key] for key in own if key in states.today}}
        for key in supposed:
            less = [each for each in states.supposed[key] if float(each) < float(own[key])]
            yield from (
                f"{key} {each}" for each in less if states.keeps({**state, key: each}, base)
            )


def _unneeded(context: PlanContext, plan: Plan) -> Iterator[str]:
    """Yield changes of which one step less breaks no limit before the horizon."""
    states = states_of(context)
    if states is None or not plan.is_feasible or not plan.changes:
        return
    planned = {key: value for (_, key), value in plan.settings.items() if key in states.grids}
    state = {**states.today, **planned}
    key = list(states.grids)[-1]
    values = list(states.grids[key])
    at = values.index(state[key])
    if at and states.keeps({**state, key: values[at - 1]}, base_of(context, plan)):
        yield f"{key} {values[at - 1]}"


def wrong_values(plan: Plan) -> Iterator[str]:
    """Yield typed values that their operand does not take."""
    for change in plan.changes:
        own = {key: each for key, each in change.settings.items() if key not in OF_SCENARIOS}
        try:
            check_keys(change.subject, own)
        except ValueError as error:
            yield f"{change.subject} {error}"


def _silently_worse(facts: DayFacts, verdicts: Sequence[Verdict], plan: Plan) -> Iterator[str]:
    """Yield results of other resources that the plan makes worse, and does not name."""
    in_force = facts._replace(estate=facts.estate.as_of(plan.dates.earliest_date))
    scenario = Scenario.model_validate({"configuration": plan.scenario_parts})
    before = {(v.finding.rule_id, v.finding.subject): v.finding.severity for v in verdicts}
    own = {(rule.rule_id, rule.subject) for rule in plan.evidence.rules}
    for verdict in judge_facts(overlay(in_force, scenario).facts):
        finding = verdict.finding
        key = (finding.rule_id, finding.subject)
        rank = before.get(key, Severity.ok).rank
        named = f"{finding.rule_id} {finding.summary}"
        if key not in own and finding.severity in BAD and finding.severity.rank > rank:
            yield from [] if named in plan.evidence.affected else [named]


def _cheaper(context: PlanContext, plan: Plan, most: int) -> Iterator[str]:
    """Yield states of the grid that cost less and keep as much; at most so many are tried."""
    states = states_of(context)
    if states is None:
        return
    base = base_pairs(context)
    pairs = keepable(states, base)
    reachable = reachable_dates(states, base, pairs)
    every = (dict(zip(states.grids, each, strict=True)) for each in product(*states.grids.values()))
    cheaper = [state for state in every if states.cost(state).weighted < plan.base.cost.weighted]
    step = max(1, -(-len(cheaper) // max(most, 1)))
    for state in sorted(cheaper, key=lambda item: -states.cost(item).weighted)[::step]:
        if keeps_as_much(states, state, pairs, reachable):
            yield f"{state} costs {states.cost(state).weighted}"


def states_of(context: PlanContext) -> States | None:
    """The states of a resource; ``None`` where nothing can be changed or is known."""
    settable = settable_of(context.resource.kind)
    today = settable.today(context) if settable is not None else None
    return None if settable is None or today is None else States(context, settable, today)
