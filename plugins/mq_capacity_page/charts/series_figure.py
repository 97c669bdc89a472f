"""The chart of days: history, forecast, limits and crossing dates as a Plotly figure.

The figure is the JSON document that ``Plotly.newPlot`` takes; it is small and built by hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from mq_capacity_page.charts.frame import CONFIG, DATE_AXIS, corner_label, frame, hover_text
from mq_capacity_page.charts.limit_labels import limit_labels
from mq_capacity_page.charts.marks import ChartMarks, limit_line, mark_traces, release_lines
from mq_capacity_page.charts.themes import PALETTES, Palette, Theme
from mq_capacity_page.charts.value_range import (
    Trace,
    TraceRole,
    label_far_limits,
    top_of,
    with_role,
)
from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import Statistic
from mqcap.domain.numbers import figure, percent, quantity
from mqcap.presentation import dates, display_units
from mqcap.presentation.crossing_text import side

VISIBLE_HISTORY_DAYS: Final = 180
"""History in view at first; zooming out shows the rest."""
LABEL_STEP_PX: Final = 15
HISTORY_LABELS: Final = {
    Statistic.peak: "Daily peak",
    Statistic.p95: "95th percentile of hours",
    Statistic.mean: "Daily mean",
}
RANGE_LABEL: Final = "Earliest to latest crossing date"
WEEKLY_LABEL: Final = "Highest of the week"
EARLIER_LABEL: Final = "13 weeks earlier"
LEGEND_FIRST: Final = 1  # Plotly's default rank is 1000


class DailyValue(NamedTuple):
    """Measured site day, in the unit of the series."""

    site_date: date
    peak: float
    p95: float
    mean: float | None = None


class SeriesChartData(NamedTuple):
    """Everything that is drawn of one series."""

    unit: str
    days: Sequence[DailyValue]
    statistic: Statistic
    """Drawn with the strongest line: the limits are compared with it."""
    forecast: Forecast | None
    crossings: Sequence[Crossing]
    site_date: date
    """The day the page shows; nothing later is used."""
    marks: ChartMarks = ChartMarks()
    limit_steps: Mapping[str, Sequence[tuple[date, float]]] = MappingProxyType({})
    """By rule: first day and value of each limit that a planned change brings."""
    rule_limits: Mapping[str, str] = MappingProxyType({})
    """By rule: its limit in its own unit (``12 h``), where the line is what corresponds to it."""
    crossings_note: str = ""
    """Ends the names of the crossing dates where another state than today's is drawn with them."""


def series_figure(data: SeriesChartData, theme: Theme = Theme.light) -> dict[str, Any]:
    """Return history, forecast with its prediction interval, limits and range of crossing dates."""
    palette = PALETTES[theme]
    factor, unit = display_units.current().scale(data.unit)
    traces = [
        *_seasons(data, factor, unit, palette),
        *_history(data, factor, unit, palette),
        *_forecast(data.forecast, factor, unit, palette),
        *_limits(data, factor, unit, palette),
        *_range_named(data, palette),
        *mark_traces(data.marks, palette, factor),
    ]
    return {
        "data": label_far_limits(traces),
        "layout": _layout(data, traces, unit, palette),
        "config": CONFIG,
    }


def _history(data: SeriesChartData, factor: float, unit: str, palette: Palette) -> list[Trace]:
    """Return lines of the history; a day that was not measured is a gap.

    ``customdata`` of a point is the day whose records are behind it.
    """
    if not data.days:
        return []
    by_date = {day.site_date: day for day in data.days}
    calendar = _calendar(min(by_date), max(by_date))
    measured = [by_date.get(day) for day in calendar]
    axis = [day.isoformat() for day in calendar]
    strong, faint = {"color": palette.peak, "width": 1.8}, {"color": palette.p95, "width": 1}
    lines = []
    for statistic in _drawn(data.statistic):
        values = [_scaled(day, statistic, factor) for day in measured]
        style = strong if statistic is data.statistic else faint
        line = line_trace(HISTORY_LABELS[statistic], axis, values, unit, style)
        lines.append(line | {"customdata": axis})
    return [*lines[:-1], lines[-1] | {"legendrank": LEGEND_FIRST}]


def _seasons(data: SeriesChartData, factor: float, unit: str, palette: Palette) -> list[Trace]:
    """Return faint lines: the highest value of each week, and the days of 13 weeks earlier."""
    if not data.days:
        return []
    first, last = _in_view(data)
    peaks = {day.site_date: day.peak * factor for day in data.days}
    weeks, highest = weekly_peaks(peaks)
    weekly = {"color": palette.weekly, "width": 1, "shape": "hv"}
    days = _calendar(first, min(last, max(peaks) + QUARTER))
    chosen = {day.site_date: _scaled(day, data.statistic, factor) for day in data.days}
    earlier = quarter_earlier(days, chosen)
    faint = {"color": palette.cutoff, "width": 1, "dash": "dot"}
    traces = [line_trace(WEEKLY_LABEL, [day.isoformat() for day in weeks], highest, unit, weekly)]
    if any(value is not None for value in earlier):
        axis = [day.isoformat() for day in days]
        traces.append(line_trace(EARLIER_LABEL, axis, earlier, unit, faint))
    return traces


