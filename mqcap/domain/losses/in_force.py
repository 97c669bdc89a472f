"""Changes for losses together with the plans of the day: typed at once, and counted once."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from mqcap.domain.losses.loss import Loss, SurvivorChanges
from mqcap.domain.plan import Plan, PlanChange


def changes_in_force(plan: Plan) -> list[PlanChange]:
    """Return the changes of a plan that a loss reckons with: all that a scenario can tell.

    Channels that another queue manager takes are among them; another release is not.
    """
    return [change for change in plan.changes if change.settings]


def is_beside(plan: Plan, loss: Loss) -> bool:
    """Return whether a plan changes a survivor, whoever is to carry the loss, or what is lost.

    The load that a lost part leaves is that with its plan in force.
    """
    parts = (loss.lost, *loss.survivors)
    return any(
        f"{change.subject}/".startswith(f"{part}/")
        for change in changes_in_force(plan)
        for part in parts
    )


def with_plans(loss: Loss, plans: Iterable[Plan]) -> list[PlanChange]:
    """Return the changes of a loss with those of the plans that it is beside, one of each subject.

    Plans that cannot be applied (``left_out``) are not among them.
    """
    planned = [
        change
        for plan in plans
        if plan.label not in loss.left_out and is_beside(plan, loss)
        for change in changes_in_force(plan)
    ]
    return one_of_each_subject((*planned, *(loss.changes.changes if loss.changes else ())))


def one_of_each_subject(changes: Iterable[PlanChange]) -> list[PlanChange]:
    """Return changes with all settings of each subject in one; of a setting the last value."""
    by_subject: dict[str, PlanChange] = {}
    for change in changes:
        if not change.settings:
            continue
        before = by_subject.get(change.subject)
        by_subject[change.subject] = change if before is None else _beside(before, change)
    return list(by_subject.values())


def _beside(planned: PlanChange, change: PlanChange) -> PlanChange:
    return change.model_copy(update={"settings": {**planned.settings, **change.settings}})


class NeededBy(SurvivorChanges):
    """The changes of one resource, and the lost parts that need them."""

    lost: tuple[str, ...]
    due_date: date
    """The first day on which one of these losses is due."""


def needed_changes(losses: Iterable[Loss]) -> list[NeededBy]:
    """Return what all losses need of each resource, by path: the costliest, so each counts once.

    Parts are lost one at a time, so the changes for one loss serve another.
    """
    by_resource: dict[str, NeededBy] = {}
    for loss in losses:
        for changes in loss.by_resource:
            other = by_resource.get(changes.resource)
            most = max(filter(None, (other, changes)), key=lambda each: each.cost.weighted)
            values = {name: getattr(most, name) for name in SurvivorChanges.model_fields}
            due = loss.due_date or loss.site_date
            values["lost"] = (*(other.lost if other else ()), loss.lost)
            values["due_date"] = min(other.due_date, due) if other else due
            by_resource[changes.resource] = NeededBy(**values)
    return [by_resource[path] for path in sorted(by_resource)]
