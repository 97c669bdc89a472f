"""Losses as plans and as lines of findings, so that emails, tickets and lists print both alike."""

from collections.abc import Iterable, Sequence

from mqcap.domain.numbers import counted
from mqcap.domain.plan import (
    LossPlan,
    PlanDates,
    PlanEvidence,
    PlanReason,
    PlanTopic,
    PlanVariant,
    total_cost,
)
from mqcap.domain.resource import ResourceKind, resource_of
from mqcap.losses.model import Loss, needed_changes
from mqcap.losses.text.sentences import BESIDE_PLANS, consequence, limits_text, unforecast
from mqcap.presentation.fleet import FleetLine
from mqcap.presentation.summary_words import cost_text


def plan_of_loss(loss: Loss) -> LossPlan:
    """Return the plan of the resource *loss of CF02*, of a loss at Watch or Act.

    Its changes are beside the plans of the survivors, so totals of plans leave it out.
    """
    due_date = loss.due_date or loss.site_date
    resource = resource_of(ResourceKind.loss, loss.lost)
    return LossPlan(
        about=PlanTopic(
            resource=resource.path,
            label=resource.label,
            kind=resource.kind,
            owner_subject=loss.lost,
            owner=loss.owner,
            is_production=loss.is_production,
        ),
        dates=PlanDates(
            site_date=loss.site_date,
            earliest_date=due_date,
            due_date=due_date,
            horizon_date=loss.horizon_date,
            made_on=loss.site_date,
        ),
        reason=PlanReason(
            severity=loss.severity,
            summary=consequence(loss),
            rule_id=loss.rule_ids[0],
            subject=loss.lost,
        ),
        evidence=PlanEvidence(confidence=loss.confidence, not_kept=loss.not_kept),
        base=loss.changes or PlanVariant(),
        unforecast=unforecast(loss.changed_cells),
        options=loss.options,
    )


def plans_of_losses(losses: Iterable[Loss]) -> list[LossPlan]:
    """Return the plans of the losses of which something is to be decided."""
    return [plan_of_loss(loss) for loss in losses if loss.severity.is_urgent]


def needed_text(losses: Iterable[Loss]) -> str:
    """Return what the changes for all losses take beside the plans; empty without changes."""
    needed = needed_changes(losses)
    if not needed:
        return ""
    cost = cost_text(total_cost(change.cost for change in needed))
    return (
        f"For losses, {BESIDE_PLANS}: {counted(len(needed), 'resource')}, {cost}. What several "
        "losses need of one resource counts once; totals of plans leave it out."
    )


def one_of_each_loss(lines: Sequence[FleetLine], losses: Iterable[Loss]) -> list[FleetLine]:
    """Return the lines with one for each loss at Act or Watch: its first, with all of its limits.

    A loss is one thing to decide on, however many limits it passes; their number is that of the
    loss everywhere. ``losses`` are those of the day.
    """
    limits = {loss.lost: limits_text(loss.decisive_cells) for loss in losses}
    seen: set[str] = set()
    shown: list[FleetLine] = []
    for line in lines:
        lost = line.finding.subject
        if not line.finding.is_of_loss or not line.finding.severity.is_urgent:
            shown.append(line)
        elif lost not in seen:
            seen.add(lost)
            shown.append(line.model_copy(update={"limits": limits.get(lost, "")}))
    return shown
