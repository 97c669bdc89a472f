"""Urgency: the order of findings, most urgent first; plans have that of ``plan_order``."""

import sys
from datetime import date
from typing import Final

from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.finding import Finding, Severity

Urgency = tuple[bool, int, int, float, str, str]

_ORDER: Final = (
    Severity.act,
    Severity.watch,
    Severity.unknown,
    Severity.suggestion,
    Severity.ok,
)
OUT_OF_LOG_SPACE: Final = "CONSOLE-LOG"
"""Of all that the console reports it stops a queue manager first."""
_LATER_THAN_ALL: Final = date.max.toordinal()


def urgency(
    finding: Finding,
    crossing: Crossing | None,
    *,
    severity: Severity | None = None,
    is_production: bool = True,
    due_date: date | None = None,
) -> Urgency:
    """Return a sort key, most urgent first; no two findings of a day have the same key.

    Production; then act, watch, unknown, suggestions, ok, by ``severity`` where a notice grades it.
    Act over its limit comes first, then what will cross; within each the earlier date
    (``due_date``, expected, earliest), what happened, the smaller headroom, subject and rule.
    """
    shown = severity or finding.severity
    headroom = float("inf") if finding.headroom_ratio is None else finding.headroom_ratio
    if finding.is_event:
        is_first = finding.rule_id == OUT_OF_LOG_SPACE
        headroom = float("-inf") if is_first else -sys.float_info.max
    rank, day = 2 + 2 * _ORDER.index(shown), None
    if shown is Severity.act and is_over(finding, crossing):
        rank = 0
    elif crossing is not None and crossing.state is CrossingState.will_cross:
        day = due_date or crossing.expected_date or crossing.earliest_date
        if day and shown.is_urgent:
            rank -= 1
    dated = day.toordinal() if day else _LATER_THAN_ALL
    return not is_production, rank, dated, headroom, finding.subject, finding.rule_id


def is_over(finding: Finding | None, crossing: Crossing | None) -> bool:
    """Return whether measured values have passed the limit."""
    if crossing is not None and crossing.state is CrossingState.breached:
        return True
    return finding is not None and bool(finding.breach)
