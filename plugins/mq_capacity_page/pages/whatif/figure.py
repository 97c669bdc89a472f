"""One series before and after a scenario: the usual chart with the other forecast over it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from mq_capacity_page.charts.frame import hover_words
from mq_capacity_page.charts.series_figure import SeriesRows, series_figure
from mq_capacity_page.charts.themes import PALETTES, Palette, Theme
from mq_capacity_page.charts.value_range import Trace, top_of
from mqcap.domain.forecast import Forecast
from mqcap.presentation import wording

AFTER_COLOURS: Final = {
    Theme.light: ("#0f766e", "rgba(15,118,110,0.16)"),
    Theme.dark: ("#5eead4", "rgba(94,234,212,0.18)"),
}
"""Line and band of the scenario; at least 3 to 1 on the ground, apart from the forecast's."""


class After(NamedTuple):
    """What is drawn of the scenario."""

    forecasts: Sequence[Forecast]
    """One for each corner of its ranges."""
    limits: Sequence[float]
    start: date | None


def whatif_figure(rows: SeriesRows, after: After, theme: Theme = Theme.light) -> dict[str, Any]:
    """The figure of the series with the scenario's forecasts and limits."""
    palette = PALETTES[theme]
    factor, unit = wording.chart_scale(rows.unit)
    figure = series_figure(rows, theme)
    added = [
        *_forecasts(after.forecasts, factor, unit, AFTER_COLOURS[theme]),
        *_limits(rows, after, factor, unit, palette),
    ]
    figure["data"] = [_faint(trace) for trace in figure["data"]] + added
    figure["layout"]["yaxis"]["range"] = [0, top_of(figure["data"])]
    return figure


def _faint(trace: Trace) -> Trace:
    """The forecast as it is becomes a dashed line, so that the scenario's stands out."""
    if not str(trace["name"]).startswith("Forecast"):
        return trace
    return {**trace, "name": f"{trace['name']}, as it is", "line": {**trace["line"], "dash": "dot"}}


def _forecasts(
    made: Sequence[Forecast], factor: float, unit: str, colours: tuple[str, str]
) -> list[Trace]:
    """The band from the lowest to the highest edge, and the expected lines of both ends."""
    drawn = [one for one in made if one.points]
    if not drawn:
        return []
    line, band = colours
    axis = [point.site_date.isoformat() for point in drawn[0].points]
    days = list(zip(*(one.points for one in drawn), strict=True))
    lower = [min(point.lower for point in day) * factor for day in days]
    upper = [max(point.upper for point in day) * factor for day in days]
    low = [min(point.expected for point in day) * factor for day in days]
    high = [max(point.expected for point in day) * factor for day in days]
    edge = {"width": 0, "color": line}
    strong = {"color": line, "width": 2}
    ends = (
        [("With the scenario", low)]
        if low == high
        else [("With the scenario, low end", low), ("With the scenario, high end", high)]
    )
    return [
        {**_trace("Upper edge with it", axis, upper, unit, edge), "showlegend": False},
        {
            **_trace("Lower edge with it", axis, lower, unit, edge),
            "showlegend": False,
            "fill": "tonexty",
            "fillcolor": band,
        },
        *(_trace(name, axis, values, unit, strong) for name, values in ends),
    ]


def _limits(
    rows: SeriesRows, after: After, factor: float, unit: str, palette: Palette
) -> list[Trace]:
    """Limits that the scenario moves, from its start to the end of the forecast."""
    now = {crossing.limit_value for crossing in rows.crossings}
    points = rows.forecast.points if rows.forecast else ()
    last = points[-1].site_date if points else rows.site_date
    ends = [max(after.start or rows.site_date, rows.site_date).isoformat(), last.isoformat()]
    line = {"color": palette.limit, "width": 2.2}
    return [
        _trace(
            f"Limit with the scenario {wording.number(limit * factor)} {unit}",
            ends,
            [limit * factor] * 2,
            unit,
            line,
        )
        for limit in sorted({one for one in after.limits if one not in now})
    ]


def _trace(
    name: str, axis: list[str], values: Sequence[float], unit: str, line: dict[str, Any]
) -> Trace:
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "x": axis,
        "y": [round(value, 6) for value in values],
        "line": line,
        "hovertemplate": hover_words(unit),
    }
