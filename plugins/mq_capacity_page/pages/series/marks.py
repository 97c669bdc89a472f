"""Notes, stops, releases and excluded days of a series: events of its chart, and lists below it."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Final, NamedTuple

from mq_capacity_page.charts import Event, position
from mq_capacity_page.web.context import PageContext
from mqcap.domain.feed import FeedDay, FeedKind, GapCause
from mqcap.domain.forecast import Forecast
from mqcap.domain.subject import Subject
from mqcap.presentation import dates
from mqcap.rulebook.cleaned_history import cleaning
from mqcap.store.annotations import annotations_of
from mqcap.store.console_states import read_states
from mqcap.store.feeds import feeds_of_subjects
from mqcap.store.models import Observation, SeriesFacts
from sizing.rulebook.registry import all_rules

MARK_DAYS: Final = 400
"""Marks of so many days up to the one shown are read (ours)."""
STOP_WORDS: Final = {GapCause.stopped: "stopped", GapCause.restarted: "restarted"}
LEVEL_SHIFT_TEXT: Final = "level shift: from here on the forecast uses the new level"
EXCLUSION_TEXT: Final = {
    "outage": "excluded from the forecast: an outage, or a counter reset",
    "spike": "excluded from the forecast: an isolated spike",
}


class DayMark(NamedTuple):
    """Words about a day, or an instant of it."""

    site_date: date
    kind: str
    """``note``, ``console``, ``stop``, ``release``, ``change``, ``shift``, ``excluded``."""
    words: str
    at_utc: datetime | None = None


def marks_of(
    context: PageContext, facts: SeriesFacts, last: date, first: date | None = None
) -> list[DayMark]:
    """Return what is known of a subject and its parents up to a day, oldest first."""
    begin = first or last - timedelta(days=MARK_DAYS)
    subject = facts.subject
    senders = set(Subject(subject).and_above[:-1])
    feeds = feeds_of_subjects(context.engine, senders, begin, last)
    notes = [
        DayMark(note.first_date, "note", f"{note.note} ({note.who or 'unknown'})")
        for note in annotations_of(context.engine, subject, last)
        if note.last_date >= begin
    ]
    return sorted(
        [
            *notes,
            *_stops(feeds),
            *_releases(feeds),
            *_known_changes(context, subject, begin, last),
            *_console_states(context, facts.metric, subject, begin, last),
        ],
        key=lambda mark: mark.site_date,
    )


def cleaning_marks(
    context: PageContext,
    facts: SeriesFacts,
    forecast: Forecast | None,
    days: Sequence[Observation],
) -> list[DayMark]:
    """Return the days that a forecast excludes and the level shifts that it detects."""
    if forecast is None:
        return []
    cleaned = cleaning(context.settings, facts, forecast.statistic, days, forecast.cutoff_date)
    return [
        *(DayMark(day, "excluded", EXCLUSION_TEXT[why]) for day, why in cleaned.removed),
        *(
            DayMark(day, "shift", LEVEL_SHIFT_TEXT)
            for day in cleaned.shifts
            if day not in cleaned.known
        ),
    ]


def events_of(marks: Sequence[DayMark], first: date) -> tuple[Event, ...]:
    """Return the marks from a day on as events of a chart."""
    return tuple(
        Event(at=position(mark.at_utc or mark.site_date), words=mark.words)
        for mark in marks
        if mark.site_date >= first
    )


def _stops(feeds: Sequence[FeedDay]) -> list[DayMark]:
    return [
        DayMark(
            feed.site_date,
            "stop",
            f"{feed.subject} {STOP_WORDS[gap.cause]} "
            f"{dates.span(gap.start_utc, gap.end_utc, feed.subject)}",
        )
        for feed in feeds
        for gap in feed.gaps
        if gap.cause in STOP_WORDS
    ]


def _releases(feeds: Sequence[FeedDay]) -> list[DayMark]:
    return [
        DayMark(
            feed.site_date,
            "release",
            f"{Subject(feed.subject).name}: MQ {change.before} \N{RIGHTWARDS ARROW} {change.after}",
            change.at_utc,
        )
        for feed in feeds
        if feed.kind is FeedKind.statistics
        for change in feed.level_changes
    ]


def _known_changes(context: PageContext, subject: str, first: date, last: date) -> list[DayMark]:
    root = Subject(subject).sysplex
    return [
        DayMark(change.day, "change", change.what or "change listed in the estate")
        for part in context.settings.estate
        if part.root == root
        for change in part.known_changes
        if first <= change.day <= last and change.concerns(subject)
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
            "console",
            f"{state.state} ({state.message_id}, {dates.instant(state.first_utc, subject)})",
            state.first_utc,
        )
        for state in read_states(context.engine, first, last)
        if state.site_date >= first and state.resource.path in resources
    ]
