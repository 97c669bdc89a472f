"""The overview: plans, counts, changes, completeness, the heat table and the findings."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Final

from mq_capacity_page.pages.completeness.view import FeedStateStyle
from mq_capacity_page.pages.overview.selection import (
    FIRST_CHANGES,
    SeriesCoverage,
    selection_on,
)
from mq_capacity_page.pages.plan.cards import PlanCard, PlansByKey
from mq_capacity_page.web.context import PageContext
from mq_capacity_page.web.page_frame import ViewModel
from mqcap.domain.finding import Severity
from mqcap.notifications.acknowledged_resources import acknowledged_last, acknowledged_plans
from mqcap.presentation import fleet
from mqcap.presentation.fleet import FleetLine
from mqcap.presentation.heat_table import HeatTable, RowKind
from mqcap.reports.day_over_day import DayChange

FIRST_ROWS: Final = 25
"""Rows of the list until all are requested: the page then has at most six screens (ours)."""
MOST_ROWS: Final = 1_000
"""Rows of the list and of the heat table, and cards, when all are requested: nobody reads on, and
a file has all (ours)."""
FIRST_PLANS: Final = 12
"""Cards until all are requested: four rows of a wide screen (ours)."""
PHONE_PLANS: Final = 4
"""The same on a narrow screen, where the style sheet hides the further ones (ours)."""
FIRST_OWNERS: Final = 40
"""The same for the heat table."""


class OverviewView(ViewModel):
    """The overview of one day."""

    filters: fleet.Filters
    cards: Sequence[PlanCard]
    """Of plans and of losses, production first, acknowledged ones last."""
    plan_count: int
    """Plans and losses that pass the filters; ``cards`` may be fewer."""
    plan_words: str
    """How many plans there are, and of what."""
    """Teams whose mandatory changes are too many hours of work, a sentence each."""
    plans: PlansByKey
    """The plan of the resource of each line, by its key."""
    lines: Sequence[FleetLine]
    match_count: int
    """Findings that pass the filters; ``lines`` may be fewer."""
    counts: dict[Severity, int]
    """Of the findings that pass every filter but severity."""
    urgent_words: str
    """How many findings are to act on and to watch, in how many plans, as every channel says."""
    check_words: str
    """How many checks are in order, are suggestions and could not be made, likewise."""
    total: int
    hidden: int
    """Findings that only the filter by system class hides."""
    choices: fleet.Choices
    severities: Sequence[Severity] = tuple(sorted(Severity, key=lambda level: -level.rank))
    heat: HeatTable
    heats: Sequence[tuple[RowKind, HeatTable]]
    """The same as a table for each kind of row."""
    owners: frozenset[str]
    """Subjects of the rows that are shown, the most urgent ones of all kinds."""
    before: date | None
    """The evaluated day before, with which the changes compare; ``None`` without one."""
    worse: Sequence[DayChange]
    better: Sequence[DayChange]
    shown_changes: int = FIRST_CHANGES
    first_rows: int = FIRST_ROWS
    most_rows: int
    """Rows when all are requested."""
    phone_cards: int = PHONE_PLANS
    is_complete: bool
    """Whether all rows were requested."""
    coverage: SeriesCoverage
    feeds: Sequence[tuple[FeedStateStyle, int]]
    """Feeds in each state that occurs; empty when completeness was not evaluated."""
    incomplete: int
    """Data findings about missing records."""
    differing: int
    """Data findings about two sources of one figure."""


def overview_view(
    context: PageContext, day: date, filters: fleet.Filters, rows: int
) -> OverviewView:
    """Return the overview; counts, heat table and changes obey the same filters as the list."""
    selection = selection_on(context, day, filters)
    every = selection.day
    is_complete = rows > FIRST_ROWS
    acknowledged = acknowledged_plans(context.engine, [*every.plans, *every.losses], day)
    plans = acknowledged_last(selection.plans, acknowledged)
    shown = plans[: MOST_ROWS if is_complete else FIRST_PLANS]
    owners = selection.heat.rows[: MOST_ROWS if is_complete else FIRST_OWNERS]
    lines = selection.matches[: min(rows, MOST_ROWS)]
    return OverviewView(
        filters=filters,
        most_rows=MOST_ROWS,
        is_complete=is_complete,
        cards=[PlanCard.of(plan, acknowledged.get(plan.resource)) for plan in shown],
        plan_count=len(plans),
        plan_words=selection.plan_words,
        plans=selection.by_key,
        lines=fleet.with_last_values(context.engine, day, lines),
        match_count=len(selection.matches),
        counts=selection.counts,
        urgent_words=every.urgent_words,
        check_words=every.check_words,
        total=len(every.lines),
        hidden=selection.hidden,
        choices=every.choices,
        heat=selection.heat,
        heats=selection.heats,
        owners=frozenset(row.subject for row in owners),
        before=every.before,
        worse=selection.worse,
        better=selection.better,
        coverage=every.coverage,
        feeds=selection.feeds,
        incomplete=selection.data_finding_count(incomplete=True),
        differing=selection.data_finding_count(incomplete=False),
    )
