"""What else is marked in a chart: limits that step, notes, stops, what a forecast leaves out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from mq_capacity_page.charts.themes import Palette
from mq_capacity_page.web.context import Site
from mqcap.domain.feed import FeedDay, FeedKind, GapCause
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import SERIES_SEPARATOR
from mqcap.presentation import wording
from mqcap.store.annotations import annotations_of
from mqcap.store.feeds import feeds_of_subjects
from mqcap.store.models import Annotation, Observation, SeriesFacts

STOP_WORDS: Final = {GapCause.stopped: "stopped", GapCause.restarted: "restarted"}
NOTE_LENGTH: Final = 80
RELEASES_NAMED: Final = 4
"""New levels that are written into a chart (ours); all have a sign and stand in the list below."""
RELEASE_STEP_PX: Final = 15
SHIFT_WORDS: Final = "the level changes: from here on the forecast reckons with a new one"
LEFT_OUT_WORDS: Final = {
    "outage": "left out: not above zero, as nearly all days are (an outage, or a counter reset)",
    "spike": "left out: far from the weeks around it, alone, and not so in other months",
}


class DayMark(NamedTuple):
    """Words about one day."""

    site_date: date
    words: str
    value: float | None = None
    """Where the sign stands, in the unit of the series; ``None``: on the time axis."""
    at_utc: datetime | None = None
    """When on that day; ``None`` where only the day is known."""


class Marks(NamedTuple):
    """All that is marked."""

    notes: Sequence[Annotation] = ()
    stops: Sequence[DayMark] = ()
    releases: Sequence[DayMark] = ()
    """New levels of MQ that the records themselves state."""
    changes: Sequence[DayMark] = ()
    """Releases and other changes that the estate tells of."""
    removed: Sequence[DayMark] = ()
    """Measured days that the forecast leaves out."""
    shifts: Sequence[DayMark] = ()
    """First days of new levels that the forecast has found."""


def marks_of(site: Site, subject: str, first: date, last: date) -> Marks:
    """Notes and told changes of the subject and what it is part of; stops of its feeds."""
    parts = subject.split(SERIES_SEPARATOR)
    senders = {SERIES_SEPARATOR.join(parts[:count]) for count in range(2, len(parts) + 1)}
    feeds = feeds_of_subjects(site.engine, senders, first, last)
    return Marks(
        notes=[one for one in annotations_of(site.engine, subject, last) if one.last_date >= first],
        stops=stops_in(feeds),
        releases=releases_in(feeds),
        changes=_changes(site, subject, first, last),
    )


def with_cleaning(
    marks: Marks,
    site: Site,
    facts: SeriesFacts,
    forecast: Forecast | None,
    days: Sequence[Observation],
) -> Marks:
    """The marks with the days that a forecast leaves out, and those where it sees a new level.

    Nothing is added for a series of which no forecast was made.
    """
    if forecast is None:
        return marks
    from mqcap.rulebook.cleaned_history import cleaning  # noqa: PLC0415 - imports the forecasts

    statistic = forecast.statistic
    found = cleaning(site.settings, facts, statistic, days, forecast.cutoff_date)
    values = {one.site_date: float(getattr(one, statistic)) for one in days}
    return marks._replace(
        removed=[DayMark(day, LEFT_OUT_WORDS[why], values.get(day)) for day, why in found.removed],
        shifts=[DayMark(day, SHIFT_WORDS) for day in found.shifts if day not in found.known],
    )


def _changes(site: Site, subject: str, first: date, last: date) -> list[DayMark]:
    parts = subject.split(SERIES_SEPARATOR)
    told = [
        change
        for plex in site.settings.estate
        if plex.sysplex == parts[0]
        for change in plex.known_changes
        if first <= change.day <= last and change.concerns(subject)
    ]
    return [
        DayMark(one.day, one.what or "change told in the estate")
        for one in sorted(told, key=lambda one: one.day)
    ]


def stops_in(feeds: Sequence[FeedDay]) -> list[DayMark]:
    """Every stop and restart that the records themselves show, by day."""
    return [
        DayMark(
            feed.site_date,
            f"{feed.subject} {STOP_WORDS[gap.cause]} {wording.span(gap.start_utc, gap.end_utc)}",
        )
        for feed in feeds
        for gap in feed.gaps
        if gap.cause in STOP_WORDS
    ]


def releases_in(feeds: Sequence[FeedDay]) -> list[DayMark]:
    """Every new level that the statistics of a queue manager state, by day."""
    return [
        DayMark(
            feed.site_date,
            f"{feed.subject.rpartition(SERIES_SEPARATOR)[2]}: MQ {one.before} \N{RIGHTWARDS ARROW} "
            f"{one.after}",
            at_utc=one.at_utc,
        )
        for feed in feeds
        if feed.kind is FeedKind.statistics
        for one in feed.level_changes
    ]


def on_day(mark: DayMark) -> str:
    """Where a mark stands on an axis of days."""
    return mark.site_date.isoformat()


def mark_traces(
    marks: Marks,
    palette: Palette,
    factor: float = 1.0,
    place: Callable[[DayMark], str] = on_day,
) -> list[dict[str, Any]]:
    """Signs at their ``place`` of the time axis, those with a value at it times ``factor``.

    Their words are shown beside the pointer, also of days near to it and so with their own day,
    and under the chart.
    """
    said = [
        DayMark(one.first_date, f"{one.note[:NOTE_LENGTH]} ({one.who or 'unknown'})")
        for one in marks.notes
    ]
    return [
        _trace(name, _scaled(found, factor), (symbol, colour), place)
        for name, found, symbol, colour in (
            ("Notes", said, "diamond", palette.forecast),
            ("Stops and restarts", list(marks.stops), "x", palette.cutoff),
            ("MQ release in the records", list(marks.releases), "star", palette.peak),
            ("Changes told in the estate", list(marks.changes), "square", palette.text),
            ("New level", list(marks.shifts), "triangle-up", palette.text),
            ("Left out of the forecast", list(marks.removed), "circle-open", palette.limit),
        )
        if found
    ]


def release_lines(
    marks: Marks, palette: Palette, place: Callable[[DayMark], str] = on_day
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Upright lines and their words for new levels; the newest few, each a step above the other."""
    drawn = list(marks.releases)[-RELEASES_NAMED:]
    line = {"color": palette.peak, "width": 1, "dash": "dot"}
    ends = {"type": "line", "layer": "below", "yref": "paper", "y0": 0, "y1": 1, "line": line}
    words = {
        "yref": "paper", "y": 0, "yanchor": "bottom", "xanchor": "left", "showarrow": False,
        "xshift": 4, "bgcolor": palette.ground, "font": {"color": palette.peak, "size": 11},
    }  # fmt: skip
    shapes = [{**ends, "x0": place(one), "x1": place(one)} for one in drawn]
    labels = [
        {**words, "x": place(one), "text": one.words, "yshift": 8 + RELEASE_STEP_PX * number}
        for number, one in enumerate(drawn)
    ]
    return shapes, labels


def limit_line(
    ends: tuple[date, date], value: float, steps: Sequence[tuple[date, float]]
) -> tuple[list[str], list[float]]:
    """Days and values of a limit over the whole width; from each step on it is another."""
    days, values = [ends[0]], [value]
    for day, later in steps:
        if day <= ends[1]:
            days += [day, day]
            values += [values[-1], later]
    return [one.isoformat() for one in (*days, ends[1])], [*values, values[-1]]


def _scaled(marks: Sequence[DayMark], factor: float) -> list[DayMark]:
    return [one._replace(value=(one.value or 0.0) * factor) for one in marks]


def _trace(
    name: str,
    found: Sequence[DayMark],
    sign: tuple[str, str],
    place: Callable[[DayMark], str],
) -> dict[str, Any]:
    symbol, colour = sign
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "x": [place(one) for one in found],
        "y": [round(one.value or 0.0, 6) for one in found],
        "text": [f"{wording.short_day(one.site_date)}: {one.words}" for one in found],
        "cliponaxis": False,
        "marker": {"symbol": symbol, "size": 10, "color": colour},
        "hovertemplate": "%{text}<extra></extra>",
    }