def _drawn(chosen: Statistic) -> list[Statistic]:
    """Return peak and 95th percentile, and the mean if chosen; the chosen one last, on top."""
    usual = [Statistic.p95, Statistic.peak]
    return [*(statistic for statistic in usual if statistic is not chosen), chosen]


def _scaled(day: DailyValue | None, statistic: Statistic, factor: float) -> float | None:
    value: float | None = None if day is None else getattr(day, statistic)
    return None if value is None else value * factor


def _forecast(forecast: Forecast | None, factor: float, unit: str, palette: Palette) -> list[Trace]:
    if forecast is None or not forecast.points:
        return []
    axis = [point.site_date.isoformat() for point in forecast.points]
    no_line = {"width": 0, "color": palette.forecast}
    interval = f"{percent(forecast.interval_width)} prediction interval"
    of_what = "peak" if forecast.statistic is Statistic.peak else forecast.statistic.value
    upper = [point.upper * factor for point in forecast.points]
    lower = [point.lower * factor for point in forecast.points]
    expected = [point.expected * factor for point in forecast.points]
    middle = {"color": palette.forecast, "width": 1.8}
    return [
        {**line_trace("Upper bound", axis, upper, unit, no_line), "showlegend": False},
        {
            **line_trace(interval, axis, lower, unit, no_line),
            "hovertemplate": hover_text(unit, f"Lower bound, {interval}"),
            "fill": "tonexty",
            "fillcolor": palette.interval,
        },
        with_role(
            line_trace(f"Forecast {of_what}", axis, expected, unit, middle), TraceRole.forecast
        ),
    ]


def _limits(data: SeriesChartData, factor: float, unit: str, palette: Palette) -> list[Trace]:
    """Return a line per distinct limit, over the full width."""
    line = {"color": palette.limit, "width": 1.6, "dash": "longdashdot"}
    rules: dict[tuple[float, tuple[tuple[date, float], ...]], list[str]] = {}
    stated = data.rule_limits
    for crossing in data.crossings:
        planned = data.limit_steps.get(crossing.rule_id, ())
        key = crossing.limit_value * factor, tuple((day, later * factor) for day, later in planned)
        own = f", {stated[crossing.rule_id]}" if crossing.rule_id in stated else ""
        rules.setdefault(key, []).append(f"{crossing.rule_id}{own}")
    traces = []
    for (value, steps), names in sorted(rules.items()):
        axis, values = limit_line(_span(data), value, steps)
        then = "".join(f", {figure(later)} from {dates.short_day(day)}" for day, later in steps)
        name = f"Limit {quantity(value, unit)}{then} ({', '.join(names)})"
        traces.append(with_role(line_trace(name, axis, values, unit, line), TraceRole.limit))
    return traces


def _range_named(data: SeriesChartData, palette: Palette) -> list[Trace]:
    """Return a legend entry for the shaded strip; it draws nothing itself."""
    if not any(
        each.earliest_date or each.expected_date or each.latest_date for each in _dated(data)
    ):
        return []
    sign = {"symbol": "square", "size": 14, "color": palette.crossing}
    sign |= {"line": {"width": 1, "color": palette.limit}}
    name = f"{RANGE_LABEL}{data.crossings_note}"
    named = {"type": "scatter", "mode": "markers", "name": name, "marker": sign}
    return [named | {"x": [data.site_date.isoformat()], "y": [None], "hoverinfo": "skip"}]


def line_trace(
    name: str, axis: list[str], values: Sequence[float | None], unit: str, line: dict[str, Any]
) -> Trace:
    """Return a line of values; ``None`` is a gap in it."""
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "x": axis,
        "y": [None if value is None else round(value, 6) for value in values],
        "line": line,
        "connectgaps": False,
        "hovertemplate": hover_text(unit),
    }


def _layout(data: SeriesChartData, traces: Sequence[Trace], unit: str, palette: Palette) -> Trace:
    axis = {"gridcolor": palette.grid, "linecolor": palette.grid, "zeroline": False}
    start, last = _in_view(data)
    lines, labels = release_lines(data.marks, palette)
    top = top_of(traces)
    months = month_end_lines(month_ends(*_span(data)), palette.cutoff)
    labels = [*labels, *limit_labels(traces, top, last, unit, palette)]
    return {
        **frame(palette),
        "xaxis": {**axis, **DATE_AXIS, "range": [start.isoformat(), last.isoformat()]},
        "yaxis": {**axis, "range": [0, top], "tickformat": ",~r"},
        "shapes": [*_shapes(data, last, palette), *months, *lines],
        "annotations": [corner_label(unit, palette), *_labels(data, palette), *labels],
    }


