"""PNG of a chart.

Pure, without a display: the same values give the same bytes.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.dates import AutoDateLocator, ConciseDateFormatter
from matplotlib.figure import Figure
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from mqcap.presentation.charts import KEY_NAME, ChartData, picture_key

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
_ROOM_ABOVE: Final = 1.15


def draw(data: ChartData) -> bytes:
    """Return the chart as PNG."""
    figure = Figure(figsize=(WIDTH_INCHES, HEIGHT_INCHES), dpi=DOTS_PER_INCH, layout="constrained")
    canvas = FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    _draw_lines(axes, data)
    _draw_limit(axes, data)
    _label(axes, data)
    return _small(canvas, picture_key(data))


def _small(canvas: FigureCanvasAgg, key: str) -> bytes:
    """Return the picture with a palette, a third of the bytes to mail and store, and its key."""
    canvas.draw()  # type: ignore[no-untyped-call]  # untyped upstream
    size = canvas.get_width_height()
    drawn = canvas.buffer_rgba()  # type: ignore[no-untyped-call]  # untyped upstream
    pixels = Image.frombuffer("RGBA", size, drawn, "raw", "RGBA", 0, 1)
    text = PngInfo()
    text.add_text(KEY_NAME, key)
    result = io.BytesIO()
    picture = pixels.convert("RGB").quantize(PALETTE_COLOURS)
    picture.save(result, format="png", optimize=True, pnginfo=text)
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
