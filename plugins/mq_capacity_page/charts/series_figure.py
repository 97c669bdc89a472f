"""Charts as Plotly figures: rows in, the JSON that ``Plotly.newPlot`` takes out.

The figure is a plain document built by hand: it is small, and every part of it is tested.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from mq_capacity_page.charts.frame import CONFIG, DATE_AXIS, corner_label, frame, hover_words
from mq_capacity_page.charts.marks import Marks, limit_line, mark_traces, release_lines
from mq_capacity_page.charts.themes import PALETTES, Palette, Theme
from mq_capacity_page.charts.value_range import Trace, far_limits_named, top_of
from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import Statistic
from mqcap.presentation import wording

VISIBLE_HISTORY_DAYS: Final = 180
"""History in view at first; the rest is reached by zooming out."""
LABEL_STEP_PX: Final = 15
HISTORY_WORDS: Final = {
    Statistic.peak: "Daily peak",
    Statistic.p95: "95th percentile of hours",
    Statistic.mean: "Daily mean",
}
RANGE_WORDS: Final = "Earliest to latest date of passing the limit"
LEGEND_FIRST: Final = 1  # Plotly's default rank is 1000


class DailyValue(NamedTuple):
    """One measured site day, in the unit of the series."""

    site_date: date
    peak: float
    p95: float
    mean: float | None = None


class SeriesRows(NamedTuple):
    """Everything that is drawn of one series."""

    unit: str
    days: Sequence[DailyValue]
    statistic: Statistic
    """Whose line is drawn strongest: the one that the limits are compared with."""
    forecast: Forecast | None
    crossings: Sequence[Crossing]
    site_date: date
    """The day the page shows; nothing later is known."""
    marks: Marks = Marks()
    limit_steps: Mapping[str, Sequence[tuple[date, float]]] = MappingProxyType({})
    """By rule: first day and value of each limit that a planned change brings."""


def series_figure(rows: SeriesRows, theme: Theme = Theme.light) -> dict[str, Any]:
    """History, forecast with its band, limits and the range of crossing dates."""
    palette = PALETTES[theme]
    factor, unit = wording.chart_scale(rows.unit)
    traces = [
        *_history(rows, factor, unit, palette),
        *_forecast(rows.forecast, factor, unit, palette),
        *_limits(rows, factor, unit, palette),
        *_range_named(rows, palette),
        *mark_traces(rows.marks, palette, factor),
    ]
    return {
        "data": far_limits_named(traces),
        "layout": _layout(rows, traces, unit, palette),
        "config": CONFIG,
    }


def _history(rows: SeriesRows, factor: float, unit: str, palette: Palette) -> list[Trace]:
    """Peak and p95; a day not measured is a gap in the line, not a bridge.

    ``customdata`` is what a point leads to: the day whose records are behind it.
    """
    if not rows.days:
        return []
    by_date = {day.site_date: day for day in rows.days}
    calendar = _calendar(min(by_date), max(by_date))
    found = [by_date.get(day) for day in calendar]
    axis = [day.isoformat() for day in calendar]
    strong, faint = {"color": palette.peak, "width": 1.8}, {"color": palette.p95, "width": 1}
    lines = []
    for statistic in _drawn(rows.statistic):
        values = [_scaled(day, statistic, factor) for day in found]
        style = strong if statistic is rows.statistic else faint
        line = line_trace(HISTORY_WORDS[statistic], axis, values, unit, style)
        lines.append(line | {"customdata": axis})
    return [*lines[:-1], lines[-1] | {"legendrank": LEGEND_FIRST}]


def _drawn(chosen: Statistic) -> list[Statistic]:
    """Peak and p95, and the mean for who has chosen it; what is chosen is drawn over the others."""
    usual = [Statistic.p95, Statistic.peak]
    return [*(one for one in usual if one is not chosen), chosen]


def _scaled(day: DailyValue | None, statistic: Statistic, factor: float) -> float | None:
    value: float | None = None if day is None else getattr(day, statistic)
    return None if value is None else value * factor


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
    middle = {"color": palette.forecast, "width": 1.8}
    return [
        {**line_trace("Upper edge", axis, upper, unit, edge), "showlegend": False},
        {
            **line_trace(share, axis, lower, unit, edge),
            "hovertemplate": hover_words(unit, f"Lower edge, {share}"),
            "fill": "tonexty",
            "fillcolor": palette.band,
        },
        line_trace(f"Forecast {of_what}", axis, expected, unit, middle),
    ]


def _limits(rows: SeriesRows, factor: float, unit: str, palette: Palette) -> list[Trace]:
    """One level line per distinct limit, over the whole width."""
    line = {"color": palette.limit, "width": 1.6, "dash": "longdashdot"}
    rules: dict[tuple[float, tuple[tuple[date, float], ...]], list[str]] = {}
    for crossing in rows.crossings:
        planned = rows.limit_steps.get(crossing.rule_id, ())
        key = crossing.limit_value * factor, tuple((day, one * factor) for day, one in planned)
        rules.setdefault(key, []).append(crossing.rule_id)
    traces = []
    for (value, steps), names in sorted(rules.items()):
        axis, values = limit_line(_span(rows), value, steps)
        then = "".join(
            f", {wording.number(later)} from {wording.short_day(day)}" for day, later in steps
        )
        name = f"Limit {wording.number(value)} {unit}{then} ({', '.join(names)})"
        traces.append(line_trace(name, axis, values, unit, line))
    return traces


def _range_named(rows: SeriesRows, palette: Palette) -> list[Trace]:
    """What the shaded strip is: a line of the legend that draws nothing itself."""
    if not any(one.earliest_date or one.expected_date or one.latest_date for one in _dated(rows)):
        return []
    sign = {"symbol": "square", "size": 14, "color": palette.crossing}
    sign |= {"line": {"width": 1, "color": palette.limit}}
    named = {"type": "scatter", "mode": "markers", "name": RANGE_WORDS, "marker": sign}
    return [named | {"x": [rows.site_date.isoformat()], "y": [None], "hoverinfo": "skip"}]


def line_trace(
    name: str, axis: list[str], values: Sequence[float | None], unit: str, line: dict[str, Any]
) -> Trace:
    """A line of values; ``None`` is a gap in it."""
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "x": axis,
        "y": [None if value is None else round(value, 6) for value in values],
        "line": line,
        "connectgaps": False,
        "hovertemplate": hover_words(unit),
    }


def _layout(rows: SeriesRows, traces: Iterable[Trace], unit: str, palette: Palette) -> Trace:
    axis = {"gridcolor": palette.grid, "linecolor": palette.grid, "zeroline": False}
    start, last = _in_view(rows)
    upright, words = release_lines(rows.marks, palette)
    return {
        **frame(palette),
        "xaxis": {**axis, **DATE_AXIS, "range": [start.isoformat(), last.isoformat()]},
        "yaxis": {**axis, "range": [0, top_of(traces)], "tickformat": ",~r"},
        "shapes": [*_shapes(rows, last, palette), *upright],
        "annotations": [corner_label(unit, palette), *_labels(rows, palette), *words],
    }


def _shapes(rows: SeriesRows, last: date, palette: Palette) -> list[dict[str, Any]]:
    """Site day and expected dates as upright lines, each range of crossing dates as a strip."""
    cutoff = {"color": palette.cutoff, "width": 1, "dash": "dot"}
    expected = {"color": palette.limit, "width": 1, "dash": "dot"}
    shapes: list[dict[str, Any]] = [_upright(rows.site_date, rows.site_date, "line", line=cutoff)]
    for crossing in _dated(rows):
        first = crossing.earliest_date or crossing.expected_date or crossing.latest_date
        if first is not None:
            end = crossing.latest_date or last
            strip = {"fillcolor": palette.crossing, "line": {"width": 0}}
            shapes.append(_upright(first, end, "rect", **strip))
        if crossing.expected_date is not None:
            day = crossing.expected_date
            shapes.append(_upright(day, day, "line", line=expected))
    return shapes


def _upright(first: date, last: date, kind: str, **style: Any) -> dict[str, Any]:
    return {
        "type": kind,
        "layer": "below",
        "yref": "paper",
        "y0": 0,
        "y1": 1,
        "x0": first.isoformat(),
        "x1": last.isoformat(),
        **style,
    }


def _labels(rows: SeriesRows, palette: Palette) -> list[dict[str, Any]]:
    """What the upright lines mean."""
    ground = {"bgcolor": palette.ground}
    labels = [_label(rows.site_date, "known up to here", "right", palette.cutoff) | ground]
    first, last = _in_view(rows)
    for day in sorted({one.expected_date for one in _dated(rows) if one.expected_date}):
        anchor = "right" if day - first > last - day else "left"  # a phone is narrow
        words = f"expected {wording.short_day(day)}"
        labels.append(_label(day, words, anchor, palette.limit) | ground)
        labels[-1]["yshift"] = -LABEL_STEP_PX * (len(labels) - 1)
    return labels


def _label(day: date, words: str, anchor: str, colour: str) -> dict[str, Any]:
    return {
        "x": day.isoformat(),
        "y": 1,
        "yref": "paper",
        "text": words,
        "showarrow": False,
        "xanchor": anchor,
        "yanchor": "top",
        "xshift": 4 if anchor == "left" else -4,
        "font": {"color": colour, "size": 11},
    }


def _dated(rows: SeriesRows) -> list[Crossing]:
    return [one for one in rows.crossings if one.state is CrossingState.will_cross]


def _span(rows: SeriesRows) -> tuple[date, date]:
    """First and last day of anything drawn."""
    days = [rows.site_date, *(day.site_date for day in rows.days)]
    if rows.forecast:
        days += [point.site_date for point in rows.forecast.points]
    return min(days), max(days)


def _in_view(rows: SeriesRows) -> tuple[date, date]:
    """First and last day that are in view at first."""
    first, last = _span(rows)
    return max(first, rows.site_date - timedelta(days=VISIBLE_HISTORY_DAYS)), last


def _calendar(first: date, last: date) -> list[date]:
    return [first + timedelta(days=count) for count in range((last - first).days + 1)]
