"""Groups of problems with one cause: breaches of one sysplex measured in the same hour.

A burst that fills logs, empties buffers and keeps a coupling facility busy is one event, and one
ticket. A group is formed when its members are raised and kept while any of them is open, so that
its key does not change from day to day.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import NamedTuple

from mqcap.domain.metric import sysplex_of
from mqcap.domain.problem import ProblemDay, ProblemState
from mqcap.notifications.grading import DailyEvaluation

_RAISED_TODAY = frozenset({ProblemState.new, ProblemState.reopened})


class _GroupMember(NamedTuple):
    cause: str
    sysplex: str
    hour_utc: datetime


def with_causes(
    problems: Iterable[ProblemDay], evaluations: Mapping[str, DailyEvaluation], hours: int
) -> list[ProblemDay]:
    """Return the problems in the same order, those raised today with their group's key.

    Only measured breaches are grouped: a forecast has no hour in common with another. Hours
    count as the same when they are at most ``hours`` apart.
    """
    everything = list(problems)
    members = [
        _GroupMember(problem.cause, sysplex_of(subject_of(problem.key)), problem.peak_hour_utc)
        for problem in everything
        if problem.state.is_open and problem.state not in _RAISED_TODAY
        if problem.over and problem.peak_hour_utc
    ]
    causes: dict[str, str] = {}
    for problem in sorted(everything, key=lambda problem: _urgency(problem, evaluations)):
        hour = problem.peak_hour_utc
        if problem.state not in _RAISED_TODAY or not problem.over or hour is None:
            continue
        sysplex = sysplex_of(subject_of(problem.key))
        existing = _existing_cause(sysplex, hour, members, timedelta(hours=hours))
        causes[problem.key] = existing or problem.key
        members.append(_GroupMember(causes[problem.key], sysplex, hour))
    return [
        problem.model_copy(update={"cause": causes.get(problem.key, problem.cause)})
        for problem in everything
    ]


def subject_of(key: str) -> str:
    """Return the subject of a problem's key ``rule_id/subject``."""
    return key.partition("/")[2]


def _existing_cause(
    sysplex: str, hour_utc: datetime, members: Iterable[_GroupMember], within: timedelta
) -> str | None:
    return next(
        (
            member.cause
            for member in members
            if member.sysplex == sysplex and abs(member.hour_utc - hour_utc) <= within
        ),
        None,
    )


def _urgency(
    problem: ProblemDay, evaluations: Mapping[str, DailyEvaluation]
) -> tuple[int, float, str]:
    """Return the sort key, most urgent first: a group is named after its first problem."""
    evaluation = evaluations.get(problem.key)
    headroom = evaluation.headroom if evaluation else None
    return -problem.severity.rank, 0.0 if headroom is None else headroom, problem.key
