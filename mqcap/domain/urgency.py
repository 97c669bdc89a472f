"""Urgency: the one order in which the page and the mail list what they know."""

from __future__ import annotations

from datetime import date
from typing import Final

from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.finding import Severity

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

    Over the limit and to act on comes first, then what is told and will cross, by its expected
    (else earliest) date, then act, watch, unknown, suggestions and ok; inside each what has a date,
    then the smaller headroom first.
    """
    headroom = float("inf") if headroom_ratio is None else headroom_ratio
    state = crossing.state if crossing else CrossingState.unknown
    if severity is Severity.act and (breach or state is CrossingState.breached):
        return 0, 0, headroom
    when = None
    if crossing and state is CrossingState.will_cross:
        when = crossing.expected_date or crossing.earliest_date
    dated = when.toordinal() if when else _LATER_THAN_ALL
    told = severity in {Severity.act, Severity.watch}
    return 1 if when and told else 2 + _ORDER.index(severity), dated, headroom
