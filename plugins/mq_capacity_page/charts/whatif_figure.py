"""The chart of one series with the forecast and the limits of a scenario over it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from mq_capacity_page.charts.limit_labels import limit_labels, without_limit_labels
from mq_capacity_page.charts.series_figure import SeriesChartData, line_trace, series_figure
from mq_capacity_page.charts.themes import PALETTES, Palette, Theme
from mq_capacity_page.charts.value_range import (
    Trace,
    TraceRole,
    has_role,
    label_far_limits,
    top_of,
    with_role,
)
from mqcap.domain.forecast import Forecast
from mqcap.domain.numbers import quantity
from mqcap.presentation import display_units

SCENARIO_COLOURS: Final = {
    Theme.light: ("#0f766e", "rgba(15,118,110,0.16)"),
    Theme.dark: ("#5eead4", "rgba(94,234,212,0.18)"),
}
"""Line and prediction interval of the scenario; contrast of at least 3 to 1 on the background."""
UNCHANGED_NOTE: Final = ", as it is today"
"""Ends the names of crossing dates: they are of the present state."""


class ScenarioOverlay(NamedTuple):
    """Curves that are drawn of a scenario."""

    forecasts: Sequence[Forecast]
    """One for each corner of its ranges."""
    limits: Sequence[float]
    """Limits that it changes."""
    start: date | None
    """Its first day; ``None``: in force already."""


def whatif_figure(
    data: SeriesChartData, overlay: ScenarioOverlay, theme: Theme = Theme.light
) -> dict[str, Any]:
    """Return the figure of the series with the scenario's forecasts and limits."""
    palette = PALETTES[theme]
    factor, unit = display_units.current().scale(data.unit)
    figure = series_figure(data._replace(crossings_note=UNCHANGED_NOTE), theme)
    added = [
        *_forecasts(overlay, factor, unit, SCENARIO_COLOURS[theme]),
        *_limits(data, overlay, factor, unit, palette),
    ]
    figure["data"] = label_far_limits([_faint(trace) for trace in figure["data"]] + added)
    layout, top = figure["layout"], top_of(figure["data"])
    layout["yaxis"]["range"] = [0, top]
    last = date.fromisoformat(layout["xaxis"]["range"][1])
    layout["annotations"] = [
        *without_limit_labels(layout["annotations"]),
        *limit_labels(figure["data"], top, last, unit, palette),
    ]
    return figure


def _faint(trace: Trace) -> Trace:
    """Draw the present forecast as a dotted line, so that the scenario's is more visible."""
    if not has_role(trace, TraceRole.forecast):
        return trace
    return {
        **trace,
        "name": f"{trace['name']}, unchanged",
        "line": {**trace["line"], "dash": "dot"},
    }


def _forecasts(
    overlay: ScenarioOverlay, factor: float, unit: str, colours: tuple[str, str]
) -> list[Trace]:
    """Return the interval over all corners from the start on, and the lines of both ends."""
    first = overlay.start or date.min
    drawn = [forecast.points for forecast in overlay.forecasts if forecast.points]
    days = [day for day in zip(*drawn, strict=True) if day[0].site_date >= first]
    if not days:
        return []
    line, interval = colours
    axis = [day[0].site_date.isoformat() for day in days]
    lower = [min(point.lower for point in day) * factor for day in days]
    upper = [max(point.upper for point in day) * factor for day in days]
    low = [min(point.expected for point in day) * factor for day in days]
    high = [max(point.expected for point in day) * factor for day in days]
    no_line = {"width": 0, "color": line}
    strong = {"color": line, "width": 2}
    ends = (
        [("With the scenario", low)]
        if low == high
        else [("With the scenario, low end", low), ("With the scenario, high end", high)]
    )
    return [
        {**line_trace("Upper bound, scenario", axis, upper, unit, no_line), "showlegend": False},
        {
            **line_trace("Lower bound, scenario", axis, lower, unit, no_line),
            "showlegend": False,
            "fill": "tonexty",
            "fillcolor": interval,
        },
        *(line_trace(name, axis, values, unit, strong) for name, values in ends),
    ]


def _limits(
    data: SeriesChartData, overlay: ScenarioOverlay, factor: float, unit: str, palette: Palette
) -> list[Trace]:
    """Return limits that the scenario moves, from its start to the end of the forecast."""
    now = {crossing.limit_value for crossing in data.crossings}
    points = data.forecast.points if data.forecast else ()
    last = points[-1].site_date if points else data.site_date
    ends = [max(overlay.start or data.site_date, data.site_date).isoformat(), last.isoformat()]
    line = {"color": palette.limit, "width": 2.2}
    return [
        with_role(
            line_trace(
                f"Limit with the scenario {quantity(limit * factor, unit)}",
                ends,
                [limit * factor] * 2,
                unit,
                line,
            ),
            TraceRole.limit,
        )
        for limit in sorted({limit for limit in overlay.limits if limit not in now})
    ]
