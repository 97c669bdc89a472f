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
_NAME: Final = "limit"
"""Of the annotations, in the figure."""


def limit_labels(
    traces: Sequence[Trace], top: float, last: date, unit: str, palette: Palette
) -> list[dict[str, Any]]:
    """Return a label above the end of each limit's line inside the chart, the lowest limit first.

    ``top`` is the upper end of the value axis, ``last`` the last day in view. Limits that are
    close to each other share a label above the highest of them.
    """
    ends = {
        float(trace["y"][-1])
        for trace in traces
        if has_role(trace, TraceRole.limit) and trace["y"][-1] <= top
    }
    shared: list[list[float]] = []
    for value in sorted(ends):
        if shared and value - shared[-1][-1] < APART_RATIO * top:
            shared[-1].append(value)
        else:
            shared.append([value])
    return [_label(values, last, unit, palette) for values in shared]


def without_limit_labels(annotations: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the annotations of a figure that are no labels of limits."""
    return [annotation for annotation in annotations if annotation.get("name") != _NAME]


def _label(values: Sequence[float], last: date, unit: str, palette: Palette) -> dict[str, Any]:
    words = list(dict.fromkeys(quantity(value, unit) for value in values))
    noun = "limit" if len(words) == 1 else "limits"
    return {
        "name": _NAME,
        "x": last.isoformat(),
        "y": values[-1],
        "text": f"{noun} {', '.join(words)}",
        "showarrow": False,
        "xanchor": "right",
        "yanchor": "bottom",
        "bgcolor": palette.ground,
        "font": {"color": palette.limit, "size": 11},
    }
