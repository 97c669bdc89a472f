"""Changes for losses together with the plans of the day: typed at once, and counted once."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from mqcap.domain.losses.loss import Loss, SurvivorChanges
from mqcap.domain.plan import Plan, PlanChange


def changes_in_force(plan: Plan) -> list[PlanChange]:
    """Return the changes of a plan that a loss presupposes: all but those of the structure.

    Another queue manager is no setting; with it the channels that are measured are fewer.
    """
    return [change for change in plan.changes if not change.is_structural]


def with_plans(loss: Loss, plans: Iterable[Plan]) -> list[PlanChange]:
    """Return the changes of a loss with those of the plans that it is beside, one of each subject.

    Plans of every survivor count, whoever is to carry it, and those of what is lost: the load that
    it leaves is that with its plan in force.
    """
    parts = (loss.lost, *loss.survivors)
    planned = [
        change
        for plan in plans
        for change in changes_in_force(plan)
        if any(f"{change.subject}/".startswith(f"{part}/") for part in parts)
    ]
    by_subject: dict[str, PlanChange] = {}
    for change in (*planned, *(loss.changes.changes if loss.changes else ())):
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
            by_resource[changes.resource] = NeededBy(
                **values,
                lost=(*(other.lost if other else ()), loss.lost),
                due_date=min(other.due_date, due) if other else due,
            )
    return [by_resource[path] for path in sorted(by_resource)]
