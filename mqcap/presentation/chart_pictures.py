"""PNG of a chart, for reports and to take along from a page.

Pure, without a display: the same values give the same bytes.
"""

from __future__ import annotations

import io
from typing import Final

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from PIL import Image

from mqcap.domain.numbers import figure, unit_words
from mqcap.presentation.chart_colours import LIGHT
from mqcap.presentation.charts import Chart, Role, time_ticks

WIDTH_INCHES: Final = 6.4
HEIGHT_INCHES: Final = 3.4
DOTS_PER_INCH: Final = 120
PALETTE_COLOURS: Final = 64
"""Enough for the colours of lines with anti-aliasing (ours)."""
_WIDTHS: Final = {Role.strong: 1.8, Role.faint: 0.7}
_APART_RATIO: Final = 0.06
"""Labels of limits closer than this share of the height would cover each other (ours)."""


def draw(chart: Chart) -> bytes:
    """Return the chart as PNG."""
    drawing = Figure(figsize=(WIDTH_INCHES, HEIGHT_INCHES), dpi=DOTS_PER_INCH, layout="constrained")
    canvas = FigureCanvasAgg(drawing)
    axes = drawing.add_subplot()
    _draw_bars(axes, chart)
    _draw_lines(axes, chart)
    _draw_limits(axes, chart)
    _label(axes, chart)
    return _small(canvas)


def _small(canvas: FigureCanvasAgg) -> bytes:
    """Return the picture with a palette, a third of the bytes."""
    canvas.draw()  # type: ignore[no-untyped-call]  # untyped upstream
    size = canvas.get_width_height()
    drawn = canvas.buffer_rgba()  # type: ignore[no-untyped-call]  # untyped upstream
    pixels = Image.frombuffer("RGBA", size, drawn, "raw", "RGBA", 0, 1)
    result = io.BytesIO()
    picture = pixels.convert("RGB").quantize(PALETTE_COLOURS)
    picture.save(result, format="png", optimize=True)
    return result.getvalue()


def _draw_bars(axes: Axes, chart: Chart) -> None:
    below: dict[float, float] = {}
    for place, part in enumerate(chart.bars):
        days = [at for at, _ in part.points]
        values = [value for _, value in part.points]
        base = [below.get(at, 0.0) for at in days]
        axes.bar(days, values, bottom=base, width=0.88, color=LIGHT[f"part-{place}"])
        below |= {at: low + value for at, low, value in zip(days, base, values, strict=True)}


def _draw_lines(axes: Axes, chart: Chart) -> None:
    if chart.band:
        at, lower, upper = zip(*chart.band, strict=True)
        axes.fill_between(at, lower, upper, color=LIGHT["forecast"], alpha=0.18, linewidth=0)
    for line in reversed(chart.lines):
        values = [float("nan") if value is None else value for _, value in line.points]
        days = [at for at, _ in line.points]
        colour, width = LIGHT[line.role], _WIDTHS.get(line.role, 1.5)
        axes.plot(days, values, color=colour, linewidth=width, solid_joinstyle="round")
    if chart.now is not None and chart.now < chart.last:
        axes.axvline(chart.now, color="#8a93a3", linewidth=0.8, linestyle=":")
    if chart.crossing is not None:
        first, last = chart.crossing
        axes.axvspan(first, max(last, first + 1), color=LIGHT["limit"], alpha=0.09, linewidth=0)
    for event in chart.events:
        axes.plot([event.at], [0], marker="^", markersize=6, color=LIGHT["event"], clip_on=False)


def _draw_limits(axes: Axes, chart: Chart) -> None:
    """Draw the limits; their values stand beside the chart, where they cover no line."""
    used = float("-inf")
    for limit in sorted(chart.limits, key=lambda each: each.value):
        if chart.is_far(limit):
            continue
        colour = LIGHT["option-limit" if limit.is_option else "limit"]
        first, last = limit.first or chart.first, limit.last or chart.last
        axes.plot([first, last], [limit.value] * 2, color=colour, linewidth=1.3, linestyle="--")
        height = max(limit.value, used + _APART_RATIO * chart.top)
        used = height
        axes.annotate(
            _plain(limit.label),
            xy=(1.01, height / chart.top),
            xycoords="axes fraction",
            color=colour,
            fontsize=9,
            va="center",
            annotation_clip=False,
        )


def _label(axes: Axes, chart: Chart) -> None:
    axes.set_title(_plain(chart.title), fontsize=11, loc="left", color=LIGHT["text"])
    axes.set_ylabel(_plain(unit_words(chart.unit)), fontsize=10, color=LIGHT["text"])
    axes.set_ylim(bottom=0, top=chart.top)
    axes.set_xlim(chart.first, max(chart.last, chart.first + 1))
    ticks = time_ticks(chart.first, chart.last)
    axes.set_xticks([at for at, _ in ticks], [words for _, words in ticks])
    axes.set_yticks(chart.value_ticks, [figure(value) for value in chart.value_ticks])
    axes.tick_params(labelsize=9, color=LIGHT["grid"], labelcolor=LIGHT["text"])
    axes.grid(visible=True, axis="y", color=LIGHT["grid"], linewidth=0.6)
    axes.set_axisbelow(True)
    for side in axes.spines.values():
        side.set_visible(False)
    handles = [_sign(kind, words) for kind, words in chart.legend]
    axes.figure.legend(
        handles=handles, loc="outside lower left", ncols=3, frameon=False, fontsize=8.5
    )


def _sign(kind: str, words: str) -> Line2D | Patch:
    """Return an entry of the legend."""
    label = _plain(words)
    if kind.startswith("part-"):
        return Patch(color=LIGHT[kind], label=label)
    if kind == "event":
        return Line2D([], [], color=LIGHT[kind], marker="^", linestyle="", label=label)
    is_limit = kind.endswith("limit")
    return Line2D([], [], color=LIGHT[kind], linestyle="--" if is_limit else "-", label=label)


def _plain(text: str) -> str:
    """Return text with escaped dollar signs, which would begin a formula."""
    return text.replace("$", r"\$")
