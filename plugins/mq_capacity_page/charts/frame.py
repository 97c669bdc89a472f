"""What every chart has around its lines: ground, axis of days, legend, buttons, hover words."""

from __future__ import annotations

from typing import Any, Final

from mq_capacity_page.charts.themes import Palette

LEGEND: Final = {"orientation": "h", "x": 0, "y": -0.14, "yanchor": "top", "traceorder": "normal"}
CONFIG: Final = {
    "displaylogo": False,
    "responsive": True,
    "showSendToCloud": False,
    "plotlyServerURL": "",
    "toImageButtonOptions": {"filename": "mqcap-chart", "scale": 2},
    "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"],
}
"""Without a button that Plotly has by default: it hands the figures to Plotly's own servers."""
DATE_AXIS: Final = {
    "type": "date",
    "hoverformat": "%a %-d %b %Y",
    "tickformatstops": [
        {"dtickrange": [None, 1_814_400_000], "value": "%-d %b\n%Y"},
        {"dtickrange": [1_814_400_000, None], "value": "%b %Y"},
    ],
}
"""Ticks less than three weeks apart are named by day, others by month (in milliseconds)."""
CLEAR: Final = "rgba(0,0,0,0)"


def frame(palette: Palette) -> dict[str, Any]:
    """The layout but for axes and marks; the ground is coloured for who takes a picture along."""
    return {
        "paper_bgcolor": palette.ground,
        "plot_bgcolor": CLEAR,
        "font": {"color": palette.text, "size": 12.5},
        "margin": {"l": 64, "r": 16, "t": 30, "b": 40},
        "hovermode": "x unified",
        "hoverlabel": {
            "namelength": -1,
            "bgcolor": palette.ground,
            "bordercolor": palette.cutoff,
            "font": {"color": palette.text},
        },
        "modebar": {"bgcolor": CLEAR, "color": palette.cutoff, "activecolor": palette.peak},
        "dragmode": "zoom",
        "legend": LEGEND,
    }


def hover_words(unit: str, name: str = "") -> str:
    """What is said at a point: four digits, never 1.2e+4; ``name`` instead of the line's own."""
    return f"%{{y:,.4~r}} {unit}" + (f"<extra>{name}</extra>" if name else "")


def corner_label(unit: str, palette: Palette) -> dict[str, Any]:
    """The unit above the value axis, upright so that it takes no width."""
    return {
        "xref": "paper",
        "yref": "paper",
        "x": 0,
        "y": 1,
        "text": unit,
        "showarrow": False,
        "xanchor": "left",
        "yanchor": "bottom",
        "xshift": -48,
        "yshift": 6,
        "font": {"color": palette.text, "size": 12.5},
    }
