"""A loss in the form of a plan, so that emails, tickets and lists print both alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from mqcap.domain.finding import Severity
from mqcap.domain.metric import SERIES_SEPARATOR
from mqcap.domain.numbers import counted
from mqcap.domain.plan import Plan, PlanChange, PlanVariant, total_cost
from mqcap.domain.resource import ResourceKind, resource_of
from mqcap.losses.model import Loss, needed_changes
from mqcap.losses.text.figures import unforecast
from mqcap.losses.text.sentences import (
    BESIDE_PLANS,
    beside_text,
    consequence,
    presupposed_text,
)
from mqcap.presentation.plans.cost import cost_text

URGENT: Final = frozenset({Severity.act, Severity.watch})


def plan_of_loss(loss: Loss) -> Plan:
    """Return the plan of the resource *loss of CF02*, of a loss at Watch or Act.

    Its changes are beside the plans of the survivors, so totals of plans leave it out.
    """
    due_date = loss.due_date or loss.site_date
    resource = resource_of(ResourceKind.loss, loss.lost)
    variant = loss.changes or PlanVariant()
    return Plan(
        resource=resource.path,
        label=resource.label,
        kind=resource.kind,
        owner_subject=loss.lost,
        site_date=loss.site_date,
        severity=loss.severity,
        is_feasible=not loss.not_kept,
        summary=consequence(loss),
        worst_rule=loss.rule_ids[0],
        worst_subject=loss.lost,
        is_production=loss.is_production,
        made_on=loss.site_date,
        earliest_date=due_date,
        due_date=due_date,
        horizon_date=loss.horizon_date,
        confidence=loss.confidence,
        owner=loss.owner,
        changes=(*_presupposed(loss), *_changes(loss, variant)),
        cost=variant.cost,
        lasts_until=variant.lasts_until,
        not_kept=loss.not_kept,
        unforecast=unforecast(loss.changed_cells),
        options=loss.options,
    )


def plans_of_losses(losses: Iterable[Loss]) -> list[Plan]:
    """Return the plans of the losses of which something is to be decided."""
    return [plan_of_loss(loss) for loss in losses if loss.severity in URGENT]


def needed_text(losses: Iterable[Loss]) -> str:
    """Return what the changes for all losses take beside the plans; empty without changes."""
    needed = needed_changes(losses)
    if not needed:
        return ""
    cost = cost_text(total_cost(each.cost for each in needed))
    return (
        f"For losses, {BESIDE_PLANS}: {counted(len(needed), 'resource')}, {cost}. What several "
        "losses need of one resource counts once; totals of plans leave it out."
    )


def _presupposed(loss: Loss) -> Iterator[PlanChange]:
    """Yield the plans that come first as one change without settings and cost of its own.

    Several are named alone: what each of them types is in its own plan.
    """
    plans = loss.presupposes
    if not plans:
        return
    labels = ", ".join(plan.label for plan in plans)
    is_one = len(plans) == 1
    text = presupposed_text(plans[0]) if is_one else f"first the plans of {labels}"
    typed = ", ".join(plans[0].typed) if is_one else ""
    yield PlanChange(subject=plans[0].resource, text=text, typed=typed, settings={})


def _changes(loss: Loss, variant: PlanVariant) -> Iterator[PlanChange]:
    """Yield the changes with their subjects, since a loss changes several.

    More than one are a list of what is typed; their sentences are those of ``mqcap lose``.
    """
    for number, change in enumerate(variant.changes):
        name = change.subject.partition(SERIES_SEPARATOR)[2]
        beside = "" if number else f"{beside_text(loss)}, "
        text = f"{name}: {change.text}"
        if len(variant.changes) > 1 and change.typed:
            text = name
        yield change.model_copy(update={"text": f"{beside}{text}"})
