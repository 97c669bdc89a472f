"""Losses of a day: matrices lost by survivor, and each loss with its figures and changes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final

from mq_capacity_page.pages.whatif.fields import LOSE
from mq_capacity_page.pages.whatif.further import parameters_of
from mq_capacity_page.web.context import PageContext
from mq_capacity_page.web.page_frame import ViewModel
from mqcap.domain.finding import Severity
from mqcap.domain.numbers import counted, figure
from mqcap.domain.plan import Plan
from mqcap.losses.cell import LossCell
from mqcap.losses.model import Loss, with_plans
from mqcap.losses.text.as_plan import needed_text
from mqcap.losses.text.figures import before_text, name_of, state_text, stops_text
from mqcap.losses.text.sentences import (
    NOTES,
    assumed_lines,
    change_lines,
    consequence,
    spread_text,
)
from mqcap.losses.text.tables import LossMatrix, LossWords, loss_words, matrices
from mqcap.presentation.dates import short_day
from mqcap.presentation.quantities import Quantity, quantity
from mqcap.store.findings import previous_findings_date
from mqcap.store.losses import read_losses
from mqcap.store.plans import read_plans

MOST_FIGURES: Final = 5
"""Figures of survivors on a card; the others are unfolded (ours)."""


class SurvivorFigure(ViewModel):
    """One quantity of one survivor, as printed."""

    survivor: str
    quantity: str
    subject: str
    before: Quantity | None
    """``None`` for structures, of which none has arrived."""
    today: Quantity
    limit: Quantity
    at_horizon: Quantity
    fails: bool
    fails_from: str
    """The first day on which it fails; empty where it does not."""
    planned: str
    """Figure and limit with the plans of the day done; empty where nothing fails, or without."""
    changed: str
    """The same with the changes done too."""
    until_failure: str
    rule_id: str


class ShownLoss(ViewModel):
    """The loss of one part."""

    lost: str
    severity: Severity
    consequence: str
    spread: str
    figures: Sequence[SurvivorFigure]
    """Those that stand on the card: what stops work first, then what else fails."""
    further_figures: Sequence[SurvivorFigure]
    """The others, in the order of survivors; they are unfolded."""
    further_words: str
    """How many they are, and how many of them fail."""
    changes: Sequence[str]
    due: str
    """The day by which to do or decide, with the owner; empty where nothing fails."""
    assumptions: Sequence[str]
    question: dict[str, str]
    """Parameters of the what-if form that loses it."""
    answer: dict[str, str]
    """Those that lose it with the changes and the plans of the day; empty without changes."""


class LossesView(ViewModel):
    """All losses of a day."""

    matrices: Sequence[LossMatrix]
    losses: Sequence[ShownLoss]
    together: str
    """What the changes for all losses take; empty without changes."""
    notes: Sequence[str]
    words: LossWords
    """What is lost in turn, or why nothing is."""
    is_evaluated: bool
    """Whether the day has findings."""


def losses_view(context: PageContext, day: date) -> LossesView:
    """Return the losses of a day; none where nothing can be lost."""
    found = read_losses(context.engine, day)
    plans = read_plans(context.engine, day)
    return LossesView(
        matrices=matrices(found),
        losses=[_shown(loss, plans) for loss in found],
        together=needed_text(found),
        notes=NOTES if found else (),
        words=loss_words(context.estate, found),
        is_evaluated=previous_findings_date(context.engine, day + timedelta(days=1)) == day,
    )


def _shown(loss: Loss, plans: Sequence[Plan]) -> ShownLoss:
    changes = parameters_of(with_plans(loss, plans)) if loss.changes is not None else {}
    first, further = _divided([_figure(loss, cell) for cell in loss.cells])
    return ShownLoss(
        lost=loss.lost,
        severity=loss.severity,
        consequence=_sentence(consequence(loss)),
        spread=spread_text(loss),
        figures=first,
        further_figures=further,
        further_words=_further_words(further),
        changes=[*assumed_lines(loss), *change_lines(loss)],
        due=f"Begin by {short_day(loss.due_date)}" if loss.due_date else "",
        assumptions=loss.assumptions,
        question={"subject": loss.lost, LOSE: loss.lost},
        answer={**changes, LOSE: loss.lost} if changes else {},
    )


def _divided(
    figures: Sequence[SurvivorFigure],
) -> tuple[list[SurvivorFigure], list[SurvivorFigure]]:
    """Return the figures of the card and the further ones, of which there are none or several."""
    if len(figures) <= MOST_FIGURES + 1:
        return list(figures), []
    order = sorted(figures, key=lambda one: (not one.fails, not one.until_failure))
    first = order[:MOST_FIGURES]
    return first, [one for one in figures if one not in first]


def _further_words(figures: Sequence[SurvivorFigure]) -> str:
    failing = sum(one.fails for one in figures)
    return f"{counted(len(figures), 'more figure')}, {figure(failing)} past a limit"


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}"


def _figure(loss: Loss, cell: LossCell) -> SurvivorFigure:
    return SurvivorFigure(
        survivor=name_of(cell.survivor),
        quantity=cell.quantity.label,
        subject=cell.subject,
        before=quantity(cell.before, cell.unit) if before_text(cell) else None,
        today=quantity(cell.today, cell.unit),
        limit=quantity(cell.limit, cell.unit),
        at_horizon=quantity(cell.at_horizon, cell.unit),
        fails=cell.fails,
        fails_from=short_day(cell.fails_from) if cell.fails_from else "",
        planned=_done(cell, loss.planned_cells),
        changed=_done(cell, loss.changed_cells),
        until_failure=stops_text(cell),
        rule_id=cell.rule_id,
    )


def _done(cell: LossCell, cells: Sequence[LossCell]) -> str:
    found = [each for each in cells if each.key == cell.key] if cell.fails else []
    return state_text(found[0]) if found else ""
