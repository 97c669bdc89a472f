"""Due dates of changes: the crossing less its lead time, before any change freeze."""

from __future__ import annotations

from datetime import date

from pydantic import BaseModel, ConfigDict

from mqcap.domain.crossing import CrossingState
from mqcap.domain.problem import Problem
from mqcap.presentation.due_dates import last_responsible_date
from mqcap.settings import AlertSettings


class DueDate(BaseModel):
    """The last responsible day for a change, and its derivation in words."""

    model_config = ConfigDict(frozen=True)

    date: date
    how: str


def due_date_of(problem: Problem, alerts: AlertSettings) -> DueDate | None:
    """Return when the change for a problem is due; ``None`` without a crossing date.

    A change for a breach is due on the day of its notification. Otherwise it is due before the
    earliest day of the crossing.
    """
    status = problem.status
    raised = max(status.raised_date or problem.finding.site_date, status.first_seen_date)
    if problem.over:
        notified = status.breach_notified_date or raised
        return DueDate(date=notified, how="at once: the limit is passed")
    crossing = problem.crossing
    if crossing is None or crossing.state is not CrossingState.will_cross:
        return None
    passed = crossing.earliest_date or crossing.expected_date
    if passed is None:
        return None
    lead = alerts.lead_time(problem.finding.rule_id)
    last, freezes = last_responsible_date(passed, lead, alerts.change_freezes)
    how = f"earliest crossing {passed} less {lead} days of lead time"
    if freezes:
        how += f", before {', '.join(freezes)}"
    if last < raised:
        return DueDate(date=raised, how=f"at once: {how} was {last}")
    return DueDate(date=last, how=how)
