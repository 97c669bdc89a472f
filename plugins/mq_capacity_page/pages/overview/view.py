"""The overview: counts, what changed, how complete the data are, the heat table and the list."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Final

from mq_capacity_page.pages import answers
from mq_capacity_page.pages.completeness.view import LOOKS, StateLook
from mq_capacity_page.web.context import Site
from mqcap.domain.feed import data_findings
from mqcap.domain.finding import Severity
from mqcap.presentation import fleet
from mqcap.presentation.date_changes import why_moved
from mqcap.presentation.fleet import FleetLine
from mqcap.presentation.heat_table import HeatRow, HeatTable, heat_table
from mqcap.reports.day_over_day import Change, Turn, changes, reasoned
from mqcap.store.feeds import read_feeds
from mqcap.store.findings import previous_findings_date, read_finding_summaries

FIRST_ROWS: Final = 60
"""Rows of the list until the reader asks for all: more would only delay the urgent ones."""
FIRST_OWNERS: Final = 40
"""The same for the heat table."""
FIRST_CHANGES: Final = 6


class OverviewView(answers.View):
    """All that the template prints."""

    filters: fleet.Filters
    lines: Sequence[FleetLine]
    found: int
    """Lines that pass the filters; ``lines`` may be fewer."""
    counts: dict[Severity, int]
    """Of the lines that pass every filter but severity."""
    total: int
    hidden: int
    choices: fleet.Choices
    heat: HeatTable
    owners: Sequence[HeatRow]
    before: date | None
    """The judged day before, with which the changes compare."""
    worse: Sequence[Change]
    better: Sequence[Change]
    shown_changes: int = FIRST_CHANGES
    coverage: answers.Coverage
    feeds: Sequence[tuple[StateLook, int]]
    """Feeds in each state that occurs; empty when completeness was not judged."""
    incomplete: int


def overview_view(site: Site, day: date, filters: fleet.Filters, rows: int) -> OverviewView:
    """The overview of a day; counts, heat table and changes obey the same filters as the list."""
    lines = answers.fleet_of(site, day)
    shown = fleet.chosen(lines, filters)
    heat = heat_table(shown)
    before = previous_findings_date(site.engine, day)
    news = _changes(site, before, shown)
    feeds = read_feeds(site.engine, day)
    states = [(look, sum(one.state is state for one in feeds)) for state, look in LOOKS.items()]
    return OverviewView(
        filters=filters,
        lines=shown[:rows],
        found=len(shown),
        counts=fleet.counts(fleet.chosen(lines, filters.model_copy(update={"severity": ""}))),
        total=len(lines),
        hidden=fleet.hidden_by_class(lines, filters),
        choices=fleet.choices(lines),
        heat=heat,
        owners=heat.rows if rows > FIRST_ROWS else heat.rows[:FIRST_OWNERS],
        before=before,
        worse=_turned(site, before, news, Turn.worse),
        better=_turned(site, before, news, Turn.better),
        coverage=answers.coverage(site, day),
        feeds=[(look, count) for look, count in states if count],
        incomplete=len(data_findings(feeds)),
    )


def _changes(site: Site, before: date | None, lines: Sequence[FleetLine]) -> list[Change]:
    if before is None:
        return []
    standings = read_finding_summaries(site.engine, before)
    return changes(lines, standings, site.settings.alerts.worse_by_days)


def _turned(site: Site, before: date | None, news: Sequence[Change], turn: Turn) -> list[Change]:
    """Changes of one kind; those that are shown with the reason why a date moved."""
    found = [one for one in news if one.turn is turn]
    if before is None:
        return found
    shown = reasoned(found[:FIRST_CHANGES], why_moved(site.engine, before))
    return [*shown, *found[FIRST_CHANGES:]]
