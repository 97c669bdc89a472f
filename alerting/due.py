"""Until when a change must be made: the crossing, less its lead time, before any freeze."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from pydantic import BaseModel, ConfigDict

from alerting.digest import Problem
from domain.crossing import CrossingState
from settings import AlertSettings, ChangeFreeze


class Due(BaseModel):
    """The last responsible day for a change, and how it was found."""

    model_config = ConfigDict(frozen=True)

    date: date
    how: str


def due_of(problem: Problem, alerts: AlertSettings) -> Due | None:
    """When the change for a problem must be made; ``None`` when no date can be said.

    A limit that is passed already was due when people were told of it. Otherwise the earliest
    day of the crossing counts, which is what the recommended change is to be done before.
    """
    life = problem.life
    raised = max(life.raised_date or problem.finding.site_date, life.first_seen_date)
    if problem.over:
        told = life.breach_told_date or raised
        return Due(date=told, how="at once: the limit is passed")
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
        return Due(date=raised, how=f"at once: {how} was {last}")
    return Due(date=last, how=how)


def last_responsible_date(
    passed: date, lead_days: int, freezes: Sequence[ChangeFreeze]
) -> tuple[date, list[str]]:
    """The last day for a change that must be in place by ``passed``, and the freezes before it.

    A day inside a freeze moves to the day before that freeze begins, as often as needed.
    """
    last = passed - timedelta(days=lead_days)
    names: list[str] = []
    for freeze in sorted(freezes, key=lambda one: one.first, reverse=True):
        if freeze.first <= last <= freeze.last:
            last = freeze.first - timedelta(days=1)
            names.append(freeze.name or f"the freeze of {freeze.first} to {freeze.last}")
    return last, names
