"""What the overview says of a day under some filters, the same until a step ends."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from functools import lru_cache, partial
from typing import Final, NamedTuple

from sqlalchemy import Engine

from mq_capacity_page import queries
from mq_capacity_page.pages.completeness.view import FEED_STATE_STYLES, FeedStateStyle
from mq_capacity_page.pages.plan.cards import PlansByKey, plans_by_key, plans_of_lines
from mq_capacity_page.web.context import PageContext, current_context
from mq_capacity_page.web.page_frame import ViewModel
from mqcap.domain.feed import FeedDay, data_findings
from mqcap.domain.finding import Severity
from mqcap.domain.numbers import counted
from mqcap.domain.plan import Plan, plan_order
from mqcap.domain.resource import ResourceKind
from mqcap.losses.model import Loss
from mqcap.losses.text.as_plan import plans_of_losses
from mqcap.losses.text.tables import one_of_each_loss
from mqcap.presentation import display_units, fleet
from mqcap.presentation.count_text import check_words, plan_count_words, urgent_words
from mqcap.presentation.date_changes import why_moved
from mqcap.presentation.display_units import Rate
from mqcap.presentation.fleet import FleetLine
from mqcap.presentation.heat_table import HeatTable, RowKind, heat_table
from mqcap.reports.day_over_day import DayChange, Turn, changes, reasoned
from mqcap.store.feeds import read_feeds
from mqcap.store.findings import previous_findings_date
from mqcap.store.losses import read_losses
from mqcap.store.observations import count_measured_series
from mqcap.store.plans import read_plans
from mqcap.store.series import count_known_series
from mqcap.store.step_runs import last_step_ended_at

FIRST_CHANGES: Final = 6
"""Changes of each direction that are shown with their reason."""
KEPT_DAYS: Final = 2
"""Days whose lines, one for each loss, and plans are kept in memory, as those of the queries."""
KEPT_SELECTIONS: Final = 8
"""Days and filters that are kept: the newest day and what a few readers look at (ours)."""


class SeriesCoverage(ViewModel):
    """Number of series with a value on a day, of all series known by then."""

    measured: int
    known: int


class DayOverview(NamedTuple):
    """Lines, plans and losses of a day, whatever the filters."""

    lines: Sequence[FleetLine]
    plans: Sequence[Plan]
    losses: Sequence[Plan]
    """Losses in the form of plans."""
    choices: fleet.Choices
    urgent_words: str
    check_words: str
    coverage: SeriesCoverage
    feeds: list[FeedDay]
    before: date | None
    """The evaluated day before."""


class Selection(NamedTuple):
    """The part of a day that passes some filters; what people enter meanwhile is not in it."""

    day: DayOverview
    matches: Sequence[FleetLine]
    counts: dict[Severity, int]
    """Of the lines that pass every filter but severity."""
    hidden: int
    """Lines that only the filter by system class hides."""
    heat: HeatTable
    heats: Sequence[tuple[RowKind, HeatTable]]
    plans: Sequence[Plan]
    """Plans of these lines and of losses among them, production first, each in ``plan_order``."""
    by_key: PlansByKey
    worse: Sequence[DayChange]
    better: Sequence[DayChange]

    @property
    def feeds(self) -> list[tuple[FeedStateStyle, int]]:
        """Feeds in each state that occurs."""
        states = [feed.state for feed in self.day.feeds]
        counted = ((style, states.count(state)) for state, style in FEED_STATE_STYLES.items())
        return [(style, count) for style, count in counted if count]

    @property
    def plan_words(self) -> str:
        """How many plans there are, how many pass the filters, and how many losses do."""
        shown = [plan for plan in self.plans if plan.kind != ResourceKind.loss]
        words, lost = plan_words(self.day.plans, shown), len(self.plans) - len(shown)
        return f"{words}; and {counted(lost, 'loss', 'losses')}" if lost else words

    def data_finding_count(self, *, incomplete: bool) -> int:
        """Return how many feeds lack records, or how many figures differ between two sources."""
        found = data_findings(self.day.feeds)
        return sum(feed.is_incomplete is incomplete for feed in found)


def selection_on(context: PageContext, day: date, filters: fleet.Filters) -> Selection:
    """Return the part of a day that passes the filters; kept in memory until a step ends."""
    changed = last_step_ended_at(context.engine)
    if changed is None:
        return _selection(context, day_overview(context, day), filters)
    return _kept(context.engine, day, filters, display_units.current().rate, changed)


@lru_cache(maxsize=KEPT_SELECTIONS)
def _kept(
    engine: Engine, day: date, filters: fleet.Filters, _rate: Rate, changed: datetime
) -> Selection:
    every = _kept_day(engine, day, changed)
    return _selection(PageContext(current_context().settings, engine), every, filters)


@lru_cache(maxsize=KEPT_DAYS)
def _kept_day(engine: Engine, day: date, _changed: datetime) -> DayOverview:
    return day_overview(PageContext(current_context().settings, engine), day)


def day_overview(context: PageContext, day: date) -> DayOverview:
    """Return what the overview of a day has under any filters."""
    losses: list[Loss] = read_losses(context.engine, day)
    lines = one_of_each_loss(queries.fleet_lines_on(context, day), losses)
    plans = read_plans(context.engine, day)
    return DayOverview(
        lines=lines,
        plans=plans,
        losses=plans_of_losses(losses),
        choices=fleet.choices(lines),
        urgent_words=urgent_words(lines, plans),
        check_words=check_words(lines),
        coverage=series_coverage(context, day),
        feeds=read_feeds(context.engine, day),
        before=previous_findings_date(context.engine, day),
    )


def _selection(context: PageContext, every: DayOverview, filters: fleet.Filters) -> Selection:
    of_any_severity = fleet.chosen(every.lines, filters.model_copy(update={"severity": ""}))
    matches = fleet.chosen(of_any_severity, filters) if filters.severity else of_any_severity
    by_key = plans_by_key([*every.plans, *every.losses], of_any_severity)
    heat = heat_table(matches, lambda line: by_key.get(line.key))
    ordered = sorted([*every.plans, *every.losses], key=plan_order)
    plans = plans_of_lines(ordered, of_any_severity, by_key)
    changed = _changes(context, every.before, matches)
    return Selection(
        day=every,
        matches=matches,
        counts=fleet.counts(of_any_severity),
        hidden=fleet.hidden_by_class(every.lines, filters),
        heat=heat,
        heats=heat.by_kind(),
        plans=[plan for plan, _ in plans if filters.severity in {"", plan.severity.value}],
        by_key=by_key,
        worse=_of_direction(context, every.before, changed, Turn.worse),
        better=_of_direction(context, every.before, changed, Turn.better),
    )


def plan_words(plans: Sequence[Plan], shown: Sequence[Plan]) -> str:
    """Return how many plans there are: ``12 plans (production); all: 13``.

    ``shown``: those that pass the filters, counted where they are others than production's.
    """
    words = plan_count_words(plans)
    production = {plan.resource for plan in plans if plan.is_production}
    is_same = {plan.resource for plan in shown} == production
    return words if is_same else f"{words}; {len(shown)} of these filters"


def series_coverage(context: PageContext, day: date) -> SeriesCoverage:
    """Return how many of the series known by that day have a value on it."""
    measured = count_measured_series(context.engine, day)
    known = max(count_known_series(context.engine, day), measured)
    return SeriesCoverage(measured=measured, known=known)


def _changes(
    context: PageContext, before: date | None, lines: Iterable[FleetLine]
) -> list[DayChange]:
    if before is None:
        return []
    summaries = queries.finding_summaries_on(context, before)
    return changes(lines, summaries, context.settings.alerts.worse_by_days)


def _of_direction(
    context: PageContext, before: date | None, changed: Sequence[DayChange], turn: Turn
) -> list[DayChange]:
    """Return changes of one direction; the first ones with the reason why a date moved."""
    matches = [change for change in changed if change.turn is turn]
    if before is None:
        return matches
    shown = reasoned(matches[:FIRST_CHANGES], partial(why_moved, context.engine, before))
    return [*shown, *matches[FIRST_CHANGES:]]
