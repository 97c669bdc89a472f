"""The upper end of the value axis: all measured and forecast values, and limits close to them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Any, Final

Trace = dict[str, Any]


class TraceRole(StrEnum):
    """Role of a trace, where that decides how it is drawn; Plotly hands ``meta`` through."""

    limit = "limit"
    forecast = "forecast"
    """The expected line of the forecast."""


HEADROOM_ABOVE_RATIO: Final = 0.08
FAR_LIMIT_RATIO: Final = 3.0
"""A limit more than this many times above all values is listed in the legend, not drawn (ours)."""
FURTHER_LIMIT_RATIO: Final = 2.0
"""The same for each limit but the lowest, which is reached first (ours)."""
_FAR_NOTE: Final = ", above the chart"


def with_role(trace: Trace, role: TraceRole) -> Trace:
    """Return the trace with its role."""
    return trace | {"meta": role.value}


def has_role(trace: Trace, role: TraceRole) -> bool:
    """Return True for a trace of that role."""
    return trace.get("meta") == role.value


def top_of(traces: Iterable[Trace]) -> float:
    """Return the upper end of the value axis: everything but far limits fits below."""
    shown = list(traces)
    drawn = max((_highest(trace) for trace in shown if not _is_limit(trace)), default=0.0)
    limits = [_highest(trace) for trace in shown if _is_limit(trace)]
    lowest = min(limits, default=0.0)
    near = [
        limit
        for limit in limits
        if drawn <= 0
        or limit <= (FAR_LIMIT_RATIO if limit == lowest else FURTHER_LIMIT_RATIO) * drawn
    ]
    return max([drawn, *near]) * (1 + HEADROOM_ABOVE_RATIO) or 1.0


def label_far_limits(traces: Sequence[Trace]) -> list[Trace]:
    """Return the traces; the name of a limit above the axis says so, of no other one.

    Of a figure to which traces were added: what was above its axis may now be below its end.
    """
    top = top_of(traces)
    return [_labelled(trace, is_far=_lowest(trace) > top) for trace in traces]


def _labelled(trace: Trace, *, is_far: bool) -> Trace:
    if not _is_limit(trace):
        return trace
    name = trace["name"].removesuffix(_FAR_NOTE)
    return trace | {"name": f"{name}{_FAR_NOTE}" if is_far else name}


def _is_limit(trace: Trace) -> bool:
    return has_role(trace, TraceRole.limit)


def _highest(trace: Trace) -> float:
    return float(max((value for value in trace["y"] if value is not None), default=0.0))


def _lowest(trace: Trace) -> float:
    return float(min((value for value in trace["y"] if value is not None), default=0.0))
