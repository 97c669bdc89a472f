"""Charts as Plotly figures: rows in, the JSON that ``Plotly.newPlot`` takes out.

The figure is a plain document built by hand: it is small, and every part of it is tested.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from enum import StrEnum
from typing import Any, Final, NamedTuple

from domain.crossing import Crossing, CrossingState
from domain.forecast import Forecast
from domain.metric import Statistic
from mq_capacity_page import wording

Trace = dict[str, Any]
VISIBLE_HISTORY_DAYS: Final = 180
"""History in view at first; the rest is reached by zooming out."""
HEADROOM_ABOVE_RATIO: Final = 0.08


class Theme(StrEnum):
    """Which of the two palettes the reader's screen asks for."""

    light = "light"
    dark = "dark"


class Palette(NamedTuple):
    """Colours of one theme; contrast of lines on the background is at least 3 to 1."""

    text: str
    grid: str
    peak: str
    p95: str
    forecast: str
    band: str
    limit: str
    crossing: str
    cutoff: str


PALETTES: Final = {
    Theme.light: Palette(
        text="#3b4252",
        grid="#e3e7ee",
        peak="#1f5fa8",
        p95="#7c93b2",
        forecast="#b45309",
        band="rgba(217,119,6,0.18)",
        limit="#b42318",
        crossing="rgba(180,35,24,0.10)",
        cutoff="#8a93a3",
    ),
    Theme.dark: Palette(
        text="#c6cedb",
        grid="#2c3442",
        peak="#7ab3f0",
        p95="#6f86a5",
        forecast="#f0a94b",
        band="rgba(240,169,75,0.20)",
        limit="#ff8577",
        crossing="rgba(255,133,119,0.13)",
        cutoff="#7d8798",
    ),
}


class DailyValue(NamedTuple):
    """One measured site day, in the unit of the series."""

    site_date: date
    peak: float
    p95: float


class SeriesRows(NamedTuple):
    """Everything that is drawn of one series."""

    unit: str
    days: Sequence[DailyValue]
    forecast: Forecast | None
    crossings: Sequence[Crossing]
    site_date: date
    """The day the page shows; nothing later is known."""


def series_figure(rows: SeriesRows, theme: Theme = Theme.light) -> dict[str, Any]:
    """History, forecast with its band, limits and the range of crossing dates."""
    palette = PALETTES[theme]
    factor, unit = wording.chart_scale(rows.unit)
    traces = [
        *_history(rows, factor, unit, palette),
        *_forecast(rows.forecast, factor, unit, palette),
        *_limits(rows, factor, unit, palette),
    ]
    return {
        "data": traces,
        "layout": _layout(rows, traces, unit, palette),
        "config": {
            "displaylogo": False,
            "responsive": True,
            "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"],
        },
    }


def _history(rows: SeriesRows, factor: float, unit: str, palette: Palette) -> list[Trace]:
    """Peak and p95; a day not measured is a gap in the line, not a bridge."""
    if not rows.days:
        return []
    by_date = {day.site_date: day for day in rows.days}
    calendar = _calendar(min(by_date), max(by_date))
    found = [by_date.get(day) for day in calendar]
    axis = [day.isoformat() for day in calendar]
    peaks = [day.peak * factor if day else None for day in found]
    p95s = [day.p95 * factor if day else None for day in found]
    return [
        _line_trace(
            "95th percentile of hours", axis, p95s, unit, {"color": palette.p95, "width": 1}
        ),
        _line_trace("Daily peak", axis, peaks, unit, {"color": palette.peak, "width": 1.8}),
    ]


def _forecast(forecast: Forecast | None, factor: float, unit: str, palette: Palette) -> list[Trace]:
    if forecast is None or not forecast.points:
        return []
    axis = [point.site_date.isoformat() for point in forecast.points]
    edge = {"width": 0, "color": palette.forecast}
    share = f"{forecast.interval_width:.0%} band"
    of_what = "peak" if forecast.statistic is Statistic.peak else forecast.statistic.value
    upper = [point.upper * factor for point in forecast.points]
    lower = [point.lower * factor for point in forecast.points]
    expected = [point.expected * factor for point in forecast.points]
    dashed = {"color": palette.forecast, "width": 2, "dash": "dash"}
    return [
        {**_line_trace("Upper edge", axis, upper, unit, edge), "showlegend": False},
        {
            **_line_trace(share, axis, lower, unit, edge),
            "fill": "tonexty",
            "fillcolor": palette.band,
        },
        _line_trace(f"Forecast {of_what}", axis, expected, unit, dashed),
    ]


