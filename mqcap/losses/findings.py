"""Findings of losses: one for each quantity of a lost part, of the survivor that decides.

What fails without the loss too is left to the findings of the survivor.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from mqcap.domain.finding import Change, Finding, InputValue, Severity
from mqcap.domain.input_source import LossSource
from mqcap.domain.numbers import quantity
from mqcap.losses.cell import PLACE_RULE, LossCell, LossQuantity
from mqcap.losses.model import Loss
from mqcap.losses.text.sentences import effort_lines, presupposed_lines, step_lines
from mqcap.presentation.dates import short_day
from mqcap.settings import Settings
from sizing.rulebook.entry import Rule
from sizing.rulebook.judge import judge
from sizing.rulebook.registry import all_rules

_LIMIT: Final = "limit = "
"""Beginning of the line of the arithmetic that states the limit."""


def loss_findings(settings: Settings, losses: Iterable[Loss]) -> list[Finding]:
    """Return the findings of the losses of a day, each about the lost part."""
    return [finding for loss in losses for finding in _findings(settings, loss)]


def _findings(settings: Settings, loss: Loss) -> Iterator[Finding]:
    if loss.nowhere_to_go and loss.severity is not Severity.ok:
        values = {"with_load": len(loss.nowhere_to_go), "limit": 0}
        names = " ".join(each.name for each in loss.nowhere_to_go)
        finding = _judged(settings, loss, all_rules()[PLACE_RULE], values)
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
    finding = _judged(settings, loss, all_rules()[cell.quantity.rule_id], values)
    if not cell.fails:
        return finding
    statement = f"{finding.statement}{_ahead(loss, cell)}"
    lines = (*_own_lines(finding, cell), *cell.arithmetic)
    changed = finding.with_statement(statement).model_copy(update={"arithmetic": lines})
    if not cell.quantity.stops_work and loss.severity is not Severity.unknown:
        return changed.model_copy(update={"severity": Severity.suggestion, "changes": ()})
    return _graded(loss, changed, stops=cell.stops_at_once)


def _own_lines(finding: Finding, cell: LossCell) -> Iterator[str]:
    """Yield the arithmetic of the loss, without the limit where the rule of the survivor has it."""
    has_limit = any(line.startswith(_LIMIT) for line in cell.arithmetic)
    return (line for line in finding.arithmetic if not (has_limit and line.startswith(_LIMIT)))


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
    settings: Settings, loss: Loss, rule: Rule, values: Mapping[str, float | int | str | None]
) -> Finding:
    origin = LossSource(lost=loss.lost)
    inputs = [InputValue(name=name, value=value, origin=origin) for name, value in values.items()]
    return judge(rule, loss.lost, loss.site_date, inputs, settings.grade_policy(rule.id))
