"""The plan of each resource whose limits break before the horizon, and who takes what it moves."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from math import inf
from typing import Any, Final

from pydantic import ValidationError

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.finding import Finding
from mqcap.domain.numbers import figure, quantity
from mqcap.domain.plan import Incident, InputsMissing, Plan, PlanCost, PlanTier, PlanVariant
from mqcap.domain.resource import ResourceKind
from mqcap.domain.subject import Subject
from mqcap.domain.urgency import following
from mqcap.judging.evaluate import DayFacts, Verdict, no_amount
from mqcap.planning.compose import ends_with, plan_by_hand, plan_with, variant_with
from mqcap.planning.context import (
    Grids,
    PlanContext,
    RuleOfSubject,
    State,
    contexts_of,
    is_mandatory,
)
from mqcap.planning.continuity import continued_state, steadied
from mqcap.planning.evaluation import breaks, finding_with
from mqcap.planning.settable import Moves, moves_of, settable_of
from mqcap.planning.states import (
    States,
    base_pairs,
    keepable,
    least_state,
    reachable_dates,
    weighted,
)
from mqcap.progress.shown import tracked
from mqcap.whatif.overlay import overlay
from mqcap.whatif.scenario import Scenario
from sizing.rulebook.registry import all_rules


def plans_of_day(
    facts: DayFacts, verdicts: Sequence[Verdict], previous: Mapping[str, Plan] | None = None
) -> list[Plan]:
    """Return the plans of all resources that need something, by path of the resource.

    Those are resources with a rule at Watch or Act whose limits break before the horizon, and what
    the console reported. ``previous`` holds the plans of the day before by resource. One of them
    stays, even where no rule is Watch or Act today, until its resource keeps its rules without it.
    """
    before = previous or {}
    plans: list[Plan] = []
    # in their order, those that count the plans of others last
    contexts = sorted(contexts_of(facts, verdicts), key=lambda context: bool(_counts_on(context)))
    for plain in tracked(contexts, "plans", "resources"):
        counted = (plan for plan in plans if plan.about.kind in _counts_on(plain) and plan.settings)
        own = (plan for plan in counted if plan.about.owner_subject == plain.owner_subject)
        context = plain._replace(counted=tuple(own))
        old = before.get(context.resource.path)
        is_wrong = any(_asks(verdict.finding) for verdict in context.verdicts)
        settled = {key for plan in context.counted for key in plan.settings}
        if not is_wrong and (not old or not old.changes or settled & old.settings.keys()):
            continue
        plan = following(_due_now(_plan_or_reason(context, old)), old)
        if not plan.needs_nothing and (is_wrong or (old and plan.settings == old.settings)):
            plans.append(plan)
    return with_targets(facts, contexts, sorted(plans, key=lambda plan: plan.resource))


def _counts_on(context: PlanContext) -> frozenset[ResourceKind]:
    settable = settable_of(context.resource.kind)
    return settable.counts_on if settable is not None else frozenset()


def _plan_or_reason(context: PlanContext, previous: Plan | None) -> Plan:
    """Return the plan of a resource; where a figure of it is none that MQ has, the reason.

    A record may state what no operand can be, such as 60 buffers; other resources keep their plans.
    """
    try:
        return plan_of(context, previous)
    except ValidationError as error:
        reasons = tuple(
            str(flaw.get("ctx", {}).get("error", flaw["msg"])) for flaw in error.errors()
        )
        return plan_by_hand(context, base_pairs(context), reasons=reasons)


def _due_now(plan: Plan) -> Plan:
    if isinstance(plan, Incident) and plan.is_cause_alone:
        return plan.dated(earliest_date=plan.site_date, due_date=plan.site_date, due_rule="")
    return plan


def _asks(finding: Finding) -> bool:
    """Return whether a finding asks for something: no rise, no event told with what it led to."""
    is_told_elsewhere = finding.is_event and bool(finding.superseded_by)
    is_own_past = all_rules()[finding.rule_id].traits.limit_is_own_past
    return finding.severity.is_urgent and not is_own_past and not is_told_elsewhere


def plan_of(context: PlanContext, previous: Plan | None = None, *, with_more: bool = True) -> Plan:
    """Return the least-cost changes that keep the limits of a resource until the horizon.

    Those are the limits of its mandatory rules, at the bound of the forecast. The previous plan
    stays while it lasts to half of the horizon and costs little more. ``with_more`` looks for tiers
    of recommended rules, and for other changes, beside them.
    """
    freezes = context.facts.settings.alerts.change_freezes
    settable = settable_of(context.resource.kind)
    today = settable.today(context) if settable is not None else None
    base = base_pairs(context)
    if settable is None or today is None:
        missing = settable.needs if settable is not None else ()
        return steadied(plan_by_hand(context, base, missing), previous, freezes)
    states = States(context, settable, today)
    reasons = (
        no_amount(finding, pair.rule, context.facts)
        for pair in base
        if states.breaks(pair, today) and (finding := finding_with(pair, context.facts))
    )
    why = next(filter(None, reasons), "")
    if why:
        if previous is not None and previous.settings:
            return previous.dated(site_date=context.site_date)
        return plan_by_hand(context, base, reasons=(why,))
    pairs = keepable(states, base)
    best = least_state(states, pairs, reachable_dates(states, base, pairs)) or today
    state = continued_state(states, previous, best, pairs) or best
    plan = steadied(plan_with(states, state, base, pairs), previous, freezes)
    if not with_more or not plan.changes or not plan.is_feasible:
        return plan
    tiers, options = tiers_of(states, state, pairs), options_of(states, state, pairs)
    return plan.model_copy(update={"tiers": tiers, "options": options})


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
    variant = variant_with(states, more, every)
    return (PlanTier(**dict(variant), buys=ends_with(states.facts(more), wanted)),)


def options_of(
    states: States, state: State, pairs: Collection[RuleOfSubject]
) -> tuple[PlanVariant, ...]:
    """Return other changes that keep the same limits, the cheapest first.

    They are those with another value of one setting, such as another size of a log, and those with
    a setting whose effect the site has to find out. Last come changes whose effect no scenario can
    tell.
    """
    others = list(_of_choices(states, state, pairs))
    less = (_of_less(states, other, pairs) for other in (state, *others))
    kept = [*others, *(option for option in less if option is not None)]
    found = [*(variant_with(states, other, pairs) for other in kept), *_of_supposed(states, pairs)]
    found.sort(key=lambda option: option.cost.weighted)
    plan = states.context.facts.settings.plan
    cost = weighted(PlanCost(work_hours=plan.change_hours), plan)
    unknown = (
        other.model_copy(update={"cost": cost, "effect": other.effect or UNKNOWN_EFFECT})
        for other in states.settable.alternatives(states.context, state)
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
    return next((state for state in smaller if states.keeps(state, pairs)), None)


def _of_supposed(states: States, pairs: Collection[RuleOfSubject]) -> Iterator[PlanVariant]:
    """Yield the least supposed effect that needs no other change, else the first with the rest."""
    for key, values in states.supposed.items():
        found = [_least_with(states, {key: [value]}, pairs) for value in values[1:]]
        kept = [variant for variant in found if variant is not None]
        alone = (variant for variant in kept if {**variant, key: values[0]} == states.today)
        least = next(alone, kept[0] if kept else None)
        if least is not None:
            yield variant_with(states, least, pairs)


def _least_with(states: States, fixed: Grids, pairs: Collection[RuleOfSubject]) -> State | None:
    return least_state(states, pairs, {}, {**states.grids, **fixed})


_Resources = Mapping[ResourceKind, PlanContext]


def with_targets(
    facts: DayFacts, contexts: Iterable[PlanContext], plans: Sequence[Plan]
) -> list[Plan]:
    """Return the plans; changes that move load say which queue manager has room for it.

    It is of the same group and class, moves none itself, and with its own plans of the day keeps
    the mandatory limits of all that the load takes for half of the horizon at the bound of plans,
    by the what-if that a reader would type. What plans before it put there counts.
    """
    by_owner: dict[str, dict[ResourceKind, PlanContext]] = defaultdict(dict)
    for context in contexts:
        by_owner[context.owner_subject][context.resource.kind] = context
    moving = {
        plan.about.owner_subject
        for plan in plans
        if (moves := moves_of(plan)) is not None and moves.amount(plan.base.changes)
    }
    taken: dict[str, int] = defaultdict(int)

    def target(plan: Plan, moves: Moves, moved: int, *, is_option: bool) -> str:
        owner, kind = plan.about.owner_subject, plan.about.kind
        leaving = moves.at_horizon(by_owner[owner][ResourceKind(kind)], moved)
        members = [member for member in _members(facts, owner) if member not in moving - {owner}]
        for member in sorted(members, key=lambda member: _used(by_owner[member], kind)):
            parts = [
                part
                for own in plans
                if own.about.owner_subject == member and own.about.kind in moves.counted
                for part in own.scenario_parts
            ]
            load = {"subject": member, moves.workload: taken[member] + leaving}
            document = {"workload": [load], "configuration": parts}
            room = _room(by_owner[member], kind, moves, document)
            if room is not None:
                taken[member] += 0 if is_option else leaving
                return f"to {Subject(member).name}, which has room for {figure(leaving)} ({room})"
        group = _group(facts, owner)
        where = f"no other queue manager of {group} has" if group else "it is in no group with"
        return f"{where} room for {figure(leaving)}: a new one takes them, at a cost not in Takes"

    def noted(plan: Plan) -> Plan:
        moves = moves_of(plan)
        if isinstance(plan, InputsMissing) or moves is None:
            return plan
        notes: tuple[str, ...] = ()
        if moved := moves.amount(plan.base.changes):
            text = target(plan, moves, moved, is_option=False)
            notes = (f"{text[0].upper()}{text[1:]}; check its log and buffer pools in what-if",)
        options = tuple(
            option.model_copy(
                update={"effect": f"{option.effect}; {target(plan, moves, count, is_option=True)}"}
            )
            if (count := moves.amount(option.changes))
            else option
            for option in plan.options
        )
        return plan.model_copy(update={"notes": (*plan.notes, *notes), "options": options})

    return [noted(plan) for plan in plans]


def _used(resources: _Resources, kind: str) -> float:
    context = resources.get(ResourceKind(kind))
    if context is None:
        return inf
    rules = {pair.rule.id for pair in context.pairs if is_mandatory(context, pair)}
    used = (v.finding.observed for v in context.verdicts if v.finding.rule_id in rules)
    return next((value for value in used if value is not None), inf)


def _group(facts: DayFacts, owner: str) -> str | None:
    manager = facts.estate.queue_manager(*Subject(owner).names)
    return manager.qsg if manager else None


def _members(facts: DayFacts, owner: str) -> Iterator[str]:
    sysplex, group = Subject(owner).sysplex, _group(facts, owner)
    for manager in facts.estate.plex(sysplex).qmgrs:
        other = Subject.of(sysplex, manager.name)
        is_same = facts.estate.class_of(other) is facts.estate.class_of(owner)
        if group is not None and manager.qsg == group and other != owner and is_same:
            yield other


def _room(resources: _Resources, kind: str, moves: Moves, document: dict[str, Any]) -> str | None:
    """Return the use of a member under a scenario; ``None`` without figures, or without room."""
    if _used(resources, kind) == inf:
        return None
    own = resources[ResourceKind(kind)]
    in_force = own.facts._replace(estate=own.facts.estate.as_of(own.earliest_date))
    try:
        after = overlay(in_force, Scenario.model_validate(document)).facts
    except ConfigurationError:
        return None
    half = own.site_date + (own.horizon_date - own.site_date) / 2
    pairs = [
        (context._replace(horizon_date=half), pair)
        for take in moves.takes
        if (context := resources.get(take)) is not None
        for pair in context.pairs
        if is_mandatory(context, pair)
    ]
    if any(breaks(context, pair, after) for context, pair in pairs):
        return None
    of_rule = next(pair for pair in own.pairs if is_mandatory(own, pair))
    finding = finding_with(of_rule, after)
    return None if finding is None else f"then {quantity(finding.observed, finding.unit)}"
