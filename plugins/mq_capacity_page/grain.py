"""A series hour by hour: the chart of the last two weeks, and its figures as a table."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, NamedTuple

from domain.crossing import Crossing
from domain.metric import Statistic, sysplex_of
from mq_capacity_page.figure_marks import DayMark, Marks, mark_traces, marks_of
from mq_capacity_page.figure_range import Trace, far_limits_named, top_of
from mq_capacity_page.figures import (
    DATE_AXIS,
    LEGEND,
    LEGEND_FIRST,
    corner_label,
    line_trace,
)
from mq_capacity_page.gateway import Site
from mq_capacity_page.themes import PALETTES, Palette, Theme
from pipeline.reports import shown, wording
from pipeline.reports.wording import Quantity
from pipeline.traces.hours import HourValue, day_bounds, hour_values
from store import reads_page
from store.models import SeriesFacts

HOUR: Final = timedelta(hours=1)
HOUR_TICKS: Final = [
    {"dtickrange": [None, 43_200_000], "value": "%H:%M\n%-d %b"},
    {"dtickrange": [43_200_000, None], "value": "%-d %b"},
]
"""Hours up to half a day apart are named by hour, others by day (in milliseconds)."""


class Grain(StrEnum):
    """How finely a series is shown."""

    daily = "daily"
    hourly = "hourly"


SPAN_DAYS: Final = {Grain.hourly: 14}
"""Site days up to the one shown (ours): what can be read on one screen."""


class HourLine(NamedTuple):
    """One measured hour as printed."""

    at: str
    """The instant for the address of its records."""
    begins: datetime
    mean: Quantity
    peak: Quantity
    minutes: str
    intervals: int


class Hours(NamedTuple):
    """The measured hours of a series up to a day."""

    unit: str
    rows: Sequence[HourValue]
    begin: datetime
    end: datetime
    crossings: Sequence[Crossing] = ()
    marks: Marks = Marks()


def zone_of(site: Site, subject: str) -> str:
    """The zone in which the site days of a subject are counted."""
    return site.estate.timezone_of(sysplex_of(subject)) or site.settings.site.timezone


def hours_of(site: Site, facts: SeriesFacts, day: date) -> Hours:
    """The hours of the last two weeks up to a site day; empty where the lake has none."""
    first = day - timedelta(days=SPAN_DAYS[Grain.hourly] - 1)
    begin, end = day_bounds(first, day, zone_of(site, facts.subject))
    rows = hour_values(Path(site.settings.lake), facts.series_id, begin, end)
    return Hours(unit=facts.unit, rows=rows, begin=begin, end=end)


def hours_with_limits(site: Site, facts: SeriesFacts, day: date) -> Hours:
    """The same with the limits of the day and what is marked in these weeks.

    A limit on daily means says nothing about an hour and is left out.
    """
    hours = hours_of(site, facts, day)
    below = reads_page.crossings_below(site.engine, day, facts.subject)
    first = day - timedelta(days=SPAN_DAYS[Grain.hourly])
    return hours._replace(
        crossings=[
            one
            for one in below
            if one.series_id == facts.series_id and one.statistic is not Statistic.mean
        ],
        marks=marks_of(site, facts.subject, first, day),
    )


def hour_lines(hours: Hours) -> list[HourLine]:
    """The hours as printed, the newest first."""
    return [
        HourLine(
            at=address_of(one.hour_utc),
            begins=one.hour_utc,
            mean=wording.quantity(one.value, hours.unit),
            peak=wording.quantity(one.peak, hours.unit),
            minutes=wording.number(one.covered_seconds / 60),
            intervals=one.interval_count,
        )
        for one in reversed(hours.rows)
    ]


def hours_figure(hours: Hours, theme: Theme = Theme.light) -> dict[str, Any]:
    """Peak and mean of every hour, the limits, and what is marked in these days."""
    palette = PALETTES[theme]
    factor, unit = wording.chart_scale(hours.unit)
    traces = [
        *_lines(hours, factor, unit, palette),
        *_limits(hours, factor, unit, palette),
        *_marks(hours, palette),
    ]
    return {
        "data": far_limits_named(traces),
        "layout": _layout(hours, traces, unit, palette),
        "config": {
            "displaylogo": False,
            "responsive": True,
            "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"],
        },
    }


def address_of(moment: datetime) -> str:
    """An instant for an address: ``2026-01-05T06:00Z``."""
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%MZ}"


def _lines(hours: Hours, factor: float, unit: str, palette: Palette) -> list[Trace]:
    """An hour that was not measured is a gap. ``customdata``: the hour whose records are behind."""
    if not hours.rows:
        return []
    by_hour = {one.hour_utc: one for one in hours.rows}
    first, last = hours.rows[0].hour_utc, hours.rows[-1].hour_utc
    every = [first + HOUR * count for count in range(int((last - first) / HOUR) + 1)]
    found = [by_hour.get(one) for one in every]
    axis = [_on_axis(one) for one in every]
    leads = {"customdata": [address_of(one) for one in every]}
    mean = [one.value * factor if one else None for one in found]
    peak = [one.peak * factor if one else None for one in found]
    faint = {"color": palette.p95, "width": 1}
    strong = {"color": palette.peak, "width": 1.8}
    return [
        line_trace("Mean of the hour", axis, mean, unit, faint) | leads,
        line_trace("Highest interval of the hour", axis, peak, unit, strong)
        | leads
        | {"legendrank": LEGEND_FIRST},
    ]


def _limits(hours: Hours, factor: float, unit: str, palette: Palette) -> list[Trace]:
    line = {"color": palette.limit, "width": 1.6, "dash": "longdashdot"}
    ends = [_on_axis(hours.begin), _on_axis(hours.end)]
    rules: dict[float, list[str]] = {}
    for crossing in hours.crossings:
        rules.setdefault(crossing.limit_value * factor, []).append(crossing.rule_id)
    return [
        line_trace(
            f"Limit {wording.number(value)} {unit} ({', '.join(names)})", ends, [value] * 2,
            unit, line,
        )
        for value, names in sorted(rules.items())
    ]  # fmt: skip


def _marks(hours: Hours, palette: Palette) -> list[Trace]:
    """What is marked in these days; what is known by day only stands at noon."""
    first, last = (shown.current().at(one).date() for one in (hours.begin, hours.end))
    within = Marks(
        notes=[one for one in hours.marks.notes if first <= one.first_date <= last],
        stops=[one for one in hours.marks.stops if first <= one.site_date <= last],
        changes=[one for one in hours.marks.changes if first <= one.site_date <= last],
    )
    return mark_traces(within, palette, place=_place)


def _place(mark: DayMark) -> str:
    return _on_axis(mark.at_utc) if mark.at_utc else f"{mark.site_date}T12:00"


def _layout(hours: Hours, traces: Sequence[Trace], unit: str, palette: Palette) -> dict[str, Any]:
    axis = {"gridcolor": palette.grid, "linecolor": palette.grid, "zeroline": False}
    now = shown.current()
    return {
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"color": palette.text, "size": 12.5},
        "margin": {"l": 64, "r": 16, "t": 30, "b": 40},
        "hovermode": "x unified",
        "hoverlabel": {"namelength": -1},
        "dragmode": "zoom",
        "legend": LEGEND,
        "xaxis": {
            **axis,
            **DATE_AXIS,
            "hoverformat": f"%a %-d %b %Y %H:%M ({now.zone})",
            "tickformatstops": HOUR_TICKS,
            "range": [_on_axis(hours.begin), _on_axis(hours.end)],
        },
        "yaxis": {**axis, "range": [0, top_of(traces)], "tickformat": ",~r"},
        "annotations": [corner_label(f"{unit}; hours in {now.zone}", palette)],
    }


def _on_axis(moment: datetime) -> str:
    """An instant on the reader's clock, as Plotly places it."""
    return f"{shown.current().at(moment):%Y-%m-%dT%H:%M}"