def _shapes(data: SeriesChartData, last: date, palette: Palette) -> list[dict[str, Any]]:
    """Return vertical lines of site day and expected dates, a strip per range of crossing dates."""
    cutoff = {"color": palette.cutoff, "width": 1, "dash": "dot"}
    expected = {"color": palette.limit, "width": 1, "dash": "dot"}
    shapes: list[dict[str, Any]] = [_vertical(data.site_date, data.site_date, "line", line=cutoff)]
    for crossing in _dated(data):
        first = crossing.earliest_date or crossing.expected_date or crossing.latest_date
        if first is not None:
            end = crossing.latest_date or last
            strip = {"fillcolor": palette.crossing, "line": {"width": 0}}
            shapes.append(_vertical(first, end, "rect", **strip))
        if crossing.expected_date is not None:
            day = crossing.expected_date
            shapes.append(_vertical(day, day, "line", line=expected))
    since = (day for day, _ in _passed(data))
    return [*shapes, *(_vertical(day, day, "line", line=expected) for day in since)]


def _vertical(first: date, last: date, kind: str, **style: Any) -> dict[str, Any]:
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


def _labels(data: SeriesChartData, palette: Palette) -> list[dict[str, Any]]:
    """Return labels of the vertical lines."""
    ground = {"bgcolor": palette.ground}
    labels = [_label(data.site_date, "data up to here", "right", palette.cutoff) | ground]
    first, last = _in_view(data)
    for day in sorted({each.expected_date for each in _dated(data) if each.expected_date}):
        anchor = "right" if day - first > last - day else "left"  # a phone is narrow
        words = f"expected {dates.short_day(day)}{data.crossings_note}"
        labels.append(_label(day, words, anchor, palette.limit) | ground)
    for day, words in _passed(data):
        arrow = "\N{LEFTWARDS ARROW} " if day < first else ""
        anchor = "right" if day - first > last - day else "left"
        named = f"{arrow}{words}{data.crossings_note}"
        labels.append(_label(max(day, first), named, anchor, palette.limit) | ground)
    for number, label in enumerate(labels[1:], 1):
        label["yshift"] = -LABEL_STEP_PX * number
    return labels


def _passed(data: SeriesChartData) -> list[tuple[date, str]]:
    """Return since when limits are passed, with the words of each such day."""
    passed = {
        (each.breached_since, f"{side(each, None)} the limit since")
        for each in data.crossings
        if each.state is CrossingState.breached and each.breached_since is not None
    }
    return [(day, f"{words} {dates.short_day(day)}") for day, words in sorted(passed)]


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


def _dated(data: SeriesChartData) -> list[Crossing]:
    return [each for each in data.crossings if each.state is CrossingState.will_cross]


def _span(data: SeriesChartData) -> tuple[date, date]:
    """Return the first and last day of anything drawn."""
    days = [data.site_date, *(day.site_date for day in data.days)]
    if data.forecast:
        days += [point.site_date for point in data.forecast.points]
    return min(days), max(days)


def _in_view(data: SeriesChartData) -> tuple[date, date]:
    """Return the first and last day that are in view at first."""
    first, last = _span(data)
    return max(first, data.site_date - timedelta(days=VISIBLE_HISTORY_DAYS)), last


def _calendar(first: date, last: date) -> list[date]:
    return [first + timedelta(days=count) for count in range((last - first).days + 1)]


QUARTER: Final = timedelta(weeks=13)
"""A quarter of whole weeks, so that days of the week meet (ours)."""
MONTH_END_HEIGHT_RATIO: Final = 0.03
"""Height of the sign of a month's last day, of the chart's height (ours)."""


def month_ends(first: date, last: date) -> list[date]:
    """Return the last day of each month from ``first`` to ``last``, both included."""
    days = (first + timedelta(days=count) for count in range((last - first).days + 1))
    return [day for day in days if (day + timedelta(days=1)).day == 1]


def month_end_lines(days: Iterable[date], colour: str) -> list[dict[str, Any]]:
    """Return a short vertical line above the axis of days for each of them."""
    return [
        {
            "type": "line", "layer": "below", "yref": "paper", "y0": 0,
            "y1": MONTH_END_HEIGHT_RATIO, "x0": day.isoformat(), "x1": day.isoformat(),
            "line": {"color": colour, "width": 2},
        }
        for day in days
    ]  # fmt: skip


def weekly_peaks(peaks: Mapping[date, float]) -> tuple[list[date], list[float | None]]:
    """Return Mondays with the highest value of their week, and the day after the last week.

    A week in which nothing was measured has ``None``. The end of the last week repeats its value,
    so that a line of steps has its full width. Empty without values.
    """
    if not peaks:
        return [], []
    highest: dict[date, float] = {}
    for day, value in peaks.items():
        monday = day - timedelta(days=day.weekday())
        highest[monday] = max(value, highest.get(monday, value))
    first, last = min(highest), max(highest)
    weeks = range((last - first).days // 7 + 1)
    mondays = [first + timedelta(weeks=count) for count in weeks]
    return (
        [*mondays, last + timedelta(weeks=1)],
        [*(highest.get(monday) for monday in mondays), highest[last]],
    )


def quarter_earlier(
    axis: Sequence[date], values: Mapping[date, float | None]
) -> list[float | None]:
    """Return for each day the value measured 13 weeks before it; ``None`` where there is none."""
    return [values.get(day - QUARTER) for day in axis]
