"""Urgency: the one order in which the page and the mail list what they know."""

from __future__ import annotations

from datetime import date
from typing import Final

from domain.crossing import Crossing, CrossingState
from domain.finding import Severity

Urgency = tuple[int, int, float]

_ORDER: Final = (
    Severity.act,
    Severity.watch,
    Severity.unknown,
    Severity.suggestion,
    Severity.ok,
)
_LATER_THAN_ALL: Final = date.max.toordinal()


def urgency(
    severity: Severity,
    headroom_ratio: float | None,
    crossing: Crossing | None,
    breach: bool | None = None,
) -> Urgency:
    """A sort key, most urgent first.

    Over the limit comes first, then what will cross by its expected (else earliest) date,
    then act, watch, unknown, suggestions and ok; inside each the smaller headroom first.
    """
    headroom = float("inf") if headroom_ratio is None else headroom_ratio
    state = crossing.state if crossing else CrossingState.unknown
    if severity is Severity.act and (breach or state is CrossingState.breached):
        return 0, 0, headroom
    if crossing and state is CrossingState.will_cross:
        when = crossing.expected_date or crossing.earliest_date
        return 1, when.toordinal() if when else _LATER_THAN_ALL, headroom
    return 2 + _ORDER.index(severity), _LATER_THAN_ALL, headroom
