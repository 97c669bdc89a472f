"""Room for further log files in the file system of a distributed queue manager's log."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from mqcap.domain.finding import Severity
from mqcap.domain.resource import ResourceKind
from mqcap.planning.context import PlanContext, RuleOfSubject
from mqcap.planning.evaluation import breaks, facts_with
from mqcap.whatif.distributed import LOG_FILE_SYSTEM
from sizing.rulebook.registry import all_rules

TODAY_PCT: Final = 100
SIZES_PCT: Final = (*range(110, 200, 10), *range(200, 1_001, 50))
"""Sizes of a file system that are looked at, up to ten times that of today (ours)."""


class NeededSize(NamedTuple):
    """What the file system of the log needs for other log files."""

    size_pct: int | None
    """The smallest size that keeps its rules, in per cent of that of today; ``None``: none does."""
    rule_ids: tuple[str, ...]
    """Rules that fail with the size of today; empty where it is enough."""


def has_plan_of_its_own(context: PlanContext) -> bool:
    """Return whether a rule of the file system of the log is Watch or Act without other files."""
    return any(
        verdict.finding.severity.rank >= Severity.watch.rank
        for verdict in context.others
        if (rule := all_rules()[verdict.finding.rule_id]).traits.resource
        is ResourceKind.mq_log_file_system
        and not rule.traits.limit_is_own_past
    )


def needed_size(context: PlanContext, settings: Mapping[str, Any]) -> NeededSize:
    """Return the size with which the file system keeps its rules under settings of the log."""
    subject = context.resource.owner_subject
    pairs = _pairs(context)
    failing = _failing(context, pairs, [{"subject": subject, **settings}])
    if not failing:
        return NeededSize(TODAY_PCT, ())

    def is_enough(size_pct: int) -> bool:
        parts = [{"subject": subject, **settings, LOG_FILE_SYSTEM: size_pct}]
        return not _failing(context, pairs, parts)

    index = bisect_left(SIZES_PCT, True, key=is_enough)
    return NeededSize(SIZES_PCT[index] if index < len(SIZES_PCT) else None, failing)


def _pairs(context: PlanContext) -> tuple[RuleOfSubject, ...]:
    """Return the rules of the file system that a setting can keep."""
    rules = [(all_rules()[each.finding.rule_id], each.finding.subject) for each in context.others]
    return tuple(
        RuleOfSubject(rule, subject)
        for rule, subject in rules
        if rule.traits.resource is ResourceKind.mq_log_file_system
        and not rule.traits.limit_is_own_past
        and not rule.traits.is_event
    )


def _failing(
    context: PlanContext, pairs: Sequence[RuleOfSubject], parts: list[dict[str, Any]]
) -> tuple[str, ...]:
    facts = facts_with(context, parts)
    return tuple(pair.rule.id for pair in pairs if breaks(context, pair, facts))
