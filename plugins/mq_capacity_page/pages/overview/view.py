"""The overview: plans, counts, changes, completeness, the heat table and the findings."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Final

from mq_capacity_page.pages.completeness.view import FEED_STATE_STYLES, FeedStateStyle
from mq_capacity_page.pages.plan.cards import PlanCard, PlansByKey, plans_by_key, plans_of_lines
from mq_capacity_page.queries import finding_summaries_on, fleet_lines_on
from mq_capacity_page.web.context import PageContext
from mq_capacity_page.web.page_frame import ViewModel
from mqcap.domain.feed import data_findings
from mqcap.domain.finding import Severity
from mqcap.domain.plan import Plan
from mqcap.notifications.acknowledged_resources import acknowledged_last, acknowledged_plans
from mqcap.presentation import fleet
from mqcap.presentation.count_text import check_words, plan_count_words, urgent_words
from mqcap.presentation.date_changes import why_moved
from mqcap.presentation.fleet import FleetLine
from mqcap.presentation.heat_table import HeatTable, RowKind, heat_table
from mqcap.presentation.losses.lines import one_of_each_loss
from mqcap.presentation.losses.plan import plans_of_losses
from mqcap.reports.day_over_day import DayChange, Turn, changes, reasoned
from mqcap.store.feeds import read_feeds
from mqcap.store.findings import previous_findings_date
from mqcap.store.losses import read_losses
from mqcap.store.observations import count_measured_series
from mqcap.store.plans import read_plans
from mqcap.store.series import count_known_series

FIRST_ROWS: Final = 25
"""Rows of the list until all are requested: the page then has at most six screens (ours)."""
FIRST_PLANS: Final = 9
"""Cards until all are requested: three rows of a wide screen (ours)."""
PHONE_PLANS: Final = 4
"""The same on a narrow screen, where the style sheet hides the further ones (ours)."""
FIRST_OWNERS: Final = 40
"""The same for the heat table."""
FIRST_CHANGES: Final = 6
"""Changes of each direction that are shown with their reason."""


class SeriesCoverage(ViewModel):
    """Number of series with a value on a day, of all series known by then."""

    measured: int
    known: int


class OverviewView(ViewModel):
    """The overview of one day."""

    filters: fleet.Filters
    cards: Sequence[PlanCard]
    """Production first, acknowledged ones last."""
    plan_count: int
    """Plans that pass the filters; ``cards`` may be fewer."""
    plan_words: str
    """How many plans there are, and of what."""
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
    owners: Sequence[str]
    """Subjects of the rows that are shown, the most urgent ones of all kinds."""
    before: date | None
    """The evaluated day before, with which the changes compare; ``None`` without one."""
    worse: Sequence[DayChange]
    better: Sequence[DayChange]
    shown_changes: int = FIRST_CHANGES
    first_rows: int = FIRST_ROWS
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
    found_losses = read_losses(context.engine, day)
    lines = one_of_each_loss(fleet_lines_on(context, day), found_losses)
    matches = fleet.chosen(lines, filters)
    heat = heat_table(matches)
    before = previous_findings_date(context.engine, day)
    changed = _changes(context, before, matches)
    feeds = read_feeds(context.engine, day)
    found = data_findings(feeds)
    states = [
        (style, sum(feed.state is state for feed in feeds))
        for state, style in FEED_STATE_STYLES.items()
    ]
    is_complete = rows > FIRST_ROWS
    every = read_plans(context.engine, day)
    losses = plans_of_losses(found_losses)
    of_any_severity = fleet.chosen(lines, filters.model_copy(update={"severity": ""}))
    acknowledged = acknowledged_plans(context.engine, every, day)
    plans = acknowledged_last(_plans(every, of_any_severity, filters.severity), acknowledged)
    shown = plans if is_complete else plans[:FIRST_PLANS]
    return OverviewView(
        filters=filters,
        is_complete=is_complete,
        cards=[PlanCard.of(plan, acknowledged.get(plan.resource)) for plan in shown],
        plan_count=len(plans),
        plan_words=plan_words(every, plans),
        plans=plans_by_key([*every, *losses], of_any_severity),
        lines=fleet.with_last_values(context.engine, day, matches[:rows]),
        match_count=len(matches),
        counts=fleet.counts(of_any_severity),
        urgent_words=urgent_words(lines, every),
        check_words=check_words(lines),
        total=len(lines),
        hidden=fleet.hidden_by_class(lines, filters),
        choices=fleet.choices(lines),
        heat=heat,
        heats=heat.by_kind(),
        owners=[row.subject for row in (heat.rows if is_complete else heat.rows[:FIRST_OWNERS])],
        before=before,
        worse=_of_direction(context, before, changed, Turn.worse),
        better=_of_direction(context, before, changed, Turn.better),
        coverage=series_coverage(context, day),
        feeds=[(style, count) for style, count in states if count],
        incomplete=sum(feed.is_incomplete for feed in found),
        differing=sum(not feed.is_incomplete for feed in found),
    )


def plan_words(plans: Sequence[Plan], shown: Sequence[Plan]) -> str:
    """Return how many plans there are: ``12 plans (production); all: 13``.

    ``shown``: those that pass the filters, counted where they are others than production's.
    """
    words = plan_count_words(plans)
    production = {plan.resource for plan in plans if plan.is_production}
    is_same = {plan.resource for plan in shown} == production
    return words if is_same else f"{words}; {len(shown)} of these filters"


def _plans(plans: Sequence[Plan], lines: Sequence[FleetLine], severity: str) -> list[Plan]:
    """Return the plans of these lines, of one severity when it is given, production first."""
    return [
        plan for plan, _ in plans_of_lines(plans, lines) if severity in {"", plan.severity.value}
    ]


def series_coverage(context: PageContext, day: date) -> SeriesCoverage:
    """Return how many of the series known by that day have a value on it."""
    measured = count_measured_series(context.engine, day)
    known = max(count_known_series(context.engine, day), measured)
    return SeriesCoverage(measured=measured, known=known)


def _changes(
    context: PageContext, before: date | None, lines: Sequence[FleetLine]
) -> list[DayChange]:
    if before is None:
        return []
    summaries = finding_summaries_on(context, before)
    return changes(lines, summaries, context.settings.alerts.worse_by_days)


def _of_direction(
    context: PageContext, before: date | None, changed: Sequence[DayChange], turn: Turn
) -> list[DayChange]:
    """Return changes of one direction; the first ones with the reason why a date moved."""
    matches = [change for change in changed if change.turn is turn]
    if before is None:
        return matches
    shown = reasoned(matches[:FIRST_CHANGES], why_moved(context.engine, before))
    return [*shown, *matches[FIRST_CHANGES:]]
