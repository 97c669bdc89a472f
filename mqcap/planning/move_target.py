"""Queue managers of the group that have room for the channels of a plan of 31-bit storage."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from math import inf
from typing import Any, Final, NamedTuple

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.finding import Finding
from mqcap.domain.metric import SERIES_SEPARATOR, sysplex_of
from mqcap.domain.numbers import figure, quantity
from mqcap.domain.plan import Plan
from mqcap.domain.resource import ResourceKind
from mqcap.judging.bound_dates import Standard
from mqcap.judging.evaluate import DayFacts
from mqcap.planning.context import PlanContext
from mqcap.planning.evaluation import fails_on_bound, on_bound
from mqcap.planning.levers.chinit_storage_31bit import leaving_channels
from mqcap.planning.task_storage import OF_TASKS
from mqcap.presentation.dates import short_day
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
_BELOW: Final = "31bit"
_RULE: Final = "CHI-80-31BIT"
_SET_UP: Final = "has to take them, and Takes leaves out what setting it up takes"
_TO_CARRY_A_LOSS: Final = (
    "or a queue manager outside the group, whose setting up is not in Takes: only then does the "
    "group still carry the loss of a member, which plans of losses assume"
)

_BESIDE: Final = (
    "while what they log and keep in buffer pools there is in no figure: try it in what-if as "
    "added workload"
)


class _Room(NamedTuple):
    """A queue manager that has room, and its 31-bit storage with the channels."""

    owner: str
    used: str


def with_targets(
    facts: DayFacts, contexts: Iterable[PlanContext], plans: Sequence[Plan]
) -> list[Plan]:
    """Return the plans; those that move channels say which queue manager has room for them.

    It is of the same group and class, moves none itself, and with its own plans of the day keeps
    the rules of its storage and channels below Watch up to the horizon at the bound of plans. What
    plans before it put there counts.

    Args:
        facts: Facts of the day, with the estate.
        contexts: Every resource of the day.
        plans: The plans of the day.
    """
    by_owner: dict[str, list[PlanContext]] = defaultdict(list)
    for context in contexts:
        if context.resource.kind in _JUDGED:
            by_owner[context.resource.owner_subject].append(context)
    moving = {plan.owner_subject for plan in plans if _moved(plan)}
    taken: dict[str, int] = defaultdict(int)

    def noted(plan: Plan) -> Plan:
        moved = _moved(plan)
        if not moved:
            return plan
        at_horizon = leaving_channels(_storage_of(by_owner[plan.owner_subject]), moved)
        leaving = max(moved, at_horizon.channels if at_horizon else 0)
        members = [each for each in _members(facts, plan.owner_subject) if each not in moving]
        room: _Room | None = None
        for member in sorted(members, key=lambda each: _used_pct(by_owner[each])):
            parts = [p for own in plans if own.owner_subject == member for p in _parts(own)]
            room = _room(member, by_owner[member], parts, taken[member] + leaving)
            if room is not None:
                taken[member] += leaving
                break
        note = _note(leaving, room, _group(facts, plan.owner_subject))
        return plan.model_copy(update={"notes": (*plan.notes, note)})

    return [noted(plan) for plan in plans]


def _moved(plan: Plan) -> int:
    """Return how many channels a plan moves; 0 for none."""
    return max((int(value) for (_, key), value in plan.settings.items() if key == MOVED), default=0)


def _parts(plan: Plan) -> list[dict[str, Any]]:
    """Return the changes of a plan of a resource that more channels use, or of tasks."""
    return plan.scenario_parts if plan.kind in (*_JUDGED, *OF_TASKS) else []


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
) -> _Room | None:
    """Return the member with its use; ``None`` where it is not measured, or has no room."""
    if _used_pct(contexts) == inf:
        return None
    storage = _storage_of(contexts)
    document = {"workload": [{"subject": member, "channels": channels}], "configuration": parts}
    in_force = storage.facts._replace(estate=storage.facts.estate.as_of(storage.earliest_date))
    try:
        after = overlay(in_force, Scenario.model_validate(document)).facts
    except ConfigurationError:
        return None
    pairs = [(context, pair) for context in contexts for pair in context.pairs]
    if any(fails_on_bound(context, pair, after, Standard.ok) for context, pair in pairs):
        return None
    of_rule = next(pair for pair in storage.pairs if pair.rule.id == _RULE)
    judged = on_bound(storage, of_rule, after)
    return None if judged is None else _Room(member, _use_text(*judged))


def _use_text(finding: Finding, day: date | None) -> str:
    when = f" on {short_day(day)} at the bound of the forecast" if day else ""
    return f"{quantity(finding.observed, finding.unit)} of its 31-bit storage{when}"


def _note(channels: int, room: _Room | None, group: str | None) -> str:
    """Return which queue manager takes the channels of the horizon, without a full stop."""
    if room is not None:
        name = room.owner.rpartition(SERIES_SEPARATOR)[2]
        return (
            f"Choose one destination: either {name} of the group, which has room for "
            f"{figure(channels)} more by what-if ({room.used}) in storage and channels, {_BESIDE}, "
            f"{_TO_CARRY_A_LOSS}"
        )
    if group is None:
        return f"It is in no queue sharing group: another one {_SET_UP}"
    none = f"No queue manager of {group} has room for {figure(channels)} more by what-if"
    return f"{none}: a new one outside it {_SET_UP}"
