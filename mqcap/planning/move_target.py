"""Parts of a group that have room for what plans move away, such as channels."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import inf
from typing import Any, Final

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.numbers import figure, quantity
from mqcap.domain.plan import InputsMissing, Plan
from mqcap.domain.resource import ResourceKind
from mqcap.domain.subject import Subject
from mqcap.judging.evaluate import DayFacts
from mqcap.planning.context import PlanContext, is_mandatory
from mqcap.planning.evaluation import breaks, finding_with
from mqcap.planning.settable import Moves, moves_of
from mqcap.whatif.overlay import overlay
from mqcap.whatif.scenario import Scenario

_Resources = Mapping[ResourceKind, PlanContext]
_CHECK: Final = "check its log and buffer pools in what-if"


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
        members = [each for each in _members(facts, owner) if each not in moving - {owner}]
        for member in sorted(members, key=lambda each: _used(by_owner[each], kind)):
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
        moved = moves.amount(plan.base.changes)
        text = target(plan, moves, moved, is_option=False) if moved else ""
        notes = (f"{text[0].upper()}{text[1:]}; {_CHECK}",) if text else ()
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
    """Return the use of a kind of resource by its mandatory rule; infinity: not known."""
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
        for each in moves.takes
        if (context := resources.get(each)) is not None
        for pair in context.pairs
        if is_mandatory(context, pair)
    ]
    if any(breaks(context, pair, after) for context, pair in pairs):
        return None
    of_rule = next(pair for pair in own.pairs if is_mandatory(own, pair))
    finding = finding_with(of_rule, after)
    return None if finding is None else f"then {quantity(finding.observed, finding.unit)}"
