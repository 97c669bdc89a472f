"""The last responsible day for a change: a crossing less its lead time, before change freezes.

Work that is not done by then is described too.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from math import ceil
from typing import Final

from pydantic import BaseModel, ConfigDict

from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.finding import Finding
from mqcap.domain.numbers import figure
from mqcap.domain.plan import WorkSchedule
from mqcap.domain.problem import Problem
from mqcap.presentation.dates import short_day
from mqcap.settings import AlertSettings, ChangeFreeze

_WEEK_DAYS: Final = 7
_MORE_HOURS: Final = "more hours a week are needed"


def due_date(finding: Finding, crossing: Crossing | None, alerts: AlertSettings) -> date | None:
    """Return the last day on which the change for a limit can be made in time.

    That is the earliest crossing less the rule's lead time and before any change freeze. ``None``
    for a limit that is passed already and without a date.
    """
    if crossing is None or crossing.state is not CrossingState.will_cross or finding.breach:
        return None
    passed = crossing.earliest_date or crossing.expected_date
    if passed is None:
        return None
    lead = alerts.lead_time(finding.rule_id)
    return last_responsible_date(passed, lead, alerts.change_freezes)[0]


def last_responsible_date(
    passed: date, lead_days: int, freezes: Sequence[ChangeFreeze]
) -> tuple[date, list[str]]:
    """Return the last day for a change that must be in place by ``passed``, and the freezes.

    A day inside a freeze moves to the day before that freeze begins, as often as needed.
    """
    last = passed - timedelta(days=lead_days)
    names: list[str] = []
    for freeze in sorted(freezes, key=lambda freeze: freeze.first, reverse=True):
        if freeze.first <= last <= freeze.last:
            last = freeze.first - timedelta(days=1)
            names.append(freeze.name or f"the freeze of {freeze.first} to {freeze.last}")
    return last, names


class DueDate(BaseModel):
    """The last responsible day for a change, and its derivation in words."""

    model_config = ConfigDict(frozen=True)

    date: date
    how: str


def due_date_of(problem: Problem, alerts: AlertSettings) -> DueDate | None:
    """Return when the change for a problem is due; ``None`` without a crossing date.

    A change for a breach is due on the day of its notification, for a loss that has not happened
    when its lead time has passed. Otherwise it is due before the
    earliest day of the crossing.
    """
    status = problem.status
    raised = max(status.raised_date or problem.finding.site_date, status.first_seen_date)
    if problem.over and problem.finding.is_of_loss:
        lead = alerts.lead_time(problem.finding.rule_id)
        ready = raised + timedelta(days=lead)
        return DueDate(date=ready, how=f"{lead} days of lead time: nothing is lost yet")
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


def done_date(begin: date, hours: float, week_hours: float) -> date:
    """Return the day on which hours of work are done that begin on a day, at the hours of a week.

    It is no later than another day where the hours fit before that.
    """
    return begin + timedelta(days=ceil(_WEEK_DAYS * hours / week_hours))


def hours_until(begin: date, until: date, week_hours: float) -> float:
    """Return the hours of work from one day to another, at the hours of a week."""
    return week_hours * (until - begin).days / _WEEK_DAYS


def late_text(schedule: WorkSchedule, part: str = "", lasts_until: date | None = None) -> str:
    """Return when the work is done, what is done first, and which limits that keeps until when.

    Args:
        schedule: Hours, days and what is done first.
        part: What is done first, with its cost; empty where it is not looked for.
        lasts_until: Last day on which all of it suffices; ``None``: as far as is known.
    """
    by, done = short_day(schedule.until), short_day(schedule.done_date)
    week = f"{figure(schedule.hours_per_week)} h a week (plan.week_hours)"
    words = f"That is not done by {by} at {week}, but by {done}"
    if not schedule.is_in_parts:
        over = _over_before_text(schedule, lasts_until)
        return f"{words}{_begun_text(schedule)}: {_MORE_HOURS}{over}."
    words = f"{words}."
    if not schedule.first.changes:
        return f"{words} Nothing of it is done by {by}: {_MORE_HOURS}."
    begin = f"{words} First, by {by}: {part}"
    keeps = " and ".join(schedule.first_keeps)
    last = schedule.first.lasts_until
    if last is None:
        return f"{begin}, which keeps {keeps} as far as the forecast reaches."
    if last >= schedule.done_date:
        return f"{begin}, which keeps {keeps} until {short_day(last)}."
    if last >= schedule.until:
        return f"{begin}, which keeps {keeps} only until {short_day(last)}: {_MORE_HOURS}."
    return f"{begin}, which does not keep {keeps}: {_MORE_HOURS}."


def _over_before_text(schedule: WorkSchedule, lasts_until: date | None) -> str:
    """Return that all of the work lasts until a day before its end; empty where it lasts longer."""
    if lasts_until is None or lasts_until >= schedule.done_date:
        return ""
    return f", for it lasts only until {short_day(lasts_until)}, before all of it is done"


def _begun_text(schedule: WorkSchedule) -> str:
    """Return when the plans are done that come first; empty where none does."""
    begin = schedule.begin_date
    if begin is None:
        return ""
    if begin == schedule.done_date:
        return ", when the plans that come first are"
    return f", begun when the plans that come first are done ({short_day(begin)})"
