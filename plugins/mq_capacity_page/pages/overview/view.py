"""The overview: counts, changes, completeness, the heat table and the list of findings."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Final

from mq_capacity_page.pages.completeness.view import FEED_STATE_STYLES, FeedStateStyle
from mq_capacity_page.queries import fleet_lines_on
from mq_capacity_page.web.context import PageContext
from mq_capacity_page.web.page_frame import ViewModel
from mqcap.domain.feed import data_findings
from mqcap.domain.finding import Severity
from mqcap.presentation import fleet
from mqcap.presentation.date_changes import why_moved
from mqcap.presentation.fleet import FleetLine
from mqcap.presentation.heat_table import HeatRow, HeatTable, heat_table
from mqcap.reports.day_over_day import DayChange, Turn, changes, reasoned
from mqcap.store.feeds import read_feeds
from mqcap.store.findings import previous_findings_date, read_finding_summaries
from mqcap.store.observations import count_measured_series
from mqcap.store.series import count_known_series

FIRST_ROWS: Final = 60
"""Rows of the list until all are requested: more would only delay the urgent ones."""
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
    lines: Sequence[FleetLine]
    match_count: int
    """Findings that pass the filters; ``lines`` may be fewer."""
    counts: dict[Severity, int]
    """Of the findings that pass every filter but severity."""
    count_words: str
    """The same count of what is urgent as in reports and on the command line."""
    total: int
    hidden: int
    """Findings that only the filter by system class hides."""
    choices: fleet.Choices
    severities: Sequence[Severity] = tuple(sorted(Severity, key=lambda level: -level.rank))
    heat: HeatTable
    owners: Sequence[HeatRow]
    before: date | None
    """The evaluated day before, with which the changes compare; ``None`` without one."""
    worse: Sequence[DayChange]
    better: Sequence[DayChange]
    shown_changes: int = FIRST_CHANGES
    coverage: SeriesCoverage
    feeds: Sequence[tuple[FeedStateStyle, int]]
    """Feeds in each state that occurs; empty when completeness was not evaluated."""
    incomplete: int


def overview_view(
    context: PageContext, day: date, filters: fleet.Filters, rows: int
) -> OverviewView:
    """Return the overview; counts, heat table and changes obey the same filters as the list."""
    lines = fleet_lines_on(context, day)
    matches = fleet.chosen(lines, filters)
    heat = heat_table(matches)
    before = previous_findings_date(context.engine, day)
    changed = _changes(context, before, matches)
    feeds = read_feeds(context.engine, day)
    states = [
        (style, sum(feed.state is state for feed in feeds))
        for state, style in FEED_STATE_STYLES.items()
    ]
    return OverviewView(
        filters=filters,
        lines=matches[:rows],
        match_count=len(matches),
        counts=fleet.counts(fleet.chosen(lines, filters.model_copy(update={"severity": ""}))),
        count_words=fleet.count_words(lines),
        total=len(lines),
        hidden=fleet.hidden_by_class(lines, filters),
        choices=fleet.choices(lines),
        heat=heat,
        owners=heat.rows if rows > FIRST_ROWS else heat.rows[:FIRST_OWNERS],
        before=before,
        worse=_of_direction(context, before, changed, Turn.worse),
        better=_of_direction(context, before, changed, Turn.better),
        coverage=series_coverage(context, day),
        feeds=[(style, count) for style, count in states if count],
        incomplete=len(data_findings(feeds)),
    )


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
    summaries = read_finding_summaries(context.engine, before)
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
