"""The chart of parts: each day of a figure divided into its parts, stacked."""

from __future__ import annotations

from itertools import cycle
from typing import Any, Final, NamedTuple

from mq_capacity_page.charts.frame import CONFIG, DATE_AXIS, corner_label, frame, hover_text
from mq_capacity_page.charts.series_figure import line_trace
from mq_capacity_page.charts.themes import PALETTES, PART_COLOURS, Palette, Theme
from mq_capacity_page.charts.value_range import HEADROOM_ABOVE_RATIO
from mqcap.domain.attribution import PartKind
from mqcap.domain.attribution.stack import Stack
from mqcap.presentation import display_units
from mqcap.presentation.attribution_text import part_label

NAMED_MAX: Final = 8
"""Parts with a colour of their own: as many as a reader can distinguish (ours)."""


class PartsChartData(NamedTuple):
    """The days of a series with their parts, in its stored unit."""

    unit: str
    breakdown: PartKind
    stack: Stack


def parts_figure(data: PartsChartData, theme: Theme = Theme.light) -> dict[str, Any]:
    """Return a bar for each day and part, and the mean of the day as a line over them."""
    palette = PALETTES[theme]
    factor, unit = display_units.current().scale(data.unit)
    axis = [day.isoformat() for day in data.stack.days]
    rest = {PartKind.other: palette.cutoff, PartKind.unexplained: palette.grid}
    bars = [
        {
            "type": "bar",
            "name": part_label(layer.part, layer.kind),
            "x": axis,
            "y": [round(value * factor, 6) for value in layer.values],
            "marker": {"color": rest.get(layer.kind, colour), "line": {"width": 0}},
            "hovertemplate": hover_text(unit),
        }
        for layer, colour in zip(data.stack.layers, cycle(PART_COLOURS[theme]), strict=False)
    ]
    whole = [value * factor for value in data.stack.whole]
    line = line_trace("Mean of the day", axis, whole, unit, {"color": palette.text, "width": 1.6})
    return {
        "data": [*bars, line],
        "layout": _layout(data, unit, factor, palette),
        "config": CONFIG,
    }


def _layout(data: PartsChartData, unit: str, factor: float, palette: Palette) -> dict[str, Any]:
    axis = {"gridcolor": palette.grid, "linecolor": palette.grid, "zeroline": False}
    columns = zip(*(layer.values for layer in data.stack.layers), strict=True)
    sums = [sum(values) for values in columns]
    top = max([*data.stack.whole, *sums], default=0.0) * factor * (1 + HEADROOM_ABOVE_RATIO)
    return {
        **frame(palette),
        "barmode": "stack",
        "bargap": 0.12,
        "xaxis": {**axis, **DATE_AXIS},
        "yaxis": {**axis, "range": [0, top or 1.0], "tickformat": ",~r"},
        "annotations": [corner_label(f"{unit}; by {data.breakdown}", palette)],
    }
