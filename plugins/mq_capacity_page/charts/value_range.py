"""How high a chart reaches: everything measured and forecast, and the limits that are near."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

Trace = dict[str, Any]
HEADROOM_ABOVE_RATIO: Final = 0.08
FAR_LIMIT_RATIO: Final = 3.0
"""A limit this many times above all else would press it flat; it is named, not drawn (ours)."""
FURTHER_LIMIT_RATIO: Final = 2.0
"""The same for each limit but the lowest, which is the one that is met first (ours)."""
LIMIT: Final = "Limit"
"""How the names of limits begin."""


def top_of(traces: Iterable[Trace]) -> float:
    """Upper end of the value axis: all but far limits fits below."""
    shown = list(traces)
    drawn = max((_highest(one) for one in shown if not _is_limit(one)), default=0.0)
    limits = [_highest(one) for one in shown if _is_limit(one)]
    lowest = min(limits, default=0.0)
    near = [
        one
        for one in limits
        if drawn <= 0 or one <= (FAR_LIMIT_RATIO if one == lowest else FURTHER_LIMIT_RATIO) * drawn
    ]
    return max([drawn, *near]) * (1 + HEADROOM_ABOVE_RATIO) or 1.0


def far_limits_named(traces: Sequence[Trace]) -> list[Trace]:
    """The traces; a limit above the axis says so where it is named."""
    top = top_of(traces)
    return [
        one | {"name": f"{one['name']}, above the picture"}
        if _is_limit(one) and _lowest(one) > top
        else one
        for one in traces
    ]


def _is_limit(trace: Trace) -> bool:
    return str(trace["name"]).startswith(LIMIT)


def _highest(trace: Trace) -> float:
    return float(max((value for value in trace["y"] if value is not None), default=0.0))


def _lowest(trace: Trace) -> float:
    return float(min((value for value in trace["y"] if value is not None), default=0.0))
