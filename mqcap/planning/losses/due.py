"""When to decide on a loss: as plans are due, before the first limit and after the lead time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from mqcap.domain.losses.in_force import changes_in_force
from mqcap.domain.losses.loss import Loss, PresupposedPlan
from mqcap.domain.plan import Plan
from mqcap.judging.observed import is_part_of
from mqcap.presentation.due_dates import last_responsible_date
from mqcap.presentation.plans.text import brief_text
from mqcap.settings import AlertSettings, Settings
from mqcap.whatif.moved_channels import MOVED
from sizing.rulebook.registry import all_rules


def due_date_of_loss(loss: Loss, alerts: AlertSettings) -> date | None:
    """Return the last day to change something before a loss would pass a limit.

    That is the lead time of the rules that fail before the first failure, and before any change
    freeze; the day itself where that is over. ``None``: nothing fails up to the horizon.
    """
    first = loss.first_failure_date
    if first is None:
        return None
    return _due_date(loss, first, alerts)


def presupposed_plans(
    loss: Loss, plans: Sequence[Plan], settings: Settings
) -> tuple[PresupposedPlan, ...]:
    """Return the plans of the day without which the survivors that are to carry it fail.

    Where the changes of the loss come on top of a plan it is due with them, else before the first
    limit that it keeps; never later than by its own rules.
    """
    needed = _needed_from(loss)
    for path, first in _needed_of_channels(loss, plans):
        needed[path] = min(first, needed.get(path, first))
    changed = {each.resource for each in loss.by_resource}
    return tuple(
        PresupposedPlan(
            resource=plan.resource,
            label=plan.label,
            typed=tuple(dict.fromkeys(map(brief_text, changes))),
            needed_from=needed[plan.resource],
            own_due_date=plan.due_date,
            due_date=min(
                plan.due_date,
                loss.due_date
                if plan.resource in changed and loss.due_date is not None
                else _due_date(loss, needed[plan.resource], settings.alerts),
            ),
        )
        for plan in sorted(plans, key=lambda each: each.resource)
        if plan.resource in needed and (changes := changes_in_force(plan))
    )


def _due_date(loss: Loss, first: date, alerts: AlertSettings) -> date:
    lead = max((alerts.lead_time(rule) for rule in loss.rule_ids), default=0)
    last, _ = last_responsible_date(first, lead, alerts.change_freezes)
    return max(last, loss.site_date)


def _needed_from(loss: Loss) -> dict[str, date]:
    """Return the first day on which each resource of the survivors fails with the load."""
    needed: dict[str, date] = {}
    for cell in loss.decisive_cells:
        first = loss.site_date if cell.fails_today else cell.fails_from
        if first is not None and cell.counts:
            path = all_rules()[cell.rule_id].resource_of(cell.subject).path
            needed[path] = min(first, needed.get(path, first))
    return needed


def _needed_of_channels(loss: Loss, plans: Iterable[Plan]) -> Iterator[tuple[str, date]]:
    """Yield the resources whose plans leave fewer channels where channels fail, with the first day.

    Plans of the lost part leave fewer to take, those of a survivor make room there.
    """
    failing = [cell for cell in loss.decisive_cells if cell.quantity.is_of_channels and cell.fails]
    for plan in plans:
        for change in changes_in_force(plan):
            if MOVED not in change.settings:
                continue
            days = [
                loss.site_date if cell.fails_today else cell.fails_from
                for cell in failing
                if any(is_part_of(change.subject, part) for part in (loss.lost, cell.survivor))
            ]
            first = min((day for day in days if day is not None), default=None)
            if first is not None:
                yield plan.resource, first


def with_due_dates_of_losses(plans: Iterable[Plan], losses: Iterable[Loss]) -> Iterator[Plan]:
    """Yield the plans, each with the earliest due day of the losses that presuppose it."""
    every = list(losses)
    for plan in plans:
        found = [
            (each.due_date, loss.lost)
            for loss in every
            for each in loss.presupposes
            if each.resource == plan.resource and each.due_date < plan.due_date
        ]
        if not found:
            yield plan
            continue
        due, lost = min(found)
        yield plan.model_copy(
            update={"due_date": due, "own_due_date": plan.due_date, "needed_by_loss": lost}
        )
