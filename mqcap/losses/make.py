"""The losses of a day: every coupling facility and every member of a group, one at a time."""

from collections.abc import Iterable

from mqcap.domain.estate import SystemClass
from mqcap.domain.finding import Severity
from mqcap.domain.metric import Statistic
from mqcap.domain.numbers import figure
from mqcap.domain.plan import Plan, PlanChange, PlanCost, PlanVariant
from mqcap.domain.subject import Subject
from mqcap.judging.evaluate import DayFacts
from mqcap.judging.facility_share import has_mq_structure
from mqcap.losses.assumed import PlannedFacts, with_assumed, with_plans_in_force
from mqcap.losses.carried.lose import LossOverlay, can_be_lost, loss_of
from mqcap.losses.carried.taken_load import highest
from mqcap.losses.cell import LossCell
from mqcap.losses.cells import cells_of, horizon_of
from mqcap.losses.model import (
    Loss,
    LossSpread,
    badness,
    loss_order,
)
from mqcap.losses.plan import due_date_of_loss, with_changes, with_needed
from mqcap.planning.resource_facts import facts_of_sysplex
from mqcap.planning.states import weighted
from mqcap.progress.shown import tracked
from mqcap.settings.analysis import PlanSettings
from mqcap.whatif.effects import engines_of
from sizing.cf_limits import busy_max_pct

_BUSY = "cf_busy_pct"


def losses_of_day(facts: DayFacts, plans: Iterable[Plan] = ()) -> list[Loss]:
    """Return the loss of each part that others can take over, the most urgent first.

    Coupling facilities without a structure of MQ are left out, as are members without another one
    in their group. ``plans`` are those of the day: changes are beside them.
    """
    losses: list[Loss] = []
    every = tuple(plans)
    for sysplex in sorted(plex.sysplex for plex in facts.estate.sysplexes):
        part = facts_of_sysplex(facts, sysplex)
        own = [plan for plan in every if Subject(plan.resource).sysplex == sysplex]
        in_force = with_plans_in_force(part, own)
        for lost in tracked(list(can_be_lost(part)), f"losses of {sysplex}", "parts"):
            loss = _loss(part, in_force, lost)
            if loss is not None:
                losses.append(loss)
    return sorted(losses, key=loss_order)


def _loss(facts: DayFacts, in_force: PlannedFacts, lost: str) -> Loss | None:
    is_facility = bool(facts.observed.days(_BUSY, lost))
    if is_facility and not has_mq_structure(facts.observed, facts.estate, lost):
        return None
    overlay = loss_of(facts, lost)
    if not overlay.survivors and not is_facility:
        return None
    if not is_facility and _is_test_beside_production(facts, overlay):
        return None
    rebuilding = overlay.rebuilding
    loss = Loss(
        lost=lost,
        kind=overlay.kind,
        site_date=facts.observed.last,
        horizon_date=horizon_of(facts),
        confidence=facts.settings.plan.confidence,
        severity=Severity.ok,
        is_production=facts.estate.class_of(lost) is not SystemClass.test,
        survivors=overlay.survivors,
        is_any_enough=overlay.is_any_enough,
        nowhere_to_go=rebuilding.homeless if rebuilding else (),
        is_only_facility=rebuilding.is_only_facility if rebuilding else False,
        duplexed=rebuilding.duplexed if rebuilding else (),
        spread=_spread(facts, in_force.facts, overlay),
        cells=tuple(cells_of(facts, overlay)),
        alone=_alone(facts, overlay),
        assumptions=overlay.assumptions,
        owner=facts.settings.alerts.owner_of(lost),
    )
    loss = with_assumed(loss, in_force)
    if loss.is_only_facility or not (
        loss.nowhere_to_go or any(cell.counts for cell in loss.decisive_cells)
    ):
        return loss.model_copy(update={"severity": _severity(loss)})
    changed = with_changes(_with_planned(loss, in_force), in_force)
    changed = _spread_first(changed, facts.settings.plan)
    severity = _severity(changed)
    if severity is Severity.ok:
        return loss
    due = due_date_of_loss(changed, facts.settings.alerts)
    changed = changed.model_copy(update={"severity": severity, "due_date": due})
    return with_needed(changed, in_force.plans)


