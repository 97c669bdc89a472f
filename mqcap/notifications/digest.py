"""The digest: the problems of a day and their changes, most urgent first."""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from datetime import date

from pydantic import BaseModel

from mqcap.domain.estate.configured import SystemClass
from mqcap.domain.feed import FeedDay, data_findings
from mqcap.domain.finding import Finding, Severity
from mqcap.domain.plan import AnyPlan
from mqcap.domain.problem import Problem, ProblemDay, ProblemState
from mqcap.losses.text.as_plan import plans_of_losses
from mqcap.notifications.grading import Grading
from mqcap.notifications.problem_group import ProblemGroup, problem_group
from mqcap.presentation.plan_summary import PlanSummary
from mqcap.presentation.summary_rows import DayResults, SiteFacts, finding_summary, plan_summaries
from mqcap.settings.due_dates import due_date


class Digest(BaseModel, frozen=True):
    """The content of a day's notifications."""

    site_date: date
    previous_date: date | None
    groups: tuple[ProblemGroup, ...]
    """In the order of plans (``ProblemGroup.order``)."""
    resolved: tuple[Finding, ...]
    """Findings of problems that were resolved on the day, by rule and subject."""
    unknown: tuple[Finding, ...]
    """Findings that could not be judged, with the reason, by rule and subject."""
    in_order: tuple[str, ...]
    """Keys (rule and subject) of everything that was judged to be in order, sorted."""
    data: tuple[FeedDay, ...] = ()
    """Feeds with missing records, by subject. No capacity problem, but no all-clear either."""
    data_changed: bool = False
    """True when the missing feeds are not those of the day before."""
    unseen: tuple[str, ...] = ()
    """Keys of open problems without a judged finding on the day, sorted."""
    closing: tuple[str, ...] = ()
    """Resources, by path, that had a ticket and whose last problem was resolved on the day."""
    resolved_keys: tuple[str, ...] = ()
    """Keys of problems resolved on the day, or so lately that they would be reopened, sorted."""
    left_keys: tuple[str, ...] = ()
    """Those of them whose subject is no longer in the estate."""

    @property
    def problems(self) -> tuple[Problem, ...]:
        """All problems, most urgent first."""
        problems = [problem for group in self.groups for problem in group.problems]
        return tuple(sorted(problems, key=lambda problem: problem.urgency))

    @property
    def by_change(self) -> tuple[ProblemGroup, ...]:
        """All groups: those that are new or changed first, those acknowledged last.

        Each part is in the order of plans, with events that have ended at its end.
        """

        def place(group: ProblemGroup) -> tuple[bool, bool, bool]:
            return not group.is_new_or_changed, group.is_acknowledged, group.has_ended

        return tuple(sorted(self.groups, key=place))

    @property
    def leading(self) -> ProblemGroup:
        """The first group that still asks for action, which the subject names; else the first."""
        for group in self.by_change:
            if group.row.change and not (group.has_ended or group.is_acknowledged):
                return group
        return self.by_change[0]

    def group_of(self, resource: str) -> ProblemGroup:
        """Return the group of a resource by its path. Raises KeyError without one."""
        return {group.resource: group for group in self.groups}[resource]

    @property
    def tickets(self) -> tuple[tuple[Problem, ...], ...]:
        """The problems of each ticket, one ticket per resource, most urgent first."""
        problems = (problem for problem in self.problems if problem.becomes_ticket)
        return tuple(tuple(members) for members in by_resource(problems).values())

    @property
    def quiet(self) -> bool:
        """True when nothing is over a limit, close to one, or about to pass one."""
        return not self.groups

    @property
    def all_clear(self) -> bool:
        """True when it is quiet and no records are missing."""
        return self.quiet and not self.data

    @property
    def has_changes(self) -> bool:
        """True when a problem is new, worse, back or resolved, or a plan has changed."""
        return bool(self.resolved) or any(group.is_new_or_changed for group in self.groups)

    @property
    def sha256(self) -> str:
        """Hash of everything in it: the same for the same findings."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()

    @property
    def alerts_sha256(self) -> str:
        """Hash of its alerts, not their figures: problems, severity, over or not, changed plans."""
        alerts: list[tuple[str, str, bool]] = [
            (problem.key, str(problem.severity), problem.over) for problem in self.problems
        ]
        alerts += [(feed.key, str(feed.state), True) for feed in self.data]
        alerts += [(group.resource, "plan", True) for group in self.groups if group.is_plan_changed]
        alerts.sort()
        return hashlib.sha256(json.dumps(alerts).encode()).hexdigest()


def digest_of(
    today: DayResults,
    problem_days: Iterable[ProblemDay],
    before: DayResults | None,
    grading: Grading,
) -> Digest:
    """Return the digest of ``today`` from its problems; ``before`` is the judged day before it.

    An open problem that could not be judged today is not listed, and not resolved either.
    """
    by_key = {problem.key: problem for problem in problem_days}
    problems = sorted(_problems(today, by_key, grading), key=lambda problem: problem.urgency)
    listed = {problem.key for problem in problems}
    listed |= {finding.key for finding in today.findings if finding.superseded_by}
    data = data_findings(list(today.feeds))
    earlier = data_findings(list(before.feeds)) if before else ()
    findings = sorted(today.findings, key=lambda finding: (finding.rule_id, finding.subject))
    still_open = {problem.resource for problem in by_key.values() if problem.state.is_open}
    ended = {
        problem.resource
        for problem in by_key.values()
        if _is_resolved(problem) and problem.notified_severity is Severity.act
    }
    every: list[AnyPlan] = [*today.plans, *plans_of_losses(today.losses)]
    plans: dict[str, AnyPlan] = {plan.resource: plan for plan in every}
    site = SiteFacts(grading.alerts, grading.estate)
    rows: dict[str, PlanSummary] = {row.resource: row for row in plan_summaries(today, site)}
    groups = []
    for path, members in by_resource(problems).items():
        # one no longer at Act or Watch that is not yet resolved has no row of the day
        row = rows.get(path) or finding_summary(members[0].finding, members[0].crossing, site)
        groups.append(problem_group(path, members, plans.get(path), row))
    return Digest(
        site_date=today.site_date,
        previous_date=before.site_date if before else None,
        groups=tuple(sorted(groups, key=lambda group: group.order)),
        resolved=tuple(finding for finding in findings if _is_resolved(by_key.get(finding.key))),
        unknown=tuple(finding for finding in findings if finding.severity is Severity.unknown),
        in_order=tuple(
            sorted(
                finding.key
                for finding in findings
                if finding.severity in {Severity.ok, Severity.suggestion}
            )
        ),
        data=data,
        data_changed=_states(data) != _states(earlier),
        unseen=_keys(by_key, lambda problem: problem.state.is_open and problem.key not in listed),
        closing=tuple(sorted(ended - still_open)),
        resolved_keys=_keys(by_key, lambda problem: problem.state is ProblemState.resolved),
        left_keys=_keys(by_key, lambda problem: problem.left_date is not None),
    )


def by_resource(problems: Iterable[Problem]) -> dict[str, list[Problem]]:
    """Return the problems by the path of their resource, both in the order given."""
    resources: dict[str, list[Problem]] = {}
    for problem in problems:
        resources.setdefault(problem.status.resource, []).append(problem)
    return resources


def _problems(
    today: DayResults, by_key: Mapping[str, ProblemDay], grading: Grading
) -> list[Problem]:
    crossings = {(crossing.rule_id, crossing.subject): crossing for crossing in today.crossings}
    problems = []
    for finding in today.findings:
        status = by_key.get(finding.key)
        is_listed = not finding.superseded_by and finding.severity is not Severity.unknown
        if status is None or not status.state.is_open or not is_listed:
            continue
        crossing = crossings.get((finding.rule_id, finding.subject))
        problems.append(
            Problem(
                finding=finding,
                crossing=crossing,
                status=status,
                is_production=grading.estate.class_of(finding.subject) is SystemClass.production,
                due_date=due_date(finding, crossing, grading.alerts),
            )
        )
    return problems


def _is_resolved(status: ProblemDay | None) -> bool:
    return status is not None and status.resolved_date == status.site_date


def _keys(
    by_key: Mapping[str, ProblemDay], chosen: Callable[[ProblemDay], bool]
) -> tuple[str, ...]:
    return tuple(sorted(key for key, problem in by_key.items() if chosen(problem)))


def _states(feeds: Iterable[FeedDay]) -> set[tuple[str, str]]:
    return {(feed.key, str(feed.state)) for feed in feeds}
