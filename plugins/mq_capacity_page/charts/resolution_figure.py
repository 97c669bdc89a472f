"""The chart of hours or intervals: what was measured, the limits, and what is marked."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from mq_capacity_page.charts.frame import CONFIG, DATE_AXIS, corner_label, frame
from mq_capacity_page.charts.marks import DayMark, Marks, mark_traces, release_lines
from mq_capacity_page.charts.series_figure import LEGEND_FIRST, line_trace
from mq_capacity_page.charts.themes import PALETTES, Palette, Theme
from mq_capacity_page.charts.value_range import Trace, far_limits_named, top_of
from mq_capacity_page.pages.series.resolution import HOUR, Fine, address_of
from mqcap.presentation import display_units, wording

TICKS: Final = [
    {"dtickrange": [None, 43_200_000], "value": "%H:%M\n%-d %b"},
    {"dtickrange": [43_200_000, None], "value": "%-d %b"},
]
"""Hours up to half a day apart are named by hour, others by day (in milliseconds)."""


def fine_figure(fine: Fine, theme: Theme = Theme.light) -> dict[str, Any]:
    """Every hour with its mean and highest interval, or every interval as a step."""
    palette = PALETTES[theme]
    factor, unit = wording.chart_scale(fine.unit)
    traces = [
        *_hours(fine, factor, unit, palette),
        *_intervals(fine, factor, unit, palette),
        *_limits(fine, factor, unit, palette),
        *mark_traces(_marks(fine), palette, place=_place),
    ]
    return {
        "data": far_limits_named(traces),
        "layout": _layout(fine, traces, unit, palette),
        "config": CONFIG,
    }


def _hours(fine: Fine, factor: float, unit: str, palette: Palette) -> list[Trace]:
    """An hour that was not measured is a gap. ``customdata``: the hour whose records are behind."""
    if not fine.hours:
        return []
    by_hour = {one.hour_utc: one for one in fine.hours}
    first, last = fine.hours[0].hour_utc, fine.hours[-1].hour_utc
    every = [first + HOUR * count for count in range(int((last - first) / HOUR) + 1)]
    found = [by_hour.get(one) for one in every]
    axis = [_on_axis(one) for one in every]
    leads = {"customdata": [address_of(one) for one in every]}
    mean = [one.value * factor if one else None for one in found]
    peak = [one.peak * factor if one else None for one in found]
    faint, strong = {"color": palette.p95, "width": 1}, {"color": palette.peak, "width": 1.8}
    return [
        line_trace("Mean of the hour", axis, mean, unit, faint) | leads,
        line_trace("Highest interval of the hour", axis, peak, unit, strong)
        | leads
        | {"legendrank": LEGEND_FIRST},
    ]


def _intervals(fine: Fine, factor: float, unit: str, palette: Palette) -> list[Trace]:
    """Each interval from its begin to its end at one height; nothing between two that are apart."""
    if not fine.intervals:
        return []
    axis: list[str] = []
    levels: list[float | None] = []
    leads: list[str] = []
    before: datetime | None = None
    for one in fine.intervals:
        if before is not None and one.start_utc > before:
            axis, levels = [*axis, _on_axis(before)], [*levels, None]
            leads.append(address_of(before))
        axis += [_on_axis(one.start_utc), _on_axis(one.end_utc)]
        levels += [one.level * factor] * 2
        leads += [address_of(one.start_utc)] * 2
        before = one.end_utc
    strong = {"color": palette.peak, "width": 1.6}
    return [line_trace("Each interval", axis, levels, unit, strong) | {"customdata": leads}]


def _limits(fine: Fine, factor: float, unit: str, palette: Palette) -> list[Trace]:
    line = {"color": palette.limit, "width": 1.6, "dash": "longdashdot"}
    ends = [_on_axis(fine.begin), _on_axis(fine.end)]
    rules: dict[float, list[str]] = {}
    for crossing in fine.crossings:
        rules.setdefault(crossing.limit_value * factor, []).append(crossing.rule_id)
    return [
        line_trace(
            f"Limit {wording.number(value)} {unit} ({', '.join(names)})",
            ends,
            [value] * 2,
            unit,
            line,
        )
        for value, names in sorted(rules.items())
    ]


def _marks(fine: Fine) -> Marks:
    """What is marked in these days."""
    first, last = (display_units.current().at(one).date() for one in (fine.begin, fine.end))
    return Marks(
        notes=[one for one in fine.marks.notes if first <= one.first_date <= last],
        stops=[one for one in fine.marks.stops if first <= one.site_date <= last],
        releases=[one for one in fine.marks.releases if first <= one.site_date <= last],
        changes=[one for one in fine.marks.changes if first <= one.site_date <= last],
    )


def _place(mark: DayMark) -> str:
    """What is known by day only stands at noon."""
    return _on_axis(mark.at_utc) if mark.at_utc else f"{mark.site_date}T12:00"


def _layout(fine: Fine, traces: Sequence[Trace], unit: str, palette: Palette) -> dict[str, Any]:
    axis = {"gridcolor": palette.grid, "linecolor": palette.grid, "zeroline": False}
    zone = display_units.current().zone
    what = "hours" if fine.hours else "intervals"
    upright, words = release_lines(_marks(fine), palette, _place)
    return {
        **frame(palette),
        "xaxis": {
            **axis,
            **DATE_AXIS,
            "hoverformat": f"%a %-d %b %Y %H:%M ({zone})",
            "tickformatstops": TICKS,
            "range": [_on_axis(fine.begin), _on_axis(fine.end)],
        },
        "yaxis": {**axis, "range": [0, top_of(traces)], "tickformat": ",~r"},
        "shapes": upright,
        "annotations": [corner_label(f"{unit}; {what} in {zone}", palette), *words],
    }


def _on_axis(moment: datetime) -> str:
    """An instant on the reader's clock, as Plotly places it."""
    return f"{display_units.current().at(moment):%Y-%m-%dT%H:%M:%S}"
