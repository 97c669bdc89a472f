"""Notes, stops, releases and excluded days of a series, read for its chart."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final

from mq_capacity_page.charts.marks import ChartMarks, DayMark, release_marks, stop_marks
from mq_capacity_page.web.context import PageContext
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import SERIES_SEPARATOR
from mqcap.presentation import dates
from mqcap.store.annotations import annotations_of
from mqcap.store.console_states import read_states
from mqcap.store.feeds import feeds_of_subjects
from mqcap.store.models import Observation, SeriesFacts
from sizing.rulebook.registry import all_rules

MARK_DAYS: Final = 400
"""Marks of so many days up to the one shown are read (ours)."""
LEVEL_SHIFT_TEXT: Final = "level shift: from here on the forecast uses the new level"
EXCLUSION_TEXT: Final = {
    "outage": (
        "excluded: not above zero, unlike nearly all other days (an outage, or a counter reset)"
    ),
    "spike": "excluded: far from the weeks around it, isolated, and without a like in other months",
}


def chart_marks(
    context: PageContext,
    subject: str,
    last: date,
    first: date | None = None,
    metric: str = "",
) -> ChartMarks:
    """Return notes and known changes of a subject and its parents, and stops of its feeds.

    With a ``metric``, what the console reported of the resources of rules that watch it, too.
    ``first`` defaults to ``MARK_DAYS`` before ``last``.
    """
    begin = first or last - timedelta(days=MARK_DAYS)
    parts = subject.split(SERIES_SEPARATOR)
    senders = {SERIES_SEPARATOR.join(parts[:count]) for count in range(2, len(parts) + 1)}
    feeds = feeds_of_subjects(context.engine, senders, begin, last)
    written = annotations_of(context.engine, subject, last)
    return ChartMarks(
        notes=[note for note in written if note.last_date >= begin],
        stops=stop_marks(feeds),
        releases=release_marks(feeds),
        changes=_known_changes(context, subject, begin, last),
        states=_console_states(context, metric, subject, begin, last),
    )


def with_cleaning(
    marks: ChartMarks,
    context: PageContext,
    facts: SeriesFacts,
    forecast: Forecast | None,
    days: Sequence[Observation],
) -> ChartMarks:
    """Return the marks with the days that a forecast excludes and the level shifts it detects.

    Nothing is added for a series without a forecast.
    """
    if forecast is None:
        return marks
    from mqcap.rulebook.cleaned_history import cleaning  # noqa: PLC0415 - imports the forecasts

    statistic = forecast.statistic
    cleaned = cleaning(context.settings, facts, statistic, days, forecast.cutoff_date)
    values = {day.site_date: float(getattr(day, statistic)) for day in days}
    return marks._replace(
        removed=[
            DayMark(day, EXCLUSION_TEXT[why], values.get(day)) for day, why in cleaned.removed
        ],
        shifts=[
            DayMark(day, LEVEL_SHIFT_TEXT) for day in cleaned.shifts if day not in cleaned.known
        ],
    )


def _known_changes(context: PageContext, subject: str, first: date, last: date) -> list[DayMark]:
    root = subject.split(SERIES_SEPARATOR, maxsplit=1)[0]
    stated = [
        change
        for part in context.settings.estate
        if part.root == root
        for change in part.known_changes
        if first <= change.day <= last and change.concerns(subject)
    ]
    return [
        DayMark(change.day, change.what or "change listed in the estate")
        for change in sorted(stated, key=lambda change: change.day)
    ]


def _console_states(
    context: PageContext, metric: str, subject: str, first: date, last: date
) -> list[DayMark]:
    """Return the states that began in the time, of every resource whose rules watch the metric."""
    resources = {
        rule.resource_of(subject).path
        for rule in all_rules().values()
        if rule.series is not None and rule.series.metric == metric
    }
    if not resources:
        return []
    return [
        DayMark(
            state.site_date,
            f"{state.state} ({state.message_id}, {dates.instant(state.first_utc, subject)})",
            at_utc=state.first_utc,
        )
        for state in read_states(context.engine, first, last)
        if state.site_date >= first and state.resource.path in resources
    ]
