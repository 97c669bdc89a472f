"""31-bit storage of tasks that other plans of the same channel initiator add."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from mqcap.domain.plan import Plan
from mqcap.domain.resource import ResourceKind
from mqcap.judging.evaluate import verdict_of
from mqcap.planning.context import PlanContext
from mqcap.planning.evaluation import facts_with
from mqcap.whatif.sizes import TASKS
from sizing.rulebook.registry import all_rules

_STORAGE: Final = ResourceKind.chinit_storage_31bit
OF_TASKS: Final = (ResourceKind.chinit_adapters, ResourceKind.chinit_tasks)
"""Resources whose plans add tasks."""


def storage_last(contexts: Iterable[PlanContext]) -> list[PlanContext]:
    """Return the contexts in their order, those of 31-bit storage after all others."""
    return sorted(contexts, key=lambda context: context.resource.kind is _STORAGE)


def counting_tasks(context: PlanContext, plans: Sequence[Plan]) -> PlanContext:
    """Return the context of 31-bit storage with the tasks that plans of its owner add.

    The results of the day stay as measured. Other contexts, and those without such plans, stay as
    they are.
    """
    if context.resource.kind is not _STORAGE:
        return context
    owner = context.resource.owner_subject
    adding = [
        plan
        for plan in plans
        if plan.kind in OF_TASKS
        and plan.owner_subject == owner
        and any(key in TASKS for _, key in plan.settings)
    ]
    return context._replace(
        counted=tuple(part for plan in adding for part in plan.scenario_parts),
        presupposes=tuple(plan.label for plan in adding),
    )


def judged_with_counted(context: PlanContext) -> PlanContext:
    """Return a context whose results are those of the day with the parts that it counts."""
    if not context.counted:
        return context
    facts = facts_with(context, [])
    verdicts = (
        verdict_of(all_rules()[each.finding.rule_id], each.finding.subject, facts) or each
        for each in context.verdicts
    )
    return context._replace(verdicts=tuple(verdicts))
