"""SVG of a chart, for pages: as wide as its place, in the colours of the style sheet.

The plot is stretched, letters and strokes are not: places are percentages, so that a phone gets the
same picture without a second one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, time, timedelta
from html import escape
from typing import Any, Final
from zoneinfo import ZoneInfo

from markupsafe import Markup

from mqcap.domain.numbers import figure, quantity, unit_words
from mqcap.presentation import dates, display_units
from mqcap.presentation.charts import Chart, Limit, day_at, time_ticks

WIDTH: Final = 1_000
HEIGHT: Final = 1_000
"""Of the stretched plot, in its own units."""
_LABEL_APART_RATIO: Final = 0.06


def chart_svg(chart: Chart) -> Markup:
    """Return the chart as an SVG element of class ``chart-svg``."""
    scale = _Scale(chart)
    inner = "".join(
        [
            _grid(chart, scale),
            (
                f'<svg class="data" viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="none" '
                f'width="100%" height="100%">{"".join(_shapes(chart, scale))}</svg>'
            ),
            _labels(chart, scale),
        ]
    )
    words = f"{chart.title}: {', '.join(name for _, name in chart.legend)}".lstrip(": ")
    return Markup(  # noqa: S704 - texts are escaped
        f'<svg class="chart-svg" role="img" aria-label="{escape(words)}">{inner}'
        '<line class="cursor" y1="0" y2="100%" x1="-9" x2="-9"/></svg>'
    )


def chart_values(chart: Chart) -> str:
    """Return what the pointer shows, as JSON: place, day and figures of each point."""
    columns: dict[float, dict[str, str]] = {}
    for line in chart.lines:
        for at, value in line.points:
            if value is not None:
                columns.setdefault(at, {})[line.name] = quantity(value, chart.unit)
    for part in chart.bars:
        for at, value in part.points:
            columns.setdefault(at, {})[part.name] = quantity(value, chart.unit)
    for at, lower, upper in chart.band:
        words = f"{figure(lower)} to {quantity(upper, chart.unit)}"
        columns.setdefault(at, {})["Range of 80 %"] = words
    for event in chart.events:
        columns.setdefault(event.at, {})["Event"] = event.words
    scale = _Scale(chart)
    rows: list[dict[str, Any]] = [
        {
            "x": round(scale.across(at), 2),
            "t": _moment(at),
            "at": _address(at),
            "v": columns[at],
        }
        for at in sorted(columns)
        if chart.first <= at <= chart.last
    ]
    return json.dumps(rows, ensure_ascii=False)


def spark_svg(
    history: Sequence[tuple[float, float]],
    ahead: Sequence[tuple[float, float]],
    limit: float | None,
    span: tuple[float, float],
) -> Markup:
    """Return a line of a row: what was measured, what is expected, and the limit.

    ``span`` is the first and the last place; the axis ends above whichever is highest, the limit
    included, and begins at 0.
    """
    values = [value for _, value in (*history, *ahead)]
    if not values:
        return Markup("")
    top = max([*values, limit or 0.0]) * 1.06 or 1.0
    first, last = span
    width = last - first or 1.0

    def place(points: Iterable[tuple[float, float]]) -> str:
        return " ".join(
            f"{190 * (at - first) / width:.0f},{30 - 29 * value / top:.1f}" for at, value in points
        )

    line = "" if limit is None else _spark_limit(limit, top)
    return Markup(  # noqa: S704 - numbers only
        '<svg class="spark" viewBox="0 0 190 31" preserveAspectRatio="none" aria-hidden="true">'
        f'<polyline class="strong" points="{place(history)}"/>'
        f'<polyline class="forecast" points="{place([*history[-1:], *ahead])}"/>{line}</svg>'
    )


def _spark_limit(limit: float, top: float) -> str:
    height = f"{30 - 29 * limit / top:.1f}"
    return f'<line class="limit" x1="0" x2="190" y1="{height}" y2="{height}"/>'


class _Scale:
    def __init__(self, chart: Chart) -> None:
        self._first, self._span = chart.first, max(chart.last - chart.first, 1e-9)
        self._top = chart.top

    def across(self, at: float) -> float:
        """Return a place as a percentage of the width."""
        return 100 * (at - self._first) / self._span

    def down(self, value: float) -> float:
        """Return a value as a percentage of the height, from above."""
        return 100 * (1 - value / self._top)

    def point(self, at: float, value: float) -> str:
        return f"{self.across(at) * WIDTH / 100:.1f},{self.down(value) * HEIGHT / 100:.1f}"


def _grid(chart: Chart, scale: _Scale) -> str:
    lines = [
        f'<line class="grid" x1="0" x2="100%" y1="{scale.down(value):.2f}%" '
        f'y2="{scale.down(value):.2f}%"/><text class="value" x="-8" '
        f'y="{scale.down(value):.2f}%" dy=".35em">{figure(value)}</text>'
        for value in chart.value_ticks
    ]
    lines.append(f'<text class="unit" x="-44" y="-14">{escape(unit_words(chart.unit))}</text>')
    ticks = time_ticks(chart.first, chart.last)
    for place, (at, words) in enumerate(ticks):
        across = f"{scale.across(at):.2f}%"
        first, _, second = words.partition("\n")
        spare = " spare" if place % 2 else ""
        below = f'<text class="time{spare}" x="{across}" y="100%" dy="2.6em">{second}</text>'
        lines.append(
            f'<line class="grid{spare}" x1="{across}" x2="{across}" y1="100%" y2="98%"/>'
            f'<text class="time{spare}" x="{across}" y="100%" dy="1.4em">{first}</text>'
            f"{below if second else ''}"
        )
    return "".join(lines)


def _shapes(chart: Chart, scale: _Scale) -> Iterable[str]:
    if chart.crossing is not None:
        first, last = (scale.across(at) * WIDTH / 100 for at in chart.crossing)
        yield (
            f'<rect class="crossing" x="{first:.1f}" width="{max(last - first, 2):.1f}" y="0" '
            f'height="{HEIGHT}"/>'
        )
    yield from _bars(chart, scale)
    if chart.band:
        upper = [scale.point(at, high) for at, _, high in chart.band]
        lower = [scale.point(at, low) for at, low, _ in reversed(chart.band)]
        yield f'<polygon class="band" points="{" ".join([*upper, *lower])}"/>'
    for line in reversed(chart.lines):
        for part in _without_gaps(line.points):
            points = " ".join(scale.point(at, value) for at, value in part)
            yield f'<polyline class="{line.role}" points="{points}"/>'
    if chart.now is not None and chart.now < chart.last:
        at = f"{scale.across(chart.now) * WIDTH / 100:.1f}"
        yield f'<line class="now" x1="{at}" x2="{at}" y1="0" y2="{HEIGHT}"/>'
    for limit in chart.limits:
        if not chart.is_far(limit):
            kind = "option-limit" if limit.is_option else "limit"
            ends = [
                scale.point(at, limit.value)
                for at in (limit.first or chart.first, limit.last or chart.last)
            ]
            yield f'<polyline class="{kind}" points="{" ".join(ends)}"/>'


def _bars(chart: Chart, scale: _Scale) -> Iterable[str]:
    below: dict[float, float] = {}
    width = 0.88 * WIDTH / max(chart.last - chart.first, 1.0)
    for place, part in enumerate(chart.bars):
        for at, value in part.points:
            base = below.get(at, 0.0)
            below[at] = base + value
            left = scale.across(at) * WIDTH / 100 - width / 2
            upper, lower = (scale.down(each) * HEIGHT / 100 for each in (base + value, base))
            yield (
                f'<rect class="part-{place}" x="{left:.1f}" width="{width:.1f}" '
                f'y="{upper:.1f}" height="{lower - upper:.1f}"/>'
            )


def _labels(chart: Chart, scale: _Scale) -> str:
    """Return the values of limits beside the plot, and the signs of events below it."""
    texts = []
    used = float("-inf")
    for limit in sorted(_drawn(chart), key=lambda each: each.value):
        height = max(limit.value, used + _LABEL_APART_RATIO * chart.top)
        used = height
        kind = "option-limit" if limit.is_option else "limit"
        texts.append(
            f'<text class="of-{kind}" x="100%" dx="6" y="{scale.down(height):.2f}%" dy=".35em">'
            f"{escape(limit.label)}</text>"
        )
    signs = [
        f'<svg class="event" x="{scale.across(event.at):.2f}%" y="100%"><path '
        f'd="M0,-9 l5,9 l-10,0 z"><title>{escape(_moment(event.at))}: '
        f"{escape(event.words)}</title></path></svg>"
        for event in chart.events
    ]
    return "".join([*texts, *signs])


def _drawn(chart: Chart) -> list[Limit]:
    return [limit for limit in chart.limits if not chart.is_far(limit)]


def _without_gaps(
    points: Iterable[tuple[float, float | None]],
) -> Iterable[list[tuple[float, float]]]:
    part: list[tuple[float, float]] = []
    for at, value in points:
        if value is not None:
            part.append((at, value))
        elif part:
            yield part
            part = []
    if part:
        yield part


def _address(at: float) -> str:
    """Return a day, or an instant in UTC, as the page of records takes it."""
    minutes = round(at % 1 * 24 * 60)
    if not minutes:
        return day_at(at).isoformat()
    zone = ZoneInfo(display_units.current().zone)
    moment = datetime.combine(day_at(at), time(), zone) + timedelta(minutes=minutes)
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%MZ}"


def _moment(at: float) -> str:
    words = dates.day_words(day_at(at))
    minutes = round(at % 1 * 24 * 60)
    return f"{words} {minutes // 60:02}:{minutes % 60:02}" if minutes else words