def _is_test_beside_production(facts: DayFacts, overlay: LossOverlay) -> bool:
    """Return whether a member of test would leave its work to production, which takes none."""
    is_test = [
        facts.estate.class_of(each) is SystemClass.test
        for each in (overlay.lost, *overlay.survivors)
    ]
    return is_test[0] and not all(is_test)


def _alone(facts: DayFacts, overlay: LossOverlay) -> tuple[LossCell, ...]:
    """Return the quantities of the survivor that would be worst off with all of the load.

    Empty where the survivors share none.
    """
    if overlay.rebuilding is not None or len(overlay.survivors) < 2:
        return ()
    every = (
        tuple(cells_of(facts, loss_of(facts, overlay.lost, each))) for each in overlay.survivors
    )
    return max(every, key=badness)


def _with_planned(loss: Loss, in_force: PlannedFacts) -> Loss:
    """Return a loss with the quantities of its survivors once the plans of the day are done."""
    if not loss.assumed:
        return loss
    cells = cells_of(in_force.facts, loss_of(in_force.facts, loss.lost))
    return loss.model_copy(update={"planned_cells": tuple(cells)})


def _spread_first(loss: Loss, settings: PlanSettings) -> Loss:
    """Return a loss whose structures are spread where that is enough, with more engines beside it.

    Preference lists of the CFRM policy cost a change request.
    """
    spread, changes = loss.spread, loss.changes
    if spread is None or changes is None or not (changes.changes or loss.not_kept):
        return loss
    if spread.room_engine_pct < spread.moved_engine_pct:
        return loss
    names = " and ".join(each.name for each in loss.survivors)
    change = PlanChange(
        subject=loss.lost,
        text=f"spread its structures over {names} by their preference lists (CFRM policy): "
        f"together {figure(spread.busy_pct)} % busy",
        typed="PREFLIST",
        settings={},
    )
    cost = weighted(PlanCost(work_hours=settings.change_hours), settings)
    return loss.model_copy(
        update={
            "changes": PlanVariant(changes=(change,), cost=cost),
            "options": (changes,) if changes.changes else (),
            "by_resource": (),
            "changed_cells": (),
            "not_kept": (),
        }
    )


def _severity(loss: Loss) -> Severity:
    """Return Act where work of production stops at once, Watch where a limit is passed.

    A sysplex with one coupling facility was built so: a suggestion for production, nothing for
    test. Without a survivor that can be evaluated nothing is known.
    """
    if loss.is_only_facility:
        return Severity.suggestion if loss.is_production else Severity.ok
    if not loss.survivors and not loss.nowhere_to_go:
        return Severity.unknown
    stops = loss.minutes_to_first_failure == 0
    if not stops and not any(cell.matters for cell in loss.decisive_cells):
        return Severity.ok
    return Severity.act if stops and loss.is_production else Severity.watch


def _spread(facts: DayFacts, in_force: DayFacts, overlay: LossOverlay) -> LossSpread | None:
    """Return the load of a facility over all that may receive it; ``None`` for a single one.

    ``in_force`` have the engines that plans of the day give.
    """
    if overlay.rebuilding is None or not overlay.is_any_enough:
        return None
    ratio = max(arrival.load_ratio for arrival in overlay.rebuilding.arrivals)
    moved = _engine_time(in_force, overlay.lost) * ratio
    own = sum(_engine_time(in_force, each) for each in overlay.survivors)
    engines = [engines_of(in_force, each) for each in overlay.survivors]
    is_planned = engines != [engines_of(facts, each) for each in overlay.survivors]
    return LossSpread(
        busy_pct=(own + moved) / sum(engines),
        moved_engine_pct=moved,
        room_engine_pct=_room(in_force, overlay.survivors),
        is_planned=is_planned,
    )


def _room(facts: DayFacts, facilities: Iterable[str]) -> float:
    """Return the engine time that facilities have up to their limits, in per cent of one engine."""
    free = (
        busy_max_pct(count) * count - _engine_time(facts, each)
        for each in facilities
        for count in [engines_of(facts, each)]
    )
    return sum(max(each, 0.0) for each in free)


def _engine_time(facts: DayFacts, facility: str) -> float:
    """Return busy at the peak x engines, in per cent of one engine."""
    return highest(facts, (_BUSY, facility), Statistic.peak) * engines_of(facts, facility)
