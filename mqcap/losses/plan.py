"""What to change so that the survivors of a loss keep their limits, by the changes of plans.

The plans of the day are taken to be in force; what a loss needs is beside them.
"""

from collections.abc import Collection, Iterable, Iterator
from datetime import date, timedelta
from typing import Final

from mqcap.domain.numbers import figure
from mqcap.domain.plan import NotKept, Plan, PlanVariant, total_cost
from mqcap.judging.evaluate import DayFacts, Verdict
from mqcap.losses.assumed import PlannedFacts
from mqcap.losses.carried.lose import loss_of
from mqcap.losses.cell import PLACE_RULE, LossCell, LossQuantity
from mqcap.losses.cells import SURVIVOR_RULES, cells_of, pairs_of
from mqcap.losses.model import Loss, SurvivorChanges, changes_in_force
from mqcap.planning.context import PlanContext, contexts_of
from mqcap.planning.evaluation import judged_today
from mqcap.planning.make import plan_of
from mqcap.planning.settable import moves_of, settable_of
from mqcap.settings import AlertSettings
from mqcap.settings.due_dates import last_responsible_date
from sizing.rulebook.registry import all_rules

_RULES: Final = frozenset(entry.rule_id for entry in SURVIVOR_RULES if entry.quantity.stops_work)


def with_changes(loss: Loss, in_force: PlannedFacts) -> Loss:
    """Return a loss in which something fails with the least-cost changes beside the plans.

    They are of the survivors that are to carry it. ``in_force`` are the facts of its sysplex with
    the plans of the day. What is not kept fails from the first day on which it does with plans and
    changes done; the changes last until the day before it.
    """
    homeless = tuple(_homeless(loss))
    if not loss.carriers:
        return loss.model_copy(update={"not_kept": homeless})
    plans = list(_plans(loss, in_force))
    changes = tuple(change for each in plans for change in each.changes)
    done = in_force.with_changes(changes)
    cells = tuple(cells_of(done, loss_of(done, loss.lost), loss.carriers)) if changes else ()
    unkept = (*_failing(plans), *_without_storage(loss))
    not_kept = (*homeless, *_dated(unkept, cells or loss.planned_cells))
    by_resource = tuple(
        SurvivorChanges(
            resource=plan.resource,
            label=plan.about.label,
            owner=plan.about.owner,
            changes=plan.changes,
            cost=plan.base.cost,
            lasts_until=plan.base.lasts_until,
            condition=plan.base.condition,
        )
        for plan in plans
        if plan.changes
    )
    variants: Iterable[PlanVariant] = by_resource or [plan.base for plan in plans]
    lasting = [each.lasts_until for each in variants if each.lasts_until is not None]
    return loss.model_copy(
        update={
            "cells": tuple(_marked(cell, by_resource, unkept) for cell in loss.cells),
            "changes": PlanVariant(
                changes=changes,
                cost=total_cost(each.base.cost for each in plans),
                lasts_until=_lasts_until(min(lasting, default=None), not_kept),
                condition="; ".join(dict.fromkeys(filter(None, (p.base.condition for p in plans)))),
            ),
            "changed_cells": cells,
            "by_resource": by_resource,
            "not_kept": not_kept,
        }
    )


def _dated(not_kept: Iterable[NotKept], cells: Iterable[LossCell]) -> Iterator[NotKept]:
    """Yield what is not kept from the first day on which it fails; a plan looks from later on."""
    first = {(cell.rule_id, cell.subject): cell.fails_from for cell in cells}
    for each in not_kept:
        day = first.get((each.rule_id, each.subject)) or each.fails_from
        yield each.model_copy(update={"fails_from": day})


def _lasts_until(lasting: date | None, not_kept: Iterable[NotKept]) -> date | None:
    """Return the last day on which the changes last and no limit is passed that nothing keeps.

    That is the day before the site's day where one is passed from that day on.
    """
    ends = [each.fails_from - timedelta(days=1) for each in not_kept]
    return min((day for day in (lasting, *ends) if day is not None), default=None)


def _marked(
    cell: LossCell, by_resource: Iterable[SurvivorChanges], unkept: Iterable[NotKept]
) -> LossCell:
    """Return a failing cell with the mark that plans do not suffice.

    More is to be changed then, or no setting keeps it.
    """
    resource = all_rules()[cell.rule_id].resource_of(cell.subject).path
    needs_more = cell.fails and (
        any(each.resource == resource for each in by_resource)
        or any((each.rule_id, each.subject) == (cell.rule_id, cell.subject) for each in unkept)
    )
    return cell.model_copy(update={"needs_more": needs_more}) if needs_more else cell


def _plans(loss: Loss, in_force: PlannedFacts) -> Iterator[Plan]:
    """Yield the plan of each resource of the survivors that are to carry it and that fails."""
    after = loss_of(in_force.facts, loss.lost)
    done = {pair for plan in in_force.plans for pair in plan.settings}
    for survivor in loss.carriers:
        for context in _contexts(loss, after.facts, survivor, done):
            yield plan_of(context, with_more=False)


