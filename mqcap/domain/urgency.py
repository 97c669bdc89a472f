"""Urgency: the order of findings and that of plans, and what of a plan is news."""

import sys
from datetime import date, timedelta
from typing import Final

from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.finding import Finding, Severity
from mqcap.domain.plan import Decision, Incident, Plan
from mqcap.domain.resource import ResourceKind

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


HORIZON_DAYS: Final = 180
"""A limit that is passed later asks for nothing yet, as plans do (ours)."""


def is_over_soon(finding: Finding, crossing: Crossing | None) -> bool:
    """Return whether the limit is passed, or is expected to be within the horizon."""
    if is_over(finding, crossing):
        return True
    day = crossing.expected_date if crossing else None
    return day is not None and day <= finding.site_date + timedelta(days=HORIZON_DAYS)


DUE_TOLERANCE_DAYS: Final = 7
"""A due day that moves by no more is no material change (ours)."""


def is_material_change(old: Plan, new: Plan) -> bool:
    """Return whether people must be notified: of other values, dates, severity or feasibility.

    The due day is compared with the notified one, so that many small moves are not lost.
    """
    noted = old.dates.noted_due_date or old.due_date
    is_moved = abs((new.due_date - noted).days) > DUE_TOLERANCE_DAYS
    return (
        old.settings != new.settings
        or old.severity is not new.severity
        or old.is_feasible is not new.is_feasible
        or (is_moved and not (old.is_due_at_once and new.is_due_at_once))
    )


def following(new: Plan, before: Plan | None) -> Plan:
    """Return a plan with the day of its last material change, from the plan of the day before."""
    if before is None:
        return new.dated(changed_on=None, noted_due_date=new.due_date)
    if is_material_change(before, new):
        return new.dated(changed_on=new.site_date, noted_due_date=new.due_date)
    noted = before.dates.noted_due_date or before.due_date
    return new.dated(changed_on=before.dates.changed_on, noted_due_date=noted)


_KINDS: Final = [str(kind) for kind in ResourceKind]
UNPLANNED: Final = 3
"""Place of a resource without a plan in ``plan_order``: after plans, and what happened before."""
_ENDED: Final = 4
"""Place of what has ended: after everything that still asks for action."""


PlanOrder = tuple[bool, int, int, date, bool, float, str]


def _place(decision: Decision) -> int:
    match decision:
        case Incident(has_ended=True):
            return _ENDED
        case Incident():
            return 0 if decision.is_cause_alone else 1
    return 2


def plan_order(decision: Decision) -> PlanOrder:
    """Return a sort key: production, severity, what happened, due day, mandatory, damage.

    Damage is what a breach stops, in the order of the kinds of resources; plans of a later due day
    are by headroom. A cause to be found comes before changes, that of what has ended last.
    """
    kind, headroom = decision.about.kind, decision.reason.headroom_ratio
    nearness = float("inf") if headroom is None else headroom
    has_happened = isinstance(decision, Incident)
    if has_happened or decision.is_due_at_once:
        nearness = float(_KINDS.index(kind)) if kind in _KINDS else nearness
    return (
        not decision.about.is_production,
        -decision.severity.rank,
        _place(decision),
        date.min if has_happened else decision.due_date,
        decision.is_recommendation,
        nearness,
        decision.resource,
    )
