"""Notes, stops, releases and excluded days of a series: events of its chart, and lists below it."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Final, NamedTuple

import pandas as pd

from forecasting.history import History, history_of
from forecasting.prepare import clean, without_outages
from forecasting.sawtooth import sawtooth_of
from forecasting.specification import specification
from mq_capacity_page.charts import Event, position
from mq_capacity_page.web.context import PageContext
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.estate import estate_facts
from mqcap.domain.feed import FeedKind, GapCause
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import Statistic
from mqcap.presentation import dates
from mqcap.settings import Settings
from mqcap.store.annotations import annotations_of
from mqcap.store.console_states import read_states
from mqcap.store.feeds import feeds_of_subjects
from mqcap.store.models import Observation, SeriesFacts
from sizing.rulebook.registry import all_rules

MARK_DAYS: Final = 400
"""Marks of so many days up to the one shown are read (ours)."""
STOP_WORDS: Final = {GapCause.stopped: "stopped", GapCause.restarted: "restarted"}
LEVEL_SHIFT_TEXT: Final = "level shift: from here on the forecast uses the new level"


class LeftOut(StrEnum):
    """Reason for which a measured day is left out of the training."""

    outage = "excluded from the forecast: an outage, or a counter reset"
    """Not above zero in a series that otherwise is."""
    spike = "excluded from the forecast: an isolated spike"
    """Far from the weeks around it, single, and not at the same place of most months."""


class Cleaned(NamedTuple):
    """Days left out with their reasons, and first days after level shifts, each in order."""

    removed: tuple[tuple[date, LeftOut], ...] = ()
    shifts: tuple[date, ...] = ()
    known: frozenset[date] = frozenset()
    """Those of ``shifts`` that the estate declares in ``known_changes``."""


class DayMark(NamedTuple):
    """Words about a day, or an instant of it."""

    site_date: date
    words: str
    at_utc: datetime | None = None


def marks_of(
    context: PageContext, facts: SeriesFacts, last: date, first: date | None = None
) -> list[DayMark]:
    """Return what is known of a subject and its parents up to a day, oldest first."""
    begin = first or last - timedelta(days=MARK_DAYS)
    subject = facts.subject
    feeds = feeds_of_subjects(context.engine, set(subject.and_above[:-1]), begin, last)
    marks = [
        DayMark(note.first_date, f"{note.note} ({note.who or 'unknown'})")
        for note in annotations_of(context.engine, subject, last)
        if note.last_date >= begin
    ]
    for feed in feeds:
        for gap in feed.gaps:
            if gap.cause in STOP_WORDS:
                when = dates.span(gap.start_utc, gap.end_utc, feed.subject)
                words = f"{feed.subject} {STOP_WORDS[gap.cause]} {when}"
                marks.append(DayMark(feed.site_date, words))
    marks += [
        DayMark(
            feed.site_date,
            f"{feed.subject.name}: MQ {change.before} \N{RIGHTWARDS ARROW} {change.after}",
            change.at_utc,
        )
        for feed in feeds
        if feed.kind is FeedKind.statistics
        for change in feed.level_changes
    ]
    marks += [
        DayMark(change.day, change.what or "change listed in the estate")
        for part in context.settings.estate
        if part.root == subject.sysplex
        for change in part.known_changes
        if begin <= change.day <= last and change.concerns(subject)
    ]
    marks += _console_states(context, facts, begin, last)
    return sorted(marks, key=lambda mark: mark.site_date)


def cleaning_marks(
    context: PageContext, facts: SeriesFacts, forecast: Forecast | None, days: Sequence[Observation]
) -> list[DayMark]:
    """Return the days that a forecast excludes and the level shifts that it detects."""
    if forecast is None:
        return []
    found = cleaning(context.settings, facts, forecast.statistic, days, forecast.cutoff_date)
    detected = [day for day in found.shifts if day not in found.known]
    return [
        *(DayMark(day, why.value) for day, why in found.removed),
        *(DayMark(day, LEVEL_SHIFT_TEXT) for day in detected),
    ]


def events_of(marks: Sequence[DayMark], first: date) -> tuple[Event, ...]:
    """Return the marks from a day on as events of a chart."""
    return tuple(
        Event(at=position(mark.at_utc or mark.site_date), words=mark.words)
        for mark in marks
        if mark.site_date >= first
    )


def _console_states(
    context: PageContext, facts: SeriesFacts, first: date, last: date
) -> list[DayMark]:
    """Return the states that began in the time, of every resource whose rules watch the metric."""
    resources = {
        rule.resource_of(facts.subject).path
        for rule in all_rules().values()
        if rule.series is not None and rule.series.metric == facts.metric
    }
    return [
        DayMark(
            state.site_date,
            f"{state.state} ({state.message_id}, {dates.instant(state.first_utc, facts.subject)})",
            state.first_utc,
        )
        for state in (read_states(context.engine, first, last) if resources else ())
        if state.site_date >= first and state.resource.path in resources
    ]


def cleaning(
    settings: Settings,
    facts: SeriesFacts,
    statistic: Statistic,
    days: Sequence[Observation],
    day: date,
) -> Cleaned:
    """Return how a forecast made on ``day`` treats the measured days up to it.

    Computed from the days as they are in the store now; late data may have changed one since the
    forecast was made. Settings that no forecast can be made with leave nothing out.
    """
    if not days:
        return Cleaned()
    values = [(day.site_date, float(getattr(day, statistic))) for day in days]
    calendar = estate_facts(settings.estate, facts.series_id, day)
    rows = pd.DataFrame(values, columns=["site_date", "value"]).assign(**calendar)
    history = history_of(rows, facts.series_id, statistic, day, settings.forecast.lookback_days)
    try:
        return cleaned(history)
    except ConfigurationError:
        return Cleaned()


def cleaned(history: History) -> Cleaned:
    """Return how a forecast of this history treats its days; an empty one has nothing left out."""
    plain = without_outages(history)
    is_modelled = plain.observed_count and sawtooth_of(plain) is None
    kept = clean(history) if is_modelled else plain
    days = history.days.astype(object)
    left_out = history.observed & ~kept.observed
    removed = [
        (day, LeftOut.spike if is_seen else LeftOut.outage)
        for day, is_seen in zip(days[left_out], plain.observed[left_out], strict=True)
    ]
    places = list(specification(kept, 0).regressors.shifts) if is_modelled else []
    shifts = tuple(days[places])
    return Cleaned(tuple(removed), shifts, frozenset(shifts) & frozenset(history.known_changes))
