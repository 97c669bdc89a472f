"""Frame of every chart: background, axis of days, legend, buttons, hover text."""

from __future__ import annotations

from typing import Any, Final

from mq_capacity_page.charts.themes import Palette
from mqcap.domain.numbers import unit_words

LEGEND: Final = {"orientation": "h", "x": 0, "y": -0.14, "yanchor": "top", "traceorder": "normal"}
CONFIG: Final = {
    "displaylogo": False,
    "responsive": True,
    "showSendToCloud": False,
    "plotlyServerURL": "",
    "toImageButtonOptions": {"filename": "mqcap-chart", "scale": 2},
    "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"],
}
"""Without the button that Plotly has by default to send the figures to Plotly's own servers."""
DATE_AXIS: Final = {
    "type": "date",
    "tickangle": 0,
    "hoverformat": "%a %-d %b %Y",
    "tickformatstops": [
        {"dtickrange": [None, 1_814_400_000], "value": "%-d %b\n%Y"},
        {"dtickrange": [1_814_400_000, None], "value": "%b %Y"},
    ],
}
"""Ticks less than three weeks apart are labelled by day, others by month (in milliseconds)."""
CLEAR: Final = "rgba(0,0,0,0)"


def frame(palette: Palette) -> dict[str, Any]:
    """Return the layout without axes and marks; the background is coloured for saved pictures."""
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


def hover_text(unit: str, name: str = "") -> str:
    """Return the template of a point's text: four digits, never 1.2e+4, and optionally a name."""
    return f"%{{y:,.4~r}} {unit_words(unit)}".rstrip() + (f"<extra>{name}</extra>" if name else "")


def corner_label(unit: str, palette: Palette) -> dict[str, Any]:
    """Return the unit as a label above the value axis, where it takes no width."""
    return {
        "xref": "paper",
        "yref": "paper",
        "x": 0,
        "y": 1,
        "text": unit_words(unit),
        "showarrow": False,
        "xanchor": "left",
        "yanchor": "bottom",
        "xshift": -48,
        "yshift": 6,
        "font": {"color": palette.text, "size": 12.5},
    }
