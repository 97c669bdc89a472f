"""The digest: findings and crossings of a day as what there is to say, in order of urgency.

Pure: no clock, no database. The same findings in any order give the same digest.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from datetime import date
from enum import StrEnum
from typing import Final

from pydantic import BaseModel, ConfigDict

from domain.crossing import Crossing, CrossingState
from domain.feed import FeedDay, data_findings
from domain.finding import Finding, Severity
from domain.metric import sysplex_of
from domain.urgency import Urgency, urgency

WORSE_BY_HEADROOM: Final = 0.05
"""Loss of headroom ratio since the previous digest that makes a problem worse (ours)."""
WORSE_BY_DAYS: Final = 14
"""Days by which an expected crossing must have come nearer to be worse (ours)."""

_Key = tuple[str, str]


class Movement(StrEnum):
    """How a problem stands to the previous digest."""

    new = "new"
    worse = "worse"
    unchanged = "unchanged"


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True)


class Results(_Frozen):
    """Everything that was judged on one day."""

    site_date: date
    findings: tuple[Finding, ...] = ()
    crossings: tuple[Crossing, ...] = ()
    feeds: tuple[FeedDay, ...] = ()
    """What should have arrived about the day, and what has."""


class Problem(_Frozen):
    """A finding that is over its limit, close to it, or about to pass it."""

    finding: Finding
    crossing: Crossing | None
    movement: Movement

    @property
    def key(self) -> str:
        """The ticket's ``dedupe_key``: rule and subject."""
        return f"{self.finding.rule_id}/{self.finding.subject}"

    @property
    def over(self) -> bool:
        """Whether measured values have passed the limit."""
        state = self.crossing.state if self.crossing else None
        return bool(self.finding.breach) or state is CrossingState.breached

    @property
    def becomes_ticket(self) -> bool:
        """Only what somebody must act on does."""
        return self.finding.severity is Severity.act

    @property
    def expected_date(self) -> date | None:
        """The day to plan for; ``None`` when over already or not expected to cross."""
        if self.over or self.crossing is None:
            return None
        return self.crossing.expected_date or self.crossing.earliest_date

    @property
    def urgency(self) -> Urgency:
        """Sort key, most urgent first."""
        finding = self.finding
        return urgency(finding.severity, finding.headroom_ratio, self.crossing, finding.breach)


class Group(_Frozen):
    """The problems of one subject, most urgent first."""

    sysplex: str
    subject: str
    problems: tuple[Problem, ...]


class Digest(_Frozen):
    """What there is to say about one day."""

    site_date: date
    previous_date: date | None
    groups: tuple[Group, ...]
    """By urgency of each group's first problem."""
    resolved: tuple[Finding, ...]
    """Problems of the previous digest that are in order again, by rule and subject."""
    unknown: tuple[Finding, ...]
    """What could not be judged and why, by rule and subject."""
    in_order: tuple[str, ...]
    """Keys (rule and subject) of everything that was judged to be in order, sorted."""
    data: tuple[FeedDay, ...] = ()
    """Data findings: feeds of which something is missing, by subject. No capacity problem, but
    no all-clear either."""

    @property
    def problems(self) -> tuple[Problem, ...]:
        """All problems, most urgent first."""
        found = [problem for group in self.groups for problem in group.problems]
        return tuple(sorted(found, key=_order))

    @property
    def tickets(self) -> tuple[Problem, ...]:
        """The problems that become or stay tickets."""
        return tuple(problem for problem in self.problems if problem.becomes_ticket)

    @property
    def quiet(self) -> bool:
        """Whether nothing is over a limit, close to one, or about to pass one."""
        return not self.groups

    @property
    def all_clear(self) -> bool:
        """Whether that can be said: it is quiet, and no feed is missing."""
        return self.quiet and not self.data

    @property
    def sha256(self) -> str:
        """Identity of the whole digest: the same for the same findings."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()

    @property
    def news_sha256(self) -> str:
        """Identity of the news: which problems there are, how grave, and whether over already.

        Figures that moved a little when a day is computed again are not news.
        """
        news: list[tuple[str, str, bool]] = [
            (one.key, str(one.finding.severity), one.over) for one in self.problems
        ]
        news += [(one.key, str(one.state), True) for one in self.data]
        news.sort()
        return hashlib.sha256(json.dumps(news).encode()).hexdigest()


def digest(today: Results, before: Results | None = None) -> Digest:
    """What there is to say about ``today``, compared with the results of an earlier day.

    A problem is a finding of severity watch or act. One that was a problem before and is
    judged in order today is resolved; one that could not be judged today is not.
    """
    earlier = {_key(one.finding): one for one in _problems(before, {})} if before else {}
    problems = _problems(today, earlier)
    by_subject: dict[str, list[Problem]] = {}
    for problem in sorted(problems, key=_order):
        by_subject.setdefault(problem.finding.subject, []).append(problem)
    return Digest(
        site_date=today.site_date,
        previous_date=before.site_date if before else None,
        groups=tuple(
            Group(sysplex=sysplex_of(subject), subject=subject, problems=tuple(found))
            for subject, found in by_subject.items()
        ),
        resolved=_sorted(one for one in _with(today.findings, Severity.ok) if _key(one) in earlier),
        unknown=_sorted(_with(today.findings, Severity.unknown)),
        in_order=tuple(
            sorted(f"{r}/{s}" for r, s in map(_key, _with(today.findings, Severity.ok)))
        ),
        data=data_findings(list(today.feeds)),
    )


def _problems(results: Results, earlier: Mapping[_Key, Problem]) -> list[Problem]:
    crossings = {(one.rule_id, one.subject): one for one in results.crossings}
    return [
        _problem(finding, crossings.get(_key(finding)), earlier.get(_key(finding)))
        for finding in results.findings
        if finding.severity in {Severity.watch, Severity.act}
    ]


def _problem(finding: Finding, crossing: Crossing | None, before: Problem | None) -> Problem:
    now = Problem(finding=finding, crossing=crossing, movement=Movement.unchanged)
    if before is None:
        return now.model_copy(update={"movement": Movement.new})
    return now.model_copy(update={"movement": Movement.worse}) if _worse(now, before) else now


def _worse(now: Problem, before: Problem) -> bool:
    if now.finding.severity.rank != before.finding.severity.rank:
        return now.finding.severity.rank > before.finding.severity.rank
    if now.over != before.over:
        return now.over
    if now.expected_date and before.expected_date:
        return (before.expected_date - now.expected_date).days >= WORSE_BY_DAYS
    left, had = now.finding.headroom_ratio, before.finding.headroom_ratio
    return left is not None and had is not None and had - left >= WORSE_BY_HEADROOM


def _key(finding: Finding) -> _Key:
    return finding.rule_id, finding.subject


def _order(problem: Problem) -> tuple[Urgency, str, str]:
    return problem.urgency, problem.finding.subject, problem.finding.rule_id


def _with(findings: Iterable[Finding], severity: Severity) -> list[Finding]:
    return [finding for finding in findings if finding.severity is severity]


def _sorted(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=_key))
