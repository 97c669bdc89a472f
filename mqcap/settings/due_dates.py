"""The last responsible day for a change: a crossing less its lead time, before change freezes."""

from collections.abc import Sequence
from datetime import date, timedelta

from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.finding import Finding
from mqcap.domain.problem import Problem
from mqcap.settings.models import AlertSettings, ChangeFreeze


def due_date(finding: Finding, crossing: Crossing | None, alerts: AlertSettings) -> date | None:
    """Return the earliest crossing less the lead time, outside of freezes; ``None``: past, none."""
    if crossing is None or crossing.state is not CrossingState.will_cross or finding.breach:
        return None
    passed = crossing.earliest_date or crossing.expected_date
    if passed is None:
        return None
    lead = alerts.lead_time(finding.rule_id)
    return last_responsible_date(passed, lead, alerts.change_freezes)


def last_responsible_date(passed: date, lead_days: int, freezes: Sequence[ChangeFreeze]) -> date:
    """Return the last day for a change that is in place by ``passed``, outside of freezes."""
    last = passed - timedelta(days=lead_days)
    for freeze in sorted(freezes, key=lambda freeze: freeze.first, reverse=True):
        if freeze.first <= last <= freeze.last:
            last = freeze.first - timedelta(days=1)
    return last


def due_date_of(problem: Problem, alerts: AlertSettings) -> date | None:
    """Return when a change is due: a breach when notified, a loss at its lead time, if any."""
    status = problem.status
    raised = max(status.raised_date or problem.finding.site_date, status.first_seen_date)
    if problem.over and problem.finding.is_of_loss:
        return raised + timedelta(days=alerts.lead_time(problem.finding.rule_id))
    if problem.over:
        return status.breach_notified_date or raised
    last = due_date(problem.finding, problem.crossing, alerts)
    return None if last is None else max(last, raised)
