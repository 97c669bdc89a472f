"""Resource: its row, its chart, its rules, and what its plan rests on."""

from collections.abc import Sequence
from datetime import date
from typing import Final

from mq_capacity_page.pages.board.view import BoardRow, board_rows
from mq_capacity_page.pages.series.panel import PanelQuery
from mq_capacity_page.pages.series.view import SeriesBlock, series_block
from mq_capacity_page.pages.whatif.fields import LOSE
from mq_capacity_page.pages.whatif.form import parameters_of
from mq_capacity_page.queries import fleet_lines_on
from mq_capacity_page.web.context import PageContext, ViewModel
from mqcap.domain.metric import Statistic
from mqcap.domain.plan import Plan
from mqcap.domain.subject import Subject
from mqcap.domain.ticket import Ticket
from mqcap.losses.cell import LossCell
from mqcap.losses.model import Loss, with_plans
from mqcap.losses.text.sentences import amount_text, consequence, state_text, stops_text
from mqcap.presentation.dates import short_day
from mqcap.presentation.fleet import FleetLine
from mqcap.presentation.plan_summary import PlanSummary
from mqcap.queries.resources import resource_name, resource_path
from mqcap.queries.summaries import kept_summaries_on
from mqcap.store.plans import find_plan, read_losses, read_plans
from mqcap.store.series import find_series

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
    losses = read_losses(context.engine, day)
    loss = next((loss for loss in losses if loss.lost == lost), None)
    if loss is None:
        return None
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
    planned = [same for same in loss.planned_cells if same.key == cell.key] if cell.fails else []
    return SurvivorFigure(
        survivor=f"{cell.survivor.name} {cell.quantity.label}",
        of_limit=amount_text(cell),
        fails=cell.fails,
        fails_from=short_day(cell.fails_from) if cell.fails_from else "",
        with_plans=state_text(planned[0]) if planned else "",
        work_stops=stops_text(cell),
    )


MOST_CHARTED: Final = 4
"""Rules whose figures are offered for the chart (ours)."""


class ResourceView(ViewModel):
    """One resource on a day."""

    path: str
    name: str
    owner_subject: str
    row: BoardRow | None
    """Its row of the board; ``None`` where nothing is to be decided."""
    plan: Plan | None
    lines: Sequence[FleetLine]
    """Findings about it, most urgent first."""
    block: SeriesBlock | None
    """``None`` where no series is compared with a limit of it."""
    rule: str
    """The rule whose figure the chart shows; empty without a chart."""
    charted: Sequence[tuple[str, str]]
    """Id and title of the rules whose figure a chart can show, most urgent first."""
    tickets: Sequence[Ticket]
    loss: ShownLoss | None


def resource_view(
    context: PageContext,
    path: str,
    day: date,
    query: PanelQuery,
    statistic: Statistic | None = None,
) -> ResourceView | None:
    """Return one resource; ``None`` where no rule and no plan is about it."""
    owner = Subject(path).owner
    every = fleet_lines_on(context, day, owner)
    lines = [line for line in every if resource_path(line.finding.key) == path]
    summaries = kept_summaries_on(context.engine, day, context.settings)
    row = next((summary for summary in summaries if summary.resource == path), None)
    if not lines and row is None:
        return None
    chosen = charted(row, lines, query)
    facts = find_series(context.engine, chosen[0]) if chosen else None
    block = None
    if chosen and facts:
        shown = query._replace(statistic=statistic or chosen[1], rule=chosen[2])
        block = series_block(context, facts, day, shown)
    tickets = [line.ticket for line in lines if line.ticket]
    return ResourceView(
        path=path,
        name=row.title if row else resource_name(lines[0].finding.key),
        owner_subject=owner,
        row=board_rows(context, day, [row])[0] if row else None,
        plan=find_plan(context.engine, path, day),
        lines=lines,
        block=block,
        rule=chosen[2] if chosen else "",
        charted=[
            (line.finding.rule_id, line.finding.title) for line in lines if line.finding.series_id
        ][:MOST_CHARTED],
        tickets=list({ticket.dedupe_key: ticket for ticket in tickets}.values()),
        loss=shown_loss(context, path, day),
    )


def charted(
    row: PlanSummary | None, lines: Sequence[FleetLine], query: PanelQuery
) -> tuple[str, Statistic, str] | None:
    """Return series, statistic and rule of the chart: asked for, else of the row or worst."""
    with_series = [line.finding for line in lines if line.finding.series_id]
    named = [line for line in with_series if line.rule_id == query.rule]
    if not named and row is not None and row.series is not None:
        return row.series.series_id, row.series.statistic, row.rule_id
    for each in named or with_series:
        if each.series_id is not None:
            return each.series_id, each.statistic or Statistic.peak, each.rule_id
    return None