def _contexts(
    loss: Loss, facts: DayFacts, survivor: str, done: Collection[tuple[str, str]]
) -> Iterator[PlanContext]:
    """Yield the context of each resource of a survivor that fails with the load.

    What fails without the loss too is among them: the plan for it need not suffice for the load.
    Settings stay that keep nothing in a loss, and what the plans of the day (``done``) used up.
    """
    failing = {
        (cell.quantity, cell.subject)
        for cell in (*loss.cells, *loss.planned_cells)
        if cell.survivor == survivor and cell.counts
    }
    verdicts = [
        Verdict(finding, None)
        for entry, pair in pairs_of(facts, survivor, loss.kind)
        if (entry.quantity, pair.subject) in failing
        and (finding := judged_today(pair, facts)) is not None
    ]
    for context in contexts_of(facts, verdicts):
        pairs = tuple(pair for pair in context.pairs if pair.rule.id in _RULES)
        fixed: frozenset[str] = frozenset()
        if settable := settable_of(context.resource.kind):
            used_up = {key for subject, key in done if subject == pairs[0].subject}
            fixed = settable.stays_in_losses | (settable.set_once & used_up)
        yield context._replace(pairs=pairs, others=(), fixed=fixed)


def _failing(plans: Iterable[Plan]) -> Iterator[NotKept]:
    for plan in plans:
        yield from plan.evidence.not_kept
        if not plan.is_feasible and not plan.evidence.not_kept and not plan.changes:
            why = "; ".join(plan.missing) or f"nothing of {plan.about.label} can be changed"
            yield NotKept(
                rule_id=plan.reason.rule_id,
                subject=plan.reason.subject,
                fails_from=plan.site_date,
                why=why,
            )


def _homeless(loss: Loss) -> Iterator[NotKept]:
    if loss.nowhere_to_go:
        names = " ".join(each.name for each in loss.nowhere_to_go)
        why = (
            f"no facility can take {names}: name another one in PREFLIST of the CFRM policy, give "
            "it the storage, or duplex the structures"
        )
        yield NotKept(rule_id=PLACE_RULE, subject=loss.lost, fails_from=loss.site_date, why=why)


def _without_storage(loss: Loss) -> Iterator[NotKept]:
    for cell in loss.decisive_cells:
        if cell.quantity is LossQuantity.cf_storage and cell.fails:
            missing = (cell.today or 0.0) - (cell.limit or 0.0)
            yield NotKept(
                rule_id=cell.quantity.rule_id,
                subject=cell.survivor,
                fails_from=loss.site_date,
                why=f"give {cell.survivor} {figure(missing)} MiB more storage, or make the "
                "structures smaller",
            )


def due_date_of_loss(loss: Loss, alerts: AlertSettings) -> date | None:
    """Return the last day to change something before a loss would pass a limit.

    That is the lead time of the rules that fail before the first failure, and before any change
    freeze; the day itself where that is over. ``None``: nothing fails up to the horizon.
    """
    first = loss.first_failure_date
    if first is None:
        return None
    lead = max((alerts.lead_time(rule) for rule in loss.rule_ids), default=0)
    last = last_responsible_date(first, lead, alerts.change_freezes)
    return max(last, loss.site_date)


def with_needed(loss: Loss, plans: Iterable[Plan]) -> Loss:
    """Return a loss whose assumed plans say from when on it fails without them."""
    needed = _needed_from(loss)
    for path, first in _needed_of_moves(loss, plans):
        needed[path] = min(first, needed.get(path, first))
    return loss.model_copy(
        update={
            "assumed": tuple(
                each.model_copy(update={"needed_from": needed.get(each.resource)})
                for each in loss.assumed
            )
        }
    )


def _needed_from(loss: Loss) -> dict[str, date]:
    """Return the first day on which each resource of the survivors fails with the load."""
    needed: dict[str, date] = {}
    for cell in loss.decisive_cells:
        first = loss.site_date if cell.fails_today else cell.fails_from
        if first is not None and cell.counts:
            path = all_rules()[cell.rule_id].resource_of(cell.subject).path
            needed[path] = min(first, needed.get(path, first))
    return needed


def _needed_of_moves(loss: Loss, plans: Iterable[Plan]) -> Iterator[tuple[str, date]]:
    """Yield the resources whose plans move away load that fails, with the first day.

    Plans of the lost part leave less to take, those of a survivor make room there.
    """
    failing = [cell for cell in loss.decisive_cells if cell.fails]
    for plan in plans:
        moves = moves_of(plan)
        if moves is None or not moves.amount(changes_in_force(plan)):
            continue
        days = [
            loss.site_date if cell.fails_today else cell.fails_from
            for cell in failing
            if all_rules()[cell.rule_id].resource_of(cell.subject).kind in moves.takes
            and plan.about.owner_subject in (loss.lost, cell.survivor)
        ]
        first = min((day for day in days if day is not None), default=None)
        if first is not None:
            yield plan.resource, first
