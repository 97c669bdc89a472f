"""What to change so that the survivors of a loss keep their limits, by the changes of plans.

The plans of the day are taken to be in force; what a loss needs is beside them.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date, timedelta
from typing import Final, NamedTuple

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.estate import Estate, Sysplex
from mqcap.domain.numbers import figure
from mqcap.domain.plan import NotKept, Plan, PlanChange, PlanVariant, total_cost
from mqcap.domain.resource import Resource
from mqcap.domain.subject import Subject
from mqcap.judging.bound_dates import judged_on
from mqcap.judging.evaluate import DayFacts, Verdict
from mqcap.losses.carried.lose import loss_of
from mqcap.losses.cell import PLACE_RULE, LossCell, LossQuantity
from mqcap.losses.cells import SURVIVOR_RULES, cells_of, pairs_of
from mqcap.losses.model import (
    AssumedPlan,
    Loss,
    SurvivorChanges,
    changes_in_force,
    is_beside,
    one_of_each_subject,
)
from mqcap.planning.context import PlanContext, contexts_of
from mqcap.planning.make import plan_of
from mqcap.planning.settable import moves_of, settable_of
from mqcap.settings import AlertSettings
from mqcap.settings.due_dates import last_responsible_date
from mqcap.whatif.overlay import overlay
from mqcap.whatif.scenario import Scenario
from sizing.rulebook.registry import all_rules

_OF_RESOURCE: Final = ("changes", "cost", "lasts_until", "condition")
_RULES: Final = frozenset(entry.rule_id for entry in SURVIVOR_RULES if entry.quantity.stops_work)


class PlannedFacts(NamedTuple):
    """Facts of a sysplex with the plans of the day done."""

    facts: DayFacts
    measured: DayFacts
    """The facts without any plan."""
    plans: tuple[Plan, ...]
    """The plans that are done."""
    left_out: tuple[Plan, ...] = ()
    """Plans that cannot be applied together with the others."""

    def with_changes(self, changes: Iterable[PlanChange]) -> DayFacts:
        """Return the facts with changes beside the plans, all of them as one scenario.

        A change of the setting of a plan takes its place, as where both are typed at once: channels
        that move after others have moved would take another share along.
        """
        of_plans = (change for plan in self.plans for change in changes_in_force(plan))
        return _with(self.measured, [*of_plans, *changes])


def with_plans_in_force(facts: DayFacts, plans: Sequence[Plan]) -> PlannedFacts:
    """Return the facts with all plans in one scenario, but those that what-if refuses then."""
    try:
        return PlannedFacts(_with_all(facts, plans), facts, tuple(plans))
    except ConfigurationError:
        done: tuple[Plan, ...] = ()
        left_out: tuple[Plan, ...] = ()
        for plan in plans:
            try:
                _with_all(facts, [*done, plan])
                done += (plan,)
            except ConfigurationError:
                left_out += (plan,)
        return PlannedFacts(_with_all(facts, done), facts, done, left_out)


def with_assumed(loss: Loss, in_force: PlannedFacts) -> Loss:
    """Return a loss that names the plans of the day of its parts: those done, those left out."""
    assumed = tuple(
        AssumedPlan(
            resource=plan.resource,
            label=plan.about.label,
            typed=tuple(dict.fromkeys(change.shown for change in changes_in_force(plan))),
            subjects=tuple(change.subject for change in changes_in_force(plan)),
            due_date=plan.due_date,
        )
        for plan in in_force.plans
        if is_beside(plan, loss)
    )
    left_out = tuple(plan.about.label for plan in in_force.left_out if is_beside(plan, loss))
    return loss.model_copy(update={"assumed": assumed, "left_out": left_out})


def _with_all(facts: DayFacts, plans: Iterable[Plan]) -> DayFacts:
    return _with(facts, (change for plan in plans for change in changes_in_force(plan)))


def _with(facts: DayFacts, changes: Iterable[PlanChange]) -> DayFacts:
    every = one_of_each_subject(changes)
    parts = [part for change in every for part in change.scenario_parts]
    after = overlay(facts, Scenario.model_validate({"configuration": parts})).facts
    settings = {"active_log_size_mib", "active_logs"}
    renamed = {part["subject"] for part in parts if settings & part.keys()}
    return after._replace(estate=_without_names(after.estate, renamed))


def _without_names(estate: Estate, subjects: Collection[str]) -> Estate:
    """Return the estate without the names of logs that plans change: those are yet to be given."""

    def unnamed(plex: Sysplex) -> Sysplex:
        qmgrs = (
            manager.model_copy(update={"active_log_names": ()})
            if Subject.of(plex.sysplex, manager.name) in subjects
            else manager
            for manager in plex.qmgrs
        )
        return plex.model_copy(update={"qmgrs": tuple(qmgrs)})

    return estate.model_copy(update={"sysplexes": tuple(map(unnamed, estate.sysplexes))})


def with_changes(loss: Loss, in_force: PlannedFacts) -> Loss:
    """Return a loss in which something fails with the least-cost changes beside the plans.

    They are of the survivors that are to carry it. ``in_force`` are the facts of its sysplex with
    the plans of the day. What is not kept fails from the first day on which it does with plans and
    changes done; the changes last until the day before it.
    """
    homeless = tuple(_homeless(loss))
    if not loss.carriers:
        return loss.model_copy(update={"not_kept": homeless})
    after = loss_of(in_force.facts, loss.lost)
    done = {pair for plan in in_force.plans for pair in plan.settings}
    plans = [
        plan_of(context, with_more=False)
        for survivor in loss.carriers
        for context in _contexts(loss, after.facts, survivor, done)
    ]
    changes = tuple(change for plan in plans for change in plan.changes)
    facts = in_force.with_changes(changes)
    cells = tuple(cells_of(facts, loss_of(facts, loss.lost), loss.carriers)) if changes else ()
    unkept = (*_failing(plans), *_without_storage(loss))
    first = {(cell.rule_id, cell.subject): cell.fails_from for cell in cells or loss.planned_cells}
    # from the first day on which it fails; a plan looks from later on
    days = (first.get((bound.rule_id, bound.subject)) or bound.fails_from for bound in unkept)
    dated = (
        bound.model_copy(update={"fails_from": day})
        for bound, day in zip(unkept, days, strict=True)
    )
    not_kept = (*homeless, *dated)
    by_resource = tuple(
        SurvivorChanges(
            resource=plan.resource,
            label=plan.about.label,
            owner=plan.about.owner,
            **{name: getattr(plan.base, name) for name in _OF_RESOURCE},
        )
        for plan in plans
        if plan.changes
    )
    variants: Iterable[PlanVariant] = by_resource or [plan.base for plan in plans]
    lasting = [variant.lasts_until for variant in variants if variant.lasts_until is not None]
    lasting += [bound.fails_from - timedelta(days=1) for bound in not_kept]
    return loss.model_copy(
        update={
            "cells": tuple(_marked(cell, by_resource, unkept) for cell in loss.cells),
            "changes": PlanVariant(
                changes=changes,
                cost=total_cost(plan.base.cost for plan in plans),
                lasts_until=min(lasting, default=None),
                condition="; ".join(dict.fromkeys(filter(None, (p.base.condition for p in plans)))),
            ),
            "changed_cells": cells,
            "by_resource": by_resource,
            "not_kept": not_kept,
        }
    )


def _marked(
    cell: LossCell, by_resource: Iterable[SurvivorChanges], unkept: Iterable[NotKept]
) -> LossCell:
    """Return a failing cell marked where more than its plan, or nothing, is to be changed."""
    path = _resource_of(cell).path
    needs_more = cell.fails and (
        any(change.resource == path for change in by_resource)
        or any((bound.rule_id, bound.subject) == (cell.rule_id, cell.subject) for bound in unkept)
    )
    return cell.model_copy(update={"needs_more": needs_more}) if needs_more else cell


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
        and (finding := judged_on(pair, facts, None)) is not None
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
        names = " ".join(place.name for place in loss.nowhere_to_go)
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
    needed: dict[str, date] = {}
    of_cells = (  # of the survivors that fails with the load
        (_resource_of(cell).path, loss.fails_on(cell))
        for cell in loss.decisive_cells
        if cell.counts
    )
    for path, first in (*of_cells, *_needed_of_moves(loss, plans)):
        if first is not None:
            needed[path] = min(first, needed.get(path, first))
    assumed = tuple(
        plan.model_copy(update={"needed_from": needed.get(plan.resource)}) for plan in loss.assumed
    )
    return loss.model_copy(update={"assumed": assumed})


def _needed_of_moves(loss: Loss, plans: Iterable[Plan]) -> Iterator[tuple[str, date | None]]:
    """Yield the resources whose plans move away load that fails, with the first day.

    Plans of the lost part leave less to take, those of a survivor make room there.
    """
    failing = [cell for cell in loss.decisive_cells if cell.fails]
    for plan in plans:
        moves, owner = moves_of(plan), plan.about.owner_subject
        if moves is not None and moves.amount(changes_in_force(plan)):
            for cell in failing:
                is_near = owner in {loss.lost, cell.survivor}
                if is_near and _resource_of(cell).kind in moves.takes:
                    yield plan.resource, loss.fails_on(cell)


def _resource_of(cell: LossCell) -> Resource:
    return all_rules()[cell.rule_id].resource_of(cell.subject)
