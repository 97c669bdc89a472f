"""Labels of limits at the right end of their lines."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any, Final

from mq_capacity_page.charts.themes import Palette
from mq_capacity_page.charts.value_range import Trace, TraceRole, has_role
from mqcap.domain.numbers import quantity

APART_RATIO: Final = 0.04
"""Labels closer than this share of the chart's height would cover each other (ours)."""


def limit_labels(
    traces: Sequence[Trace], top: float, last: date, unit: str, palette: Palette
) -> list[dict[str, Any]]:
    """Return a label above the end of each limit's line inside the chart, the lowest limit first.

    ``top`` is the upper end of the value axis, ``last`` the last day in view. A limit that is
    close to a lower one has no label: the legend names it.
    """
    ends = sorted(
        float(trace["y"][-1])
        for trace in traces
        if has_role(trace, TraceRole.limit) and trace["y"][-1] <= top
    )
    labelled: list[float] = []
    for value in ends:
        if not labelled or value - labelled[-1] >= APART_RATIO * top:
            labelled.append(value)
    return [_label(value, last, unit, palette) for value in labelled]


def _label(value: float, last: date, unit: str, palette: Palette) -> dict[str, Any]:
    return {
        "x": last.isoformat(),
        "y": value,
        "text": f"limit {quantity(value, unit)}",
        "showarrow": False,
        "xanchor": "right",
        "yanchor": "bottom",
        "bgcolor": palette.ground,
        "font": {"color": palette.limit, "size": 11},
    }
