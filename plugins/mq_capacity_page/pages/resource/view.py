"""Resource: its row, its chart, its rules, and what its plan rests on."""

from collections.abc import Sequence
from datetime import date
from typing import Final

from mq_capacity_page.pages.board.view import BoardRow, board_rows
from mq_capacity_page.pages.resource.loss import ShownLoss, shown_loss
from mq_capacity_page.pages.series.block import SeriesBlock, series_block
from mq_capacity_page.pages.series.panel import PanelQuery
from mq_capacity_page.queries import fleet_lines_on
from mq_capacity_page.web.context import PageContext
from mq_capacity_page.web.page_frame import ViewModel
from mqcap.domain.metric import Statistic
from mqcap.domain.plan import Plan
from mqcap.domain.subject import Subject
from mqcap.domain.ticket import Ticket
from mqcap.presentation.fleet import FleetLine
from mqcap.presentation.plan_summary import PlanSummary
from mqcap.queries.resources import resource_name, resource_path
from mqcap.queries.summaries import kept_summaries_on
from mqcap.store.plans import find_plan
from mqcap.store.series import find_series

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
    summaries = [
        row
        for row in kept_summaries_on(context.engine, day, context.settings)
        if row.resource == path
    ]
    if not lines and not summaries:
        return None
    row = summaries[0] if summaries else None
    chosen = charted(row, lines, query)
    tickets = [line.ticket for line in lines if line.ticket]
    return ResourceView(
        path=path,
        name=row.title if row else resource_name(lines[0].finding.key),
        owner_subject=owner,
        row=board_rows(context, day, [row])[0] if row else None,
        plan=find_plan(context.engine, path, day),
        lines=lines,
        block=_block(context, day, chosen, query, statistic),
        rule=chosen[2] if chosen else "",
        charted=[
            (line.finding.rule_id, line.finding.title) for line in lines if line.finding.series_id
        ][:MOST_CHARTED],
        tickets=list({ticket.dedupe_key: ticket for ticket in tickets}.values()),
        loss=shown_loss(context, path, day),
    )


def _block(
    context: PageContext,
    day: date,
    chosen: tuple[str, Statistic, str] | None,
    query: PanelQuery,
    statistic: Statistic | None,
) -> SeriesBlock | None:
    facts = find_series(context.engine, chosen[0]) if chosen else None
    if chosen is None or facts is None:
        return None
    shown = query._replace(statistic=statistic or chosen[1], rule=chosen[2])
    return series_block(context, facts, day, shown)


def charted(
    row: PlanSummary | None, lines: Sequence[FleetLine], query: PanelQuery
) -> tuple[str, Statistic, str] | None:
    """Return series, statistic and rule of the chart: asked for, else of the row or worst."""
    with_series = [line.finding for line in lines if line.finding.series_id]
    named = [each for each in with_series if each.rule_id == query.rule]
    if not named and row is not None and row.series is not None:
        return row.series.series_id, row.series.statistic, row.rule_id
    for each in named or with_series:
        if each.series_id is not None:
            return each.series_id, each.statistic or Statistic.peak, each.rule_id
    return None
