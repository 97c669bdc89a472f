"""Resource: its row, its chart, its rules, and what its plan rests on."""

from collections.abc import Sequence
from datetime import date
from typing import Final

from mq_capacity_page.pages.board.view import board_rows
from mq_capacity_page.pages.series.panel import PanelQuery
from mq_capacity_page.pages.series.view import series_block
from mq_capacity_page.pages.whatif.fields import LOSE
from mq_capacity_page.pages.whatif.form import parameters_of
from mq_capacity_page.queries import fleet_lines_on
from mq_capacity_page.web.context import PageContext, View
from mqcap.domain.metric import Statistic
from mqcap.domain.subject import Subject
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


def shown_loss(context: PageContext, path: str, day: date) -> View | None:
    """Return the loss that a path is about; ``None`` for other resources.

    ``question`` has the parameters of the what-if form that loses it, ``answer`` those that lose it
    with its changes and the plans of the day; empty without changes.
    """
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
    return View(
        lost=lost,
        consequence=consequence(loss),
        figures=[_figure(loss, cell) for cell in cells[:MOST_FIGURES]],
        further=max(0, len(cells) - MOST_FIGURES),
        assumptions=loss.assumptions,
        question={"subject": lost, LOSE: lost},
        answer={**changes, LOSE: lost} if changes else {},
    )


def _figure(loss: Loss, cell: LossCell) -> View:
    planned = [same for same in loss.planned_cells if same.key == cell.key] if cell.fails else []
    return View(
        survivor=f"{cell.survivor.name} {cell.quantity.label}",
        of_limit=amount_text(cell),
        fails=cell.fails,
        fails_from=short_day(cell.fails_from) if cell.fails_from else "",
        with_plans=state_text(planned[0]) if planned else "",
        work_stops=stops_text(cell),
    )


MOST_CHARTED: Final = 4
"""Rules whose figures are offered for the chart (ours)."""


def resource_view(
    context: PageContext,
    path: str,
    day: date,
    query: PanelQuery,
    statistic: Statistic | None = None,
) -> View | None:
    """Return one resource; ``None`` where no rule and no plan is about it.

    Its ``row`` is that of the board, ``None`` where nothing is to be decided; ``block`` is ``None``
    where no series is compared with a limit of it; ``charted`` are rules that a chart can show.
    """
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
    return View(
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
