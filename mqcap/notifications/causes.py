"""One cause, one notice: problems of one sysplex that were measured in the same hour.

A burst that fills logs, empties buffers and keeps a coupling facility busy is one event. The
group is formed when its members are raised and kept while any of them is open, so that a
notice does not change its name from day to day.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from mqcap.domain.metric import sysplex_of
from mqcap.domain.problem import ProblemDay, ProblemState
from mqcap.notifications.grading import DailyEvaluation

_Lead = tuple[str, str, datetime]

_RISING = frozenset({ProblemState.new, ProblemState.reopened})


def with_causes(
    problems: Iterable[ProblemDay], seen: Mapping[str, DailyEvaluation], hours: int
) -> list[ProblemDay]:
    """The problems, those raised today with the group that they belong to.

    Only measured breaches are grouped: a forecast has no hour in common with another. Hours
    count as the same when they are at most ``hours`` apart.
    """
    everything = list(problems)
    leads: list[_Lead] = [
        (one.cause, sysplex_of(subject_of(one.key)), one.peak_hour_utc)
        for one in everything
        if one.state.is_open and one.state not in _RISING and one.over and one.peak_hour_utc
    ]
    causes: dict[str, str] = {}
    for one in sorted(everything, key=lambda one: _order(one, seen)):
        if one.state not in _RISING or not one.over or one.peak_hour_utc is None:
            continue
        plex = sysplex_of(subject_of(one.key))
        joined = _joined(plex, one.peak_hour_utc, leads, timedelta(hours=hours))
        causes[one.key] = joined or one.key
        leads.append((causes[one.key], plex, one.peak_hour_utc))
    return [one.model_copy(update={"cause": causes.get(one.key, one.cause)}) for one in everything]


def subject_of(key: str) -> str:
    """The subject of a problem's key."""
    return key.partition("/")[2]


def _joined(sysplex: str, hour: datetime, leads: Iterable[_Lead], within: timedelta) -> str | None:
    return next(
        (c for c, plex, other in leads if plex == sysplex and abs(other - hour) <= within), None
    )


def _order(one: ProblemDay, seen: Mapping[str, DailyEvaluation]) -> tuple[int, float, str]:
    """Most urgent first: the first of a group leads it."""
    sighting = seen.get(one.key)
    left = sighting.headroom if sighting and sighting.headroom is not None else 0.0
    return -one.severity.rank, left, one.key
