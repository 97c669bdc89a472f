"""What survivors carry when a part is lost, as a part of the page of that loss."""

from collections.abc import Sequence
from datetime import date
from typing import Final

from mq_capacity_page.pages.whatif.fields import LOSE
from mq_capacity_page.pages.whatif.further import parameters_of
from mq_capacity_page.web.context import PageContext
from mq_capacity_page.web.page_frame import ViewModel
from mqcap.domain.subject import Subject
from mqcap.losses.cell import LossCell
from mqcap.losses.model import Loss, with_plans
from mqcap.losses.text.figures import amount_text, state_text, stops_text
from mqcap.losses.text.sentences import consequence
from mqcap.presentation.dates import short_day
from mqcap.store.plans import read_losses, read_plans

LOSS: Final = "/loss"
MOST_FIGURES: Final = 5
"""Figures of survivors that are shown, those that decide first (ours)."""


class SurvivorFigure(ViewModel):
    """One quantity of one survivor, as printed."""

    survivor: str
    of_limit: str
    fails: bool
    fails_from: str
    """The first day on which it fails; empty where it does not."""
    with_plans: str
    """Figure and limit with the plans of the day; empty where nothing fails, or without."""
    work_stops: str


class ShownLoss(ViewModel):
    """The loss of one part."""

    lost: str
    consequence: str
    figures: Sequence[SurvivorFigure]
    further: int
    assumptions: Sequence[str]
    question: dict[str, str]
    """Parameters of the what-if form that loses it."""
    answer: dict[str, str]
    """Those that lose it with the changes and the plans of the day; empty without changes."""


def shown_loss(context: PageContext, path: str, day: date) -> ShownLoss | None:
    """Return the loss that a path is about; ``None`` for other resources."""
    if not path.endswith(LOSS):
        return None
    lost = path.removesuffix(LOSS)
    found = [loss for loss in read_losses(context.engine, day) if loss.lost == lost]
    if not found:
        return None
    loss = found[0]
    changes = {}
    if loss.changes is not None:
        changes = parameters_of(with_plans(loss, read_plans(context.engine, day)))
    deciding = loss.decisive_cells
    cells = sorted(loss.cells, key=lambda cell: (cell in deciding, cell.shown_rank), reverse=True)
    return ShownLoss(
        lost=lost,
        consequence=consequence(loss),
        figures=[_figure(loss, cell) for cell in cells[:MOST_FIGURES]],
        further=max(0, len(cells) - MOST_FIGURES),
        assumptions=loss.assumptions,
        question={"subject": lost, LOSE: lost},
        answer={**changes, LOSE: lost} if changes else {},
    )


def _figure(loss: Loss, cell: LossCell) -> SurvivorFigure:
    planned = [each for each in loss.planned_cells if each.key == cell.key] if cell.fails else []
    return SurvivorFigure(
        survivor=f"{Subject(cell.survivor).name} {cell.quantity.label}",
        of_limit=amount_text(cell),
        fails=cell.fails,
        fails_from=short_day(cell.fails_from) if cell.fails_from else "",
        with_plans=state_text(planned[0]) if planned else "",
        work_stops=stops_text(cell),
    )
