"""The digest: the problems of a day and what has become of them, in order of urgency.

Pure: no clock, no database. The same findings in any order give the same digest.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime

from pydantic import BaseModel, ConfigDict

from mqcap.domain.crossing import Crossing
from mqcap.domain.estate import Estate
from mqcap.domain.feed import FeedDay, data_findings
from mqcap.domain.finding import Finding, Severity
from mqcap.domain.metric import sysplex_of
from mqcap.domain.problem import AcknowledgementKind, ProblemDay, ProblemState
from mqcap.domain.urgency import Urgency, urgency
from mqcap.notifications.causes import subject_of
from mqcap.notifications.grading import Grading, daily_evaluations, is_over, planned_for
from mqcap.notifications.problem_states import advance
from mqcap.settings import AlertSettings

_Key = tuple[str, str]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True)


class DayResults(_Frozen):
    """Everything that was judged on one day."""

    site_date: date
    findings: tuple[Finding, ...] = ()
    crossings: tuple[Crossing, ...] = ()
    feeds: tuple[FeedDay, ...] = ()
    """What should have arrived about the day, and what has."""


class Problem(_Frozen):
    """An open problem with the finding and the crossing of the day."""

    finding: Finding
    crossing: Crossing | None
    status: ProblemDay

    @property
    def key(self) -> str:
        """Rule and subject."""
        return self.status.key

    @property
    def severity(self) -> Severity:
        """Severity of the notice, which also asks how likely it is and whose system it is."""
        return self.status.severity

    @property
    def state(self) -> ProblemState:
        """Where it stands on the day."""
        return self.status.state

    @property
    def over(self) -> bool:
        """Whether measured values have passed the limit."""
        return is_over(self.finding, self.crossing)

    @property
    def becomes_ticket(self) -> bool:
        """Whether it was one to act on in this episode, and is not a false alarm."""
        mark = self.status.acknowledgement
        if mark is not None and mark.kind is AcknowledgementKind.false_alarm:
            return False
        return self.status.notified_severity is Severity.act

    @property
    def expected_date(self) -> date | None:
        """The day to plan for; ``None`` when over already or not expected to cross."""
        return planned_for(self.finding, self.crossing)

    @property
    def urgency(self) -> Urgency:
        """Sort key, most urgent first."""
        finding = self.finding
        return urgency(self.severity, finding.headroom_ratio, self.crossing, finding.breach)


class ProblemGroup(_Frozen):
    """The problems of one subject, or of one cause, most urgent first."""

    sysplex: str
    subject: str
    """That of the problem which leads the group."""
    problems: tuple[Problem, ...]

    @property
    def subjects(self) -> tuple[str, ...]:
        """Everybody it is about, the most urgent first."""
        return tuple(dict.fromkeys(one.finding.subject for one in self.problems))


class Digest(_Frozen):
    """What there is to say about one day."""

    site_date: date
    previous_date: date | None
    groups: tuple[ProblemGroup, ...]
    """By urgency of each group's first problem."""
    resolved: tuple[Finding, ...]
    """Problems that were settled on the day, by rule and subject."""
    unknown: tuple[Finding, ...]
    """What could not be judged and why, by rule and subject."""
    in_order: tuple[str, ...]
    """Keys (rule and subject) of everything that was judged to be in order, sorted."""
    data: tuple[FeedDay, ...] = ()
    """Data findings: feeds of which something is missing, by subject. No capacity problem, but
    no all-clear either."""
    data_changed: bool = False
    """Whether other feeds are missing than on the day before."""
    unseen: tuple[str, ...] = ()
    """Keys of open problems about which the day says nothing, sorted."""
    closing: tuple[str, ...] = ()
    """Causes that had a ticket and whose last problem was settled on the day, sorted."""
    settled: tuple[str, ...] = ()
    """Keys of problems settled on the day, or so lately that they would be opened again."""

    @property
    def problems(self) -> tuple[Problem, ...]:
        """All problems, most urgent first."""
        found = [problem for group in self.groups for problem in group.problems]
        return tuple(sorted(found, key=_order))

    @property
    def tickets(self) -> tuple[tuple[Problem, ...], ...]:
        """The problems that become or stay tickets, one ticket per cause; its leader first."""
        causes: dict[str, list[Problem]] = {}
        for problem in self.problems:
            if problem.becomes_ticket:
                causes.setdefault(problem.status.cause, []).append(problem)
        return tuple(
            tuple(sorted(found, key=lambda one: one.key != cause))
            for cause, found in causes.items()
        )

    @property
    def quiet(self) -> bool:
        """Whether nothing is over a limit, close to one, or about to pass one."""
        return not self.groups

    @property
    def all_clear(self) -> bool:
        """Whether that can be said: it is quiet, and no feed is missing."""
        return self.quiet and not self.data

    @property
    def has_changes(self) -> bool:
        """Whether a problem is new, worse, back or settled; what merely lasts is none."""
        return bool(self.resolved) or any(one.status.is_new_or_changed for one in self.problems)

    @property
    def sha256(self) -> str:
        """Identity of the whole digest: the same for the same findings."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()

    @property
    def alerts_sha256(self) -> str:
        """Identity of the news: which problems there are, how grave, and whether over already.

        Figures that moved a little when a day is computed again are not news.
        """
        news: list[tuple[str, str, bool]] = [
            (one.key, str(one.severity), one.over) for one in self.problems
        ]
        news += [(one.key, str(one.state), True) for one in self.data]
        news.sort()
        return hashlib.sha256(json.dumps(news).encode()).hexdigest()


def digest(
    today: DayResults, before: DayResults | None = None, grading: Grading | None = None
) -> Digest:
    """What there is to say about ``today`` after one earlier day, or none."""
    problem_days: list[ProblemDay] = []
    for results in filter(None, (before, today)):
        problem_days = problem_days_of(
            results, problem_days, grading or NO_SITE, judged_before=int(bool(problem_days))
        )
    return digest_of(today, problem_days, before)


def problem_days_of(
    today: DayResults,
    before: Iterable[ProblemDay],
    grading: Grading,
    *,
    judged_before: int,
    peak_hours: Mapping[str, datetime] | None = None,
) -> list[ProblemDay]:
    """All problems on the day, from those of the judged day before; without people's marks."""
    seen = daily_evaluations(today.findings, today.crossings, today.feeds, grading, peak_hours)
    return advance(
        before, seen, {}, grading.alerts, day=today.site_date, judged_before=judged_before
    )