def _limits(rows: SeriesRows, factor: float, unit: str, palette: Palette) -> list[Trace]:
    """One level line per distinct limit, over the whole width."""
    span = _span(rows)
    ends = [span[0].isoformat(), span[1].isoformat()]
    line = {"color": palette.limit, "width": 1.6, "dash": "longdashdot"}
    rules: dict[float, list[str]] = {}
    for crossing in rows.crossings:
        rules.setdefault(crossing.limit_value * factor, []).append(crossing.rule_id)
    return [
        _line_trace(
            f"Limit {wording.number(value)} {unit} ({', '.join(names)})",
            ends,
            [value, value],
            unit,
            line,
        )
        for value, names in sorted(rules.items())
    ]


def _line_trace(
    name: str, axis: list[str], values: Sequence[float | None], unit: str, line: dict[str, Any]
) -> Trace:
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "x": axis,
        "y": [None if value is None else round(value, 6) for value in values],
        "line": line,
        "connectgaps": False,
        "hovertemplate": f"%{{y:,.4~g}} {unit}",
    }


def _layout(
    rows: SeriesRows, traces: Iterable[Trace], unit: str, palette: Palette
) -> dict[str, Any]:
    first, last = _span(rows)
    view_start = max(first, rows.site_date - timedelta(days=VISIBLE_HISTORY_DAYS))
    axis = {"gridcolor": palette.grid, "linecolor": palette.grid, "zeroline": False}
    return {
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"color": palette.text, "size": 12.5},
        "margin": {"l": 64, "r": 16, "t": 12, "b": 40},
        "hovermode": "x unified",
        "hoverlabel": {"namelength": -1},
        "dragmode": "zoom",
        "legend": {"orientation": "h", "x": 0, "y": -0.14, "yanchor": "top"},
        "xaxis": {
            **axis,
            "type": "date",
            "range": [view_start.isoformat(), last.isoformat()],
            "hoverformat": "%a %-d %b %Y",
            "tickformatstops": [
                {"dtickrange": [None, 604_800_000], "value": "%-d %b"},
                {"dtickrange": [604_800_000, None], "value": "%b %Y"},
            ],
        },
        "yaxis": {
            **axis,
            "title": {"text": unit, "standoff": 8},
            "range": [0, _top(traces)],
            "tickformat": ",~r",
        },
        "shapes": _shapes(rows, last, palette),
        "annotations": [_cutoff_label(rows.site_date, palette)],
    }


def _shapes(rows: SeriesRows, last: date, palette: Palette) -> list[dict[str, Any]]:
    """The site day as a thin line, and each range of crossing dates as a shaded strip."""
    upright = {"yref": "paper", "y0": 0, "y1": 1, "layer": "below"}
    shapes: list[dict[str, Any]] = [
        {
            **upright,
            "type": "line",
            "x0": rows.site_date.isoformat(),
            "x1": rows.site_date.isoformat(),
            "line": {"color": palette.cutoff, "width": 1, "dash": "dot"},
        }
    ]
    for crossing in rows.crossings:
        start = crossing.earliest_date or crossing.expected_date or crossing.latest_date
        if crossing.state is not CrossingState.will_cross or start is None:
            continue
        shapes.append(
            {
                **upright,
                "type": "rect",
                "x0": start.isoformat(),
                "x1": (crossing.latest_date or last).isoformat(),
                "fillcolor": palette.crossing,
                "line": {"width": 0},
            }
        )
    return shapes


def _cutoff_label(site_date: date, palette: Palette) -> dict[str, Any]:
    return {
        "x": site_date.isoformat(),
        "y": 1,
        "yref": "paper",
        "text": "known up to here",
        "showarrow": False,
        "xanchor": "right",
        "yanchor": "top",
        "xshift": -4,
        "font": {"color": palette.cutoff, "size": 11},
    }


def _span(rows: SeriesRows) -> tuple[date, date]:
    """First and last day of anything drawn."""
    days = [rows.site_date, *(day.site_date for day in rows.days)]
    if rows.forecast:
        days += [point.site_date for point in rows.forecast.points]
    return min(days), max(days)


def _top(traces: Iterable[Trace]) -> float:
    """Upper end of the value axis: everything drawn fits below, limits included."""
    highest = max(
        (value for trace in traces for value in trace["y"] if value is not None), default=1
    )
    return float(highest) * (1 + HEADROOM_ABOVE_RATIO) or 1.0


def _calendar(first: date, last: date) -> list[date]:
    return [first + timedelta(days=count) for count in range((last - first).days + 1)]
