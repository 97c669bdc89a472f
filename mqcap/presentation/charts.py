"""PNG chart of one series: history, forecast with prediction interval, limit, crossing range.

Pure, without a display: the same values give the same bytes.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import Final

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.dates import AutoDateLocator, ConciseDateFormatter
from matplotlib.figure import Figure
from PIL import Image
from pydantic import BaseModel, ConfigDict

from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.forecast import Forecast, ForecastPoint
from mqcap.domain.metric import Statistic, split_series_id
from mqcap.domain.problem import Problem
from mqcap.presentation import display_units
from mqcap.presentation.labels import metric_label

HISTORY_DAYS: Final = 180
"""Days of history drawn: as many as of the forecast, so that both have the same width (ours)."""
WIDTH_INCHES: Final = 6.4
HEIGHT_INCHES: Final = 3.4
DOTS_PER_INCH: Final = 120
PALETTE_COLOURS: Final = 64
"""Enough for six line colours with anti-aliasing (ours)."""

MEASURED: Final = "#1f4e79"
FORECAST: Final = "#c55a11"
INTERVAL: Final = "#f4b183"
LIMIT: Final = "#b00020"
CROSSING: Final = "#fbd0d0"
_DAILY: Final = {
    Statistic.peak: "peak",
    Statistic.p95: "95th percentile",
    Statistic.mean: "mean",
}
_ROOM_ABOVE: Final = 1.15


class ChartData(BaseModel):
    """Everything a chart shows, in the unit of the series."""

    model_config = ConfigDict(frozen=True)

    title: str
    unit: str
    site_date: date
    """The last measured day; the forecast begins after it."""
    history: tuple[tuple[date, float], ...]
    points: tuple[ForecastPoint, ...] = ()
    limit_value: float | None = None
    earliest_date: date | None = None
    latest_date: date | None = None
    """End of the crossing range; ``None`` leaves it open up to the horizon."""


def chart_data(
    problem: Problem, history: Iterable[tuple[date, float]], forecast: Forecast | None
) -> ChartData | None:
    """Return the chart data of a problem; ``None`` without measured days or without a series.

    ``history`` are the daily values of the problem's series and statistic, in any order.
    """
    finding, crossing = problem.finding, problem.crossing
    first = finding.site_date - timedelta(days=HISTORY_DAYS)
    shown = tuple(sorted(row for row in history if first <= row[0] <= finding.site_date))
    if crossing is None or not shown:
        return None
    points = forecast.points if forecast else ()
    earliest, latest = _drawn_range(crossing, points)
    factor, unit = display_units.current().scale(crossing.unit)
    return ChartData(
        title=chart_title(crossing),
        unit=unit,
        site_date=finding.site_date,
        history=tuple((day, value * factor) for day, value in shown),
        points=tuple(scaled_point(point, factor) for point in points),
        limit_value=crossing.limit_value * factor,
        earliest_date=earliest,
        latest_date=latest,
    )


def chart_title(crossing: Crossing) -> str:
    """Return subject, quantity and statistic: ``PLEX1/CSQ1: Log write rate, daily peak``."""
    metric, subject = split_series_id(crossing.series_id)
    return f"{subject}: {metric_label(metric)}, daily {_DAILY[crossing.statistic]}"


def scaled_point(point: ForecastPoint, factor: float) -> ForecastPoint:
    """Return a point of a forecast in another unit."""
    return ForecastPoint(
        site_date=point.site_date,
        expected=point.expected * factor,
        lower=point.lower * factor,
        upper=point.upper * factor,
    )


def _drawn_range(
    crossing: Crossing, points: Sequence[ForecastPoint]
) -> tuple[date | None, date | None]:
    """Return earliest and latest crossing date as far as they are within the chart."""
    earliest, latest = crossing.earliest_date, crossing.latest_date
    end = points[-1].site_date if points else date.max
    if crossing.state is not CrossingState.will_cross or earliest is None or earliest > end:
        return None, None
    return earliest, latest if latest is None or latest <= end else None


def draw(data: ChartData) -> bytes:
    """Return the chart as PNG."""
    figure = Figure(figsize=(WIDTH_INCHES, HEIGHT_INCHES), dpi=DOTS_PER_INCH, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    _draw_lines(axes, data)
    _draw_limit(axes, data)
    _label(axes, data)
    buffer = io.BytesIO()
    # without a software entry, the bytes do not change with the library's version text
    figure.savefig(buffer, format="png", metadata={"Software": None})
    return _small(buffer)


def _small(picture: io.BytesIO) -> bytes:
    """Return the picture with a palette: a third of the bytes to mail and store."""
    result = io.BytesIO()
    with Image.open(picture) as image:
        image.convert("RGB").quantize(PALETTE_COLOURS).save(result, format="png", optimize=True)
    return result.getvalue()


def _draw_lines(axes: Axes, data: ChartData) -> None:
    axes.plot(*_columns(data.history), color=MEASURED, linewidth=1.2, label="measured")
    if not data.points:
        return
    days = [_number(point.site_date) for point in data.points]
    axes.fill_between(
        days,
        [point.lower for point in data.points],
        [point.upper for point in data.points],
        color=INTERVAL,
        alpha=0.45,
        linewidth=0,
        label="range",
    )
    expected = [point.expected for point in data.points]
    axes.plot(days, expected, color=FORECAST, linewidth=1.2, label="expected")
    axes.axvline(_number(data.site_date), color="#808080", linewidth=0.8, linestyle=":")


def _draw_limit(axes: Axes, data: ChartData) -> None:
    if data.earliest_date is not None:
        end = data.latest_date or (data.points[-1].site_date if data.points else None)
        until = max(end or data.earliest_date, data.earliest_date + timedelta(days=1))
        axes.axvspan(
            _number(data.earliest_date),
            _number(until),
            color=CROSSING,
            linewidth=0,
            zorder=0,
            label="crossing",
        )
    if data.limit_value is not None:
        axes.axhline(data.limit_value, color=LIMIT, linewidth=1.4, linestyle="--", label="limit")


def _label(axes: Axes, data: ChartData) -> None:
    axes.set_title(_plain(data.title), fontsize=12, loc="left")
    axes.set_ylabel(_plain(data.unit), fontsize=11)
    axes.set_ylim(bottom=min(0.0, axes.get_ylim()[0]), top=_top(data, axes.get_ylim()[1]))
    locator = AutoDateLocator(minticks=3, maxticks=9)  # type: ignore[no-untyped-call]  # untyped upstream
    axes.xaxis_date()
    axes.xaxis.set_major_locator(locator)
    formatter = ConciseDateFormatter(locator)  # type: ignore[no-untyped-call]  # untyped upstream
    axes.xaxis.set_major_formatter(formatter)
    axes.tick_params(labelsize=10)
    axes.grid(visible=True, color="#e0e0e0", linewidth=0.6)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.legend(
        fontsize=9.5, ncols=5, loc="upper left", frameon=False, columnspacing=1.0, handlelength=1.4
    )


def _top(data: ChartData, automatic: float) -> float:
    """Return the upper end of the axis, which leaves space for the legend above all lines."""
    highest = max(automatic, data.limit_value or automatic)
    return highest * _ROOM_ABOVE if highest > 0 else automatic


def _columns(rows: Sequence[tuple[date, float]]) -> tuple[list[int], list[float]]:
    return [_number(day) for day, _ in rows], [value for _, value in rows]


def _number(day: date) -> int:
    """Return the days since 1970, Matplotlib's number for a date."""
    return (day - date(1970, 1, 1)).days


def _plain(text: str) -> str:
    """Return text with escaped dollar signs, which would begin a formula."""
    return text.replace("$", r"\$")
