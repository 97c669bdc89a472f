"""The losses of a day: every coupling facility and every member of a group, one at a time.

Their findings are one for each quantity of a lost part, of the survivor that decides. What fails
without the loss too is left to the findings of the survivor.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from mqcap.domain.estate.configured import SystemClass
from mqcap.domain.finding import Change, Finding, InputValue, Severity
from mqcap.domain.input_source import LossSource
from mqcap.domain.metric import Statistic
from mqcap.domain.numbers import figure, quantity
from mqcap.domain.plan import Plan, PlanChange, PlanCost, PlanVariant
from mqcap.domain.subject import Subject
from mqcap.judging.evaluate import DayFacts
from mqcap.judging.facility_share import has_mq_structure
from mqcap.losses.carried.lose import LossOverlay, can_be_lost, loss_of
from mqcap.losses.cell import PLACE_RULE, LossCell, LossQuantity
from mqcap.losses.cells import cells_of, horizon_of
from mqcap.losses.model import Loss, LossSpread, badness, loss_order
from mqcap.losses.plan import (
    PlannedFacts,
    due_date_of_loss,
    with_assumed,
    with_changes,
    with_needed,
    with_plans_in_force,
)
from mqcap.losses.text.sentences import effort_lines, presupposed_lines, step_lines
from mqcap.planning.context import facts_of_sysplex
from mqcap.planning.states import weighted
from mqcap.presentation.dates import short_day
from mqcap.progress.shown import tracked
from mqcap.settings import Settings
from mqcap.settings.analysis import PlanSettings
from mqcap.whatif.effects import engines_of
from sizing.cf_limits import busy_max_pct
from sizing.rulebook.judge import judge
from sizing.rulebook.registry import all_rules

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
    parts = (lost, *overlay.survivors)
    is_test = [facts.estate.class_of(part) is SystemClass.test for part in parts]
    if not is_facility and (not overlay.survivors or (is_test[0] and not all(is_test))):
        return None  # production takes no work of test
    rebuilding = overlay.rebuilding
    loss = Loss(
        lost=lost,
        kind=overlay.kind,
        site_date=facts.observed.last,
        horizon_date=horizon_of(facts),
        confidence=facts.settings.plan.confidence,
        severity=Severity.ok,
        is_production=not is_test[0],
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
    planned: tuple[LossCell, ...] = ()
    if loss.assumed:
        planned = tuple(cells_of(in_force.facts, loss_of(in_force.facts, lost)))
    changed = with_changes(loss.model_copy(update={"planned_cells": planned}), in_force)
    changed = _spread_first(changed, facts.settings.plan)
    severity = _severity(changed)
    if severity is Severity.ok:
        return loss
    due = due_date_of_loss(changed, facts.settings.alerts)
    changed = changed.model_copy(update={"severity": severity, "due_date": due})
    return with_needed(changed, in_force.plans)


def _alone(facts: DayFacts, overlay: LossOverlay) -> tuple[LossCell, ...]:
    """Return the quantities of the survivor worst off with all of a shared load; else none."""
    if overlay.rebuilding is not None or len(overlay.survivors) < 2:
        return ()
    every = (
        tuple(cells_of(facts, loss_of(facts, overlay.lost, survivor)))
        for survivor in overlay.survivors
    )
    return max(every, key=badness)


def _spread_first(loss: Loss, settings: PlanSettings) -> Loss:
    """Return a loss whose structures are spread where that is enough, with more engines beside it.

    Preference lists of the CFRM policy cost a change request.
    """
    spread, changes = loss.spread, loss.changes
    if spread is None or not spread.is_enough or changes is None:
        return loss
    if not (changes.changes or loss.not_kept):
        return loss
    names = " and ".join(survivor.name for survivor in loss.survivors)
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
    """Return the load of a facility over all that may receive it; ``None`` for a single one."""
    if overlay.rebuilding is None or not overlay.is_any_enough:
        return None
    ratio = max(arrival.load_ratio for arrival in overlay.rebuilding.arrivals)
    moved = _engine_time(in_force, overlay.lost) * ratio
    own = sum(_engine_time(in_force, survivor) for survivor in overlay.survivors)
    engines = [engines_of(in_force, survivor) for survivor in overlay.survivors]
    is_planned = engines != [engines_of(facts, survivor) for survivor in overlay.survivors]
    return LossSpread(
        busy_pct=(own + moved) / sum(engines),
        moved_engine_pct=moved,
        room_engine_pct=sum(
            max(busy_max_pct(count) * count - _engine_time(in_force, other), 0.0)
            for other, count in zip(overlay.survivors, engines, strict=True)
        ),
        is_planned=is_planned,
    )


def _engine_time(facts: DayFacts, facility: str) -> float:
    """Return busy at the peak x engines, in per cent of one engine."""
    busy = facts.observed.highest(_BUSY, facility, Statistic.peak)
    return busy * engines_of(facts, facility)


_LIMIT: Final = "limit = "
"""Beginning of the line of the arithmetic that states the limit."""


def loss_findings(settings: Settings, losses: Iterable[Loss]) -> list[Finding]:
    """Return the findings of the losses of a day, each about the lost part."""
    return [finding for loss in losses for finding in _findings(settings, loss)]


def _findings(settings: Settings, loss: Loss) -> Iterator[Finding]:
    if loss.nowhere_to_go and loss.severity is not Severity.ok:
        values = {"with_load": len(loss.nowhere_to_go), "limit": 0}
        names = " ".join(place.name for place in loss.nowhere_to_go)
        finding = _judged(settings, loss, PLACE_RULE, values)
        yield _graded(loss, finding.with_statement(f"{finding.statement} {names}"), stops=True)
    for name in LossQuantity:
        cells = [
            cell
            for cell in loss.decisive_cells
            if cell.quantity is name
            and (cell.matters or not cell.fails_before)
            and cell.limit is not None
        ]
        known = [cell for cell in cells if cell.today is not None]
        if known:
            worst = max(known, key=lambda cell: cell.rank)
            yield _of_cell(settings, loss, worst)


def _of_cell(settings: Settings, loss: Loss, cell: LossCell) -> Finding:
    values = {"with_load": cell.today, "limit": cell.limit, "survivor": cell.subject}
    finding = _judged(settings, loss, cell.quantity.rule_id, values)
    if not cell.fails:
        return finding
    statement = f"{finding.statement}{_ahead(loss, cell)}"
    has_limit = any(line.startswith(_LIMIT) for line in cell.arithmetic)
    own = (line for line in finding.arithmetic if not (has_limit and line.startswith(_LIMIT)))
    lines = (*own, *cell.arithmetic)
    changed = finding.with_statement(statement).model_copy(update={"arithmetic": lines})
    if not cell.quantity.stops_work and loss.severity is not Severity.unknown:
        return changed.model_copy(update={"severity": Severity.suggestion, "changes": ()})
    return _graded(loss, changed, stops=cell.stops_at_once)


def _ahead(loss: Loss, cell: LossCell) -> str:
    if cell.fails_today or cell.fails_from is None:
        return ""
    figure = quantity(cell.at_horizon, cell.unit)
    it = "Without the plans of the day it" if loss.planned_cells else "It"
    day = short_day(cell.fails_from)
    return f" {it} fails from {day} on: {figure} at the bound of the forecast."


def _graded(loss: Loss, finding: Finding, *, stops: bool) -> Finding:
    """Return a failing finding: Act where work of production stops at once, else Watch.

    It stops only where it does on the best survivor: what is worse on the one that is to be changed
    is Watch.
    """
    is_stopped = stops and loss.minutes_to_first_failure == 0
    severity = Severity.act if is_stopped and loss.is_production else Severity.watch
    if loss.is_only_facility:
        severity = loss.severity
    return finding.model_copy(
        update={
            "severity": severity,
            "advice": " ".join([finding.advice, *presupposed_lines(loss), *effort_lines(loss)]),
            "changes": tuple(Change(action=line) for line in step_lines(loss)),
        }
    )


def _judged(
    settings: Settings, loss: Loss, rule_id: str, values: Mapping[str, float | int | str | None]
) -> Finding:
    origin, policy = LossSource(lost=loss.lost), settings.grade_policy(rule_id)
    inputs = [InputValue(name=name, value=value, origin=origin) for name, value in values.items()]
    return judge(all_rules()[rule_id], loss.lost, loss.site_date, inputs, policy)
