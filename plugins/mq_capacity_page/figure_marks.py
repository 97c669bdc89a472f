"""What else is marked in a chart: limits that step, notes of people, stops and restarts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from domain.feed import FeedDay, GapCause
from domain.metric import SERIES_SEPARATOR
from mq_capacity_page.gateway import Site
from mq_capacity_page.themes import Palette
from store import notes, reads_page
from store.models import Annotation

STOP_WORDS: Final = {GapCause.stopped: "stopped", GapCause.restarted: "restarted"}
NOTE_LENGTH: Final = 80


class DayMark(NamedTuple):
    """Words about one day."""

    site_date: date
    words: str


class Marks(NamedTuple):
    """All that is marked."""

    notes: Sequence[Annotation] = ()
    stops: Sequence[DayMark] = ()


def marks_of(site: Site, subject: str, first: date, last: date) -> Marks:
    """Notes on the subject and what it is part of; stops of the feeds that it comes from."""
    parts = subject.split(SERIES_SEPARATOR)
    senders = {SERIES_SEPARATOR.join(parts[:count]) for count in range(2, len(parts) + 1)}
    feeds = reads_page.feeds_of(site.engine, senders, first, last)
    return Marks(
        notes=[one for one in notes.notes_on(site.engine, subject, last) if one.last_date >= first],
        stops=stops_in(feeds),
    )


def stops_in(feeds: Sequence[FeedDay]) -> list[DayMark]:
    """Every stop and restart that the records themselves show, by day."""
    return [
        DayMark(
            feed.site_date,
            f"{feed.subject} {STOP_WORDS[gap.cause]} {gap.start_utc:%H:%M} to "
            f"{gap.end_utc:%H:%M} UTC",
        )
        for feed in feeds
        for gap in feed.gaps
        if gap.cause in STOP_WORDS
    ]


def mark_traces(marks: Marks, palette: Palette) -> list[dict[str, Any]]:
    """Signs on the time axis; their words are shown beside the pointer and under the chart."""
    said = [
        DayMark(one.first_date, f"{one.note[:NOTE_LENGTH]} ({one.who or 'unknown'})")
        for one in marks.notes
    ]
    return [
        _trace(name, found, symbol, colour)
        for name, found, symbol, colour in (
            ("Notes", said, "diamond", palette.forecast),
            ("Stops and restarts", list(marks.stops), "x", palette.cutoff),
        )
        if found
    ]


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


def _trace(name: str, found: Sequence[DayMark], symbol: str, colour: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "x": [one.site_date.isoformat() for one in found],
        "y": [0.0] * len(found),
        "text": [one.words for one in found],
        "cliponaxis": False,
        "marker": {"symbol": symbol, "size": 10, "color": colour},
        "hovertemplate": "%{text}<extra></extra>",
    }
