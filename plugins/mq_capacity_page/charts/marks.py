"""Annotations of a chart: limits that step, notes, stops, excluded days."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from mq_capacity_page.charts.themes import Palette
from mqcap.domain.feed import FeedDay, FeedKind, GapCause
from mqcap.domain.metric import SERIES_SEPARATOR
from mqcap.presentation import dates
from mqcap.store.models import Annotation

STOP_WORDS: Final = {GapCause.stopped: "stopped", GapCause.restarted: "restarted"}
NOTE_LENGTH: Final = 80
LABELLED_RELEASES: Final = 4
"""Version changes that are labelled in a chart (ours); all have a sign and are listed below it."""
RELEASE_STEP_PX: Final = 15


class DayMark(NamedTuple):
    """Words about one day."""

    site_date: date
    words: str
    value: float | None = None
    """Height of the sign, in the unit of the series; ``None``: on the time axis."""
    at_utc: datetime | None = None
    """The instant on that day; ``None`` where only the day is known."""


class ChartMarks(NamedTuple):
    """Annotations of a chart."""

    notes: Sequence[Annotation] = ()
    stops: Sequence[DayMark] = ()
    releases: Sequence[DayMark] = ()
    """Version changes of MQ that the records themselves state."""
    changes: Sequence[DayMark] = ()
    """Releases and other changes listed in the estate."""
    removed: Sequence[DayMark] = ()
    """Measured days that the forecast excludes."""
    states: Sequence[DayMark] = ()
    """What the console reported of the resources of the series."""
    shifts: Sequence[DayMark] = ()
    """First days of level shifts that the forecast has detected."""


def stop_marks(feeds: Sequence[FeedDay]) -> list[DayMark]:
    """Return every stop and restart that the records themselves show, by day."""
    return [
        DayMark(
            feed.site_date,
            f"{feed.subject} {STOP_WORDS[gap.cause]} "
            f"{dates.span(gap.start_utc, gap.end_utc, feed.subject)}",
        )
        for feed in feeds
        for gap in feed.gaps
        if gap.cause in STOP_WORDS
    ]


def release_marks(feeds: Sequence[FeedDay]) -> list[DayMark]:
    """Return every version change that the statistics of a queue manager state, by day."""
    return [
        DayMark(
            feed.site_date,
            f"{feed.subject.rpartition(SERIES_SEPARATOR)[2]}: MQ {change.before} "
            f"\N{RIGHTWARDS ARROW} {change.after}",
            at_utc=change.at_utc,
        )
        for feed in feeds
        if feed.kind is FeedKind.statistics
        for change in feed.level_changes
    ]


def on_day(mark: DayMark) -> str:
    """Return the position of a mark on an axis of days."""
    return mark.site_date.isoformat()


def mark_traces(
    marks: ChartMarks,
    palette: Palette,
    factor: float = 1.0,
    place: Callable[[DayMark], str] = on_day,
) -> list[dict[str, Any]]:
    """Return signs at their ``place`` of the time axis, those with a value at it times ``factor``.

    Their words are shown at the pointer, with their day since days near to it are included, and
    below the chart.
    """
    notes = [
        DayMark(note.first_date, f"{note.note[:NOTE_LENGTH]} ({note.who or 'unknown'})")
        for note in marks.notes
    ]
    return [
        _trace(name, _scaled(members, factor), (symbol, colour), place)
        for name, members, symbol, colour in (
            ("On the console", list(marks.states), "hexagram", palette.limit),
            ("Notes", notes, "diamond", palette.forecast),
            ("Stops and restarts", list(marks.stops), "x", palette.cutoff),
            ("MQ release in the records", list(marks.releases), "star", palette.peak),
            ("Changes in the estate file", list(marks.changes), "square", palette.text),
            ("Level shift", list(marks.shifts), "triangle-up", palette.text),
            ("Excluded from the forecast", list(marks.removed), "circle-open", palette.limit),
        )
        if members
    ]


def release_lines(
    marks: ChartMarks, palette: Palette, place: Callable[[DayMark], str] = on_day
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return vertical lines and labels of the newest version changes, each label a step higher."""
    drawn = list(marks.releases)[-LABELLED_RELEASES:]
    line = {"color": palette.peak, "width": 1, "dash": "dot"}
    ends = {"type": "line", "layer": "below", "yref": "paper", "y0": 0, "y1": 1, "line": line}
    words = {
        "yref": "paper", "y": 0, "yanchor": "bottom", "xanchor": "left", "showarrow": False,
        "xshift": 4, "bgcolor": palette.ground, "font": {"color": palette.peak, "size": 11},
    }  # fmt: skip
    shapes = [{**ends, "x0": place(mark), "x1": place(mark)} for mark in drawn]
    labels = [
        {**words, "x": place(mark), "text": mark.words, "yshift": 8 + RELEASE_STEP_PX * number}
        for number, mark in enumerate(drawn)
    ]
    return shapes, labels


def limit_line(
    ends: tuple[date, date], value: float, steps: Sequence[tuple[date, float]]
) -> tuple[list[str], list[float]]:
    """Return days and values of a limit over the full width, with a step at each planned change."""
    days, values = [ends[0]], [value]
    for day, later in steps:
        if day <= ends[1]:
            days += [day, day]
            values += [values[-1], later]
    return [day.isoformat() for day in (*days, ends[1])], [*values, values[-1]]


def _scaled(marks: Sequence[DayMark], factor: float) -> list[DayMark]:
    return [mark._replace(value=(mark.value or 0.0) * factor) for mark in marks]


def _trace(
    name: str,
    marks: Sequence[DayMark],
    sign: tuple[str, str],
    place: Callable[[DayMark], str],
) -> dict[str, Any]:
    symbol, colour = sign
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "x": [place(mark) for mark in marks],
        "y": [round(mark.value or 0.0, 6) for mark in marks],
        "text": [f"{dates.short_day(mark.site_date)}: {mark.words}" for mark in marks],
        "cliponaxis": False,
        "marker": {"symbol": symbol, "size": 10, "color": colour},
        "hovertemplate": "%{text}<extra></extra>",
    }
