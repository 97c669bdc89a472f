"""Until when a change must be made: the crossing, less its lead time, before any freeze."""

from __future__ import annotations

from datetime import date

from pydantic import BaseModel, ConfigDict

from mqcap.domain.crossing import CrossingState
from mqcap.notifications.digest import Problem
from mqcap.presentation.due_dates import last_responsible_date
from mqcap.settings import AlertSettings


class DueDate(BaseModel):
    """The last responsible day for a change, and how it was found."""

    model_config = ConfigDict(frozen=True)

    date: date
    how: str


def due_date_of(problem: Problem, alerts: AlertSettings) -> DueDate | None:
    """When the change for a problem must be made; ``None`` when no date can be said.

    A limit that is passed already was due when people were told of it. Otherwise the earliest
    day of the crossing counts, which is what the recommended change is to be done before.
    """
    status = problem.status
    raised = max(status.raised_date or problem.finding.site_date, status.first_seen_date)
    if problem.over:
        told = status.breach_notified_date or raised
        return DueDate(date=told, how="at once: the limit is passed")
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
