"""The chart of hours or intervals: measured values, limits and marks."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

from mq_capacity_page.charts.frame import CONFIG, DATE_AXIS, corner_label, frame
from mq_capacity_page.charts.marks import ChartMarks, DayMark, mark_traces, release_lines
from mq_capacity_page.charts.series_figure import LEGEND_FIRST, line_trace
from mq_capacity_page.charts.themes import PALETTES, Palette, Theme
from mq_capacity_page.charts.value_range import (
    Trace,
    TraceRole,
    label_far_limits,
    top_of,
    with_role,
)
from mqcap.domain.crossing import Crossing
from mqcap.domain.numbers import quantity
from mqcap.lake.readers import HourValue, IntervalValue
from mqcap.presentation import display_units

HOUR: Final = timedelta(hours=1)
TICKS: Final = [
    {"dtickrange": [None, 43_200_000], "value": "%H:%M\n%-d %b"},
    {"dtickrange": [43_200_000, None], "value": "%-d %b"},
]
"""Hours up to half a day apart are named by hour, others by day (in milliseconds)."""


class SubDailyChartData(NamedTuple):
    """Measured values of a series in the last days up to a given one, by hour or by interval."""

    unit: str
    begin: datetime
    end: datetime
    hours: Sequence[HourValue] = ()
    intervals: Sequence[IntervalValue] = ()
    crossings: Sequence[Crossing] = ()
    marks: ChartMarks = ChartMarks()


def sub_daily_figure(data: SubDailyChartData, theme: Theme = Theme.light) -> dict[str, Any]:
    """Return every hour with its mean and highest interval, or every interval as a step."""
    palette = PALETTES[theme]
    factor, unit = display_units.current().scale(data.unit)
    traces = [
        *_hours(data, factor, unit, palette),
        *_intervals(data, factor, unit, palette),
        *_limits(data, factor, unit, palette),
        *mark_traces(_marks(data), palette, place=_place),
    ]
    return {
        "data": label_far_limits(traces),
        "layout": _layout(data, traces, unit, palette),
        "config": CONFIG,
    }


def hour_address(moment: datetime) -> str:
    """Return an instant as part of an address: ``2026-01-05T06:00Z``."""
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%MZ}"


def _hours(data: SubDailyChartData, factor: float, unit: str, palette: Palette) -> list[Trace]:
    """Return lines of hours with gaps; ``customdata`` is the hour that a point links to."""
    if not data.hours:
        return []
    by_hour = {hour.hour_utc: hour for hour in data.hours}
    first, last = data.hours[0].hour_utc, data.hours[-1].hour_utc
    every = [first + HOUR * count for count in range(int((last - first) / HOUR) + 1)]
    measured = [by_hour.get(hour) for hour in every]
    axis = [_on_axis(hour) for hour in every]
    targets = {"customdata": [hour_address(hour) for hour in every]}
    mean = [hour.value * factor if hour else None for hour in measured]
    peak = [hour.peak * factor if hour else None for hour in measured]
    faint, strong = {"color": palette.p95, "width": 1}, {"color": palette.peak, "width": 1.8}
    return [
        line_trace("Mean of the hour", axis, mean, unit, faint) | targets,
        line_trace("Highest interval of the hour", axis, peak, unit, strong)
        | targets
        | {"legendrank": LEGEND_FIRST},
    ]


def _intervals(data: SubDailyChartData, factor: float, unit: str, palette: Palette) -> list[Trace]:
    """Return the intervals, each drawn at one height, with gaps between distant ones."""
    if not data.intervals:
        return []
    axis: list[str] = []
    values: list[float | None] = []
    targets: list[str] = []
    before: datetime | None = None
    for interval in data.intervals:
        start, end = interval.start_utc, interval.end_utc
        if before is not None and start > before:
            axis, values = [*axis, _on_axis(before)], [*values, None]
            targets.append(hour_address(before))
        axis += [_on_axis(start), _on_axis(end)]
        values += [interval.level * factor] * 2
        targets += [hour_address(start)] * 2
        before = end
    strong = {"color": palette.peak, "width": 1.6}
    return [line_trace("Each interval", axis, values, unit, strong) | {"customdata": targets}]


def _limits(data: SubDailyChartData, factor: float, unit: str, palette: Palette) -> list[Trace]:
    line = {"color": palette.limit, "width": 1.6, "dash": "longdashdot"}
    ends = [_on_axis(data.begin), _on_axis(data.end)]
    rules: dict[float, list[str]] = {}
    for crossing in data.crossings:
        rules.setdefault(crossing.limit_value * factor, []).append(crossing.rule_id)
    return [
        with_role(
            line_trace(
                f"Limit {quantity(value, unit)} ({', '.join(names)})",
                ends,
                [value] * 2,
                unit,
                line,
            ),
            TraceRole.limit,
        )
        for value, names in sorted(rules.items())
    ]


def _marks(data: SubDailyChartData) -> ChartMarks:
    """The marks of the days shown."""
    first, last = (display_units.current().at(end).date() for end in (data.begin, data.end))
    return ChartMarks(
        notes=[note for note in data.marks.notes if first <= note.first_date <= last],
        states=[mark for mark in data.marks.states if first <= mark.site_date <= last],
        stops=[mark for mark in data.marks.stops if first <= mark.site_date <= last],
        releases=[mark for mark in data.marks.releases if first <= mark.site_date <= last],
        changes=[mark for mark in data.marks.changes if first <= mark.site_date <= last],
    )


def _place(mark: DayMark) -> str:
    """Return the instant of an annotation; without a time of day it is noon."""
    return _on_axis(mark.at_utc) if mark.at_utc else f"{mark.site_date}T12:00"


def _layout(
    data: SubDailyChartData, traces: Sequence[Trace], unit: str, palette: Palette
) -> dict[str, Any]:
    axis = {"gridcolor": palette.grid, "linecolor": palette.grid, "zeroline": False}
    zone = display_units.current().zone
    what = "hours" if data.hours else "intervals"
    lines, labels = release_lines(_marks(data), palette, _place)
    return {
        **frame(palette),
        "xaxis": {
            **axis,
            **DATE_AXIS,
            "hoverformat": f"%a %-d %b %Y %H:%M ({zone})",
            "tickformatstops": TICKS,
            "range": [_on_axis(data.begin), _on_axis(data.end)],
        },
        "yaxis": {**axis, "range": [0, top_of(traces)], "tickformat": ",~r"},
        "shapes": lines,
        "annotations": [corner_label(f"{unit}; {what} in {zone}", palette), *labels],
    }


def _on_axis(moment: datetime) -> str:
    """Return an instant on the reader's clock, in the form that Plotly reads."""
    return f"{display_units.current().at(moment):%Y-%m-%dT%H:%M:%S}"