def digest_of(
    today: DayResults, problem_days: Iterable[ProblemDay], before: DayResults | None = None
) -> Digest:
    """What there is to say about ``today``, given its problems.

    ``before`` is the judged day before it, for its date and its missing feeds. An open problem
    that could not be judged today is not listed, and not settled either.
    """
    known = {one.key: one for one in problem_days}
    problems = sorted(_problems(today, known), key=_order)
    by_subject: dict[str, list[Problem]] = {}
    for problem in problems:
        by_subject.setdefault(subject_of(problem.status.cause), []).append(problem)
    listed = {one.key for one in problems} | {_name(f) for f in today.findings if f.superseded_by}
    data = data_findings(list(today.feeds))
    earlier = data_findings(list(before.feeds)) if before else ()
    return Digest(
        site_date=today.site_date,
        previous_date=before.site_date if before else None,
        groups=tuple(
            ProblemGroup(sysplex=sysplex_of(subject), subject=subject, problems=tuple(found))
            for subject, found in by_subject.items()
        ),
        resolved=_sorted(one for one in today.findings if _settled(known.get(_name(one)))),
        unknown=_sorted(_with(today.findings, Severity.unknown)),
        in_order=tuple(
            sorted(_name(one) for one in _with(today.findings, Severity.ok, Severity.suggestion))
        ),
        data=data,
        data_changed=_states(data) != _states(earlier),
        unseen=_named(known, lambda one: one.state.is_open and one.key not in listed),
        closing=_closing(known.values()),
        settled=_named(known, lambda one: one.state is ProblemState.resolved),
    )


def _problems(today: DayResults, known: Mapping[str, ProblemDay]) -> list[Problem]:
    crossings = {(one.rule_id, one.subject): one for one in today.crossings}
    found = []
    for finding in today.findings:
        status = known.get(_name(finding))
        if status is None or not status.state.is_open or finding.severity is Severity.unknown:
            continue
        if finding.superseded_by:
            continue
        crossing = crossings.get(_key(finding))
        found.append(Problem(finding=finding, crossing=crossing, status=status))
    return found


def _settled(status: ProblemDay | None) -> bool:
    return status is not None and status.resolved_date == status.site_date


def _closing(problem_days: Iterable[ProblemDay]) -> tuple[str, ...]:
    known = list(problem_days)
    still = {one.cause for one in known if one.state.is_open}
    ended = {one.cause for one in known if _settled(one) and one.notified_severity is Severity.act}
    return tuple(sorted(ended - still))


def _named(
    known: Mapping[str, ProblemDay], chosen: Callable[[ProblemDay], bool]
) -> tuple[str, ...]:
    return tuple(sorted(key for key, one in known.items() if chosen(one)))


def _states(feeds: Iterable[FeedDay]) -> set[tuple[str, str]]:
    return {(one.key, str(one.state)) for one in feeds}


def _name(finding: Finding) -> str:
    return f"{finding.rule_id}/{finding.subject}"


def _key(finding: Finding) -> _Key:
    return finding.rule_id, finding.subject


def _order(problem: Problem) -> tuple[Urgency, str, str]:
    return problem.urgency, problem.finding.subject, problem.finding.rule_id


def _with(findings: Iterable[Finding], *severities: Severity) -> list[Finding]:
    return [finding for finding in findings if finding.severity in severities]


def _sorted(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=_key))


NO_SITE = Grading(alerts=AlertSettings(), grades={}, estate=Estate())
"""The grading of a site that has configured nothing."""
