"""The losses of a day: every coupling facility and every member of a group, one at a time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mqcap.domain.estate import SystemClass
from mqcap.domain.finding import Severity
from mqcap.domain.losses.loss import Loss, LossSpread, loss_order
from mqcap.domain.metric import Statistic, sysplex_of
from mqcap.domain.plan import Plan
from mqcap.judging.evaluate import DayFacts
from mqcap.judging.facility_share import has_mq_structure
from mqcap.planning.losses.cells import cells_of, horizon_of
from mqcap.planning.losses.changes import with_changes, with_plans_in_force
from mqcap.planning.losses.due import due_date_of_loss, presupposed_plans
from mqcap.planning.resource_facts import facts_of_sysplex
from mqcap.whatif.effects import engines_of
from mqcap.whatif.losses.lose import LossOverlay, can_be_lost, loss_of
from mqcap.whatif.losses.taken_load import highest
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
        own = [plan for plan in every if sysplex_of(plan.resource) == sysplex]
        in_force = with_plans_in_force(part, own)
        for lost in can_be_lost(part):
            loss = _loss(part, in_force, lost, own)
            if loss is not None:
                losses.append(loss)
    return sorted(losses, key=loss_order)


def _loss(facts: DayFacts, in_force: DayFacts, lost: str, plans: Sequence[Plan]) -> Loss | None:
    is_facility = bool(facts.observed.days(_BUSY, lost))
    if is_facility and not has_mq_structure(facts.observed, facts.estate, lost):
        return None
    overlay = loss_of(facts, lost)
    if not overlay.survivors and not is_facility:
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
        spread=_spread(in_force, overlay, is_planned=bool(plans)),
        cells=tuple(cells_of(facts, overlay)),
        assumptions=overlay.assumptions,
        owner=facts.settings.alerts.owner_of(lost),
    )
    if loss.is_only_facility or not (loss.nowhere_to_go or _fails(loss)):
        return loss.model_copy(update={"severity": _severity(loss)})
    changed = with_changes(loss, in_force, plans)
    severity = _severity(changed)
    if severity is Severity.ok:
        return loss
    alerts = facts.settings.alerts
    changed = changed.model_copy(
        update={"severity": severity, "due_date": due_date_of_loss(changed, alerts)}
    )
    return changed.model_copy(update={"presupposes": presupposed_plans(changed, plans, alerts)})


def _fails(loss: Loss) -> bool:
    return any(cell.fails for cell in loss.cells_until_changed)


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
    cells = (*loss.cells_until_changed, *loss.decisive_cells)
    if not stops and not any(cell.matters for cell in cells):
        return Severity.ok
    return Severity.act if stops and loss.is_production else Severity.watch


def _spread(facts: DayFacts, overlay: LossOverlay, *, is_planned: bool) -> LossSpread | None:
    """Return the load of a facility over all that may receive it; ``None`` for a single one.

    ``facts`` have the engines that plans of the day give.
    """
    if overlay.rebuilding is None or not overlay.is_any_enough:
        return None
    ratio = max(arrival.load_ratio for arrival in overlay.rebuilding.arrivals)
    moved = _engine_time(facts, overlay.lost) * ratio
    own = sum(_engine_time(facts, each) for each in overlay.survivors)
    engines = {each: engines_of(facts, each) for each in overlay.survivors}
    room = sum(
        max(busy_max_pct(count) * count - _engine_time(facts, each), 0.0)
        for each, count in engines.items()
    )
    return LossSpread(
        busy_pct=(own + moved) / sum(engines.values()),
        moved_engine_pct=moved,
        room_engine_pct=room,
        is_planned=is_planned,
    )


def _engine_time(facts: DayFacts, facility: str) -> float:
    """Return busy at the peak x engines, in per cent of one engine."""
    return highest(facts, (_BUSY, facility), Statistic.peak) * engines_of(facts, facility)
