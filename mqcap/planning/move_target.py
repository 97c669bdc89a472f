"""Queue managers of the group that have room for the channels of a plan of 31-bit storage."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from math import inf
from typing import Any, Final

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.metric import SERIES_SEPARATOR, sysplex_of
from mqcap.domain.numbers import figure, quantity
from mqcap.domain.plan import InputsMissing, Plan, PlanVariant
from mqcap.domain.resource import ResourceKind
from mqcap.judging.evaluate import DayFacts
from mqcap.planning.context import PlanContext, is_mandatory
from mqcap.planning.evaluation import breaks, finding_with
from mqcap.planning.levers.chinit_storage_31bit import leaving_channels
from mqcap.whatif.moved_channels import MOVED
from mqcap.whatif.overlay import overlay
from mqcap.whatif.scenario import Scenario

_STORAGE: Final = ResourceKind.chinit_storage_31bit
_JUDGED: Final = (
    _STORAGE,
    ResourceKind.chinit_storage_64bit,
    ResourceKind.chinit_channels,
)
"""Resources of the target that more channels use."""
OF_TASKS: Final = (ResourceKind.chinit_adapters, ResourceKind.chinit_tasks)
_RULE: Final = "CHI-80-31BIT"
_CHECK: Final = "check its log and buffer pools in what-if"


def with_targets(
    facts: DayFacts, contexts: Iterable[PlanContext], plans: Sequence[Plan]
) -> list[Plan]:
    """Return the plans; changes that move channels say which queue manager has room for them.

    It is of the same group and class, moves none itself, and with its own plans of the day keeps
    the limits of its storage and channels for half of the horizon at the bound of plans, by the
    what-if that a reader would type. What plans before it put there counts.

    Args:
        facts: Facts of the day, with the estate.
        contexts: Every resource of the day.
        plans: The plans of the day.
    """
    by_owner: dict[str, list[PlanContext]] = defaultdict(list)
    for context in contexts:
        if context.resource.kind in _JUDGED:
            by_owner[context.resource.owner_subject].append(context)
    moving = {plan.about.owner_subject for plan in plans if _moved(plan.base)}
    taken: dict[str, int] = defaultdict(int)

    def target(plan: Plan, moved: int, *, is_option: bool) -> str:
        owner = plan.about.owner_subject
        at_horizon = leaving_channels(_storage_of(by_owner[owner]), moved)
        leaving = max(moved, at_horizon.channels if at_horizon else 0)
        members = [each for each in _members(facts, owner) if each not in moving - {owner}]
        for member in sorted(members, key=lambda each: _used_pct(by_owner[each])):
            parts = [p for own in plans if own.about.owner_subject == member for p in _parts(own)]
            room = _room(member, by_owner[member], parts, taken[member] + leaving)
            if room is not None:
                taken[member] += 0 if is_option else leaving
                return f"to {_name(member)}, which has room for {figure(leaving)} ({room})"
        group = _group(facts, owner)
        where = f"no other queue manager of {group} has" if group else "it is in no group with"
        return f"{where} room for {figure(leaving)}: a new one takes them, at a cost not in Takes"

    def noted(plan: Plan) -> Plan:
        if isinstance(plan, InputsMissing):
            return plan
        moved = _moved(plan.base)
        notes = (f"{_sentence(target(plan, moved, is_option=False))}; {_CHECK}",) if moved else ()
        options = tuple(
            option.model_copy(
                update={"effect": f"{option.effect}; {target(plan, count, is_option=True)}"}
            )
            if (count := _moved(option))
            else option
            for option in plan.options
        )
        return plan.model_copy(update={"notes": (*plan.notes, *notes), "options": options})

    return [noted(plan) for plan in plans]


def _name(member: str) -> str:
    return member.rpartition(SERIES_SEPARATOR)[2]


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}"


def _moved(variant: PlanVariant) -> int:
    """Return how many channels changes move; 0 for none."""
    values = (each.settings.get(MOVED, 0) for each in variant.changes)
    return max((int(value) for value in values), default=0)


def _parts(plan: Plan) -> list[dict[str, Any]]:
    """Return the changes of a plan of a resource that more channels use, or of tasks."""
    return plan.scenario_parts if plan.about.kind in (*_JUDGED, *OF_TASKS) else []


def _storage_of(contexts: Iterable[PlanContext]) -> PlanContext:
    return next(context for context in contexts if context.resource.kind is _STORAGE)


def _used_pct(contexts: Iterable[PlanContext]) -> float:
    """Return the 31-bit storage in use; infinity where it is not measured."""
    findings = (verdict.finding for context in contexts for verdict in context.verdicts)
    used = (each.observed for each in findings if each.rule_id == _RULE)
    return next((value for value in used if value is not None), inf)


def _group(facts: DayFacts, owner: str) -> str | None:
    manager = facts.estate.queue_manager(*owner.split(SERIES_SEPARATOR))
    return manager.qsg if manager else None


def _members(facts: DayFacts, owner: str) -> Iterator[str]:
    """Yield the other queue managers of its group that have the same class."""
    sysplex, group = sysplex_of(owner), _group(facts, owner)
    managers = (m for plex in facts.estate.sysplexes if plex.sysplex == sysplex for m in plex.qmgrs)
    for manager in managers:
        other = f"{sysplex}{SERIES_SEPARATOR}{manager.name}"
        is_same = facts.estate.class_of(other) is facts.estate.class_of(owner)
        if group is not None and manager.qsg == group and other != owner and is_same:
            yield other


def _room(
    member: str, contexts: Sequence[PlanContext], parts: Sequence[dict[str, Any]], channels: int
) -> str | None:
    """Return the use of a member with the channels; ``None`` without figures, or without room."""
    if _used_pct(contexts) == inf:
        return None
    storage = _storage_of(contexts)
    document = {"workload": [{"subject": member, "channels": channels}], "configuration": parts}
    in_force = storage.facts._replace(estate=storage.facts.estate.as_of(storage.earliest_date))
    try:
        after = overlay(in_force, Scenario.model_validate(document)).facts
    except ConfigurationError:
        return None
    half = storage.site_date + (storage.horizon_date - storage.site_date) / 2
    pairs = [
        (context._replace(horizon_date=half), pair)
        for context in contexts
        for pair in context.pairs
        if is_mandatory(context, pair)
    ]
    if any(breaks(context, pair, after) for context, pair in pairs):
        return None
    of_rule = next(pair for pair in storage.pairs if pair.rule.id == _RULE)
    finding = finding_with(of_rule, after)
    return None if finding is None else f"then {quantity(finding.observed, finding.unit)}"
