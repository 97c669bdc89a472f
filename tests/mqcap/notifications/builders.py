"""Findings, crossings and digests for tests; each builder takes what the test is about."""

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import Any

from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.estate import Estate
from mqcap.domain.feed import FeedDay
from mqcap.domain.finding import Citation, Finding, Severity
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import series_id
from mqcap.domain.plan import Plan
from mqcap.domain.problem import Problem, ProblemDay
from mqcap.domain.ticket import Ticket
from mqcap.notifications import digest as made_digest
from mqcap.notifications import problem_group as made_group
from mqcap.notifications.digest import Digest
from mqcap.notifications.email_message import MessageContext
from mqcap.notifications.grading import Grading, daily_evaluations
from mqcap.notifications.problem_group import ProblemGroup
from mqcap.notifications.problem_states import advance
from mqcap.notifications.ticket_text import ticket_of
from mqcap.presentation.summary_rows import DayResults, finding_summary, plan_summaries
from mqcap.settings import AlertSettings
from tests import factories
from tests.factories import DAY, crossing, feed_day, finding
from tests.plan_factories import plan

NO_SITE = Grading(alerts=AlertSettings(), grades={}, estate=Estate())
"""The grading of a site that has configured nothing."""
QUICK = NO_SITE._replace(alerts=AlertSettings(raise_days=1, clear_days=1))
"""The grading of a site where one day raises a problem and one settles it."""
MESSAGE_CONTEXT = MessageContext(
    site_name="Example bank",
    mail_from="mqcap@example.com",
    mail_to=("planners@example.com", "mq-team@example.com"),
    page_url="http://localhost:8080/plugin/capacity",
)


def cf_finding(subject: str = "PLEX1/CF01", **changed: Any) -> Finding:
    values: dict[str, Any] = {
        "rule_id": "CF-CPU-60",
        "severity": Severity.watch,
        "title": "CF processor busy",
        "summary": f"{subject}: 51% busy at peak; the limit is 60% of 3 engines.",
        "observed": 51.0,
        "limit_value": 60.0,
        "unit": "%",
        "breach": False,
        "headroom_ratio": 0.15,
        "series_id": series_id("cf_busy_pct", subject),
        "arithmetic": ("60% - 51% = 9 points",),
        "changes": (),
        "advice": "",
        "caveats": (),
        "inputs": (),
        "citation": Citation(document="MP16", section="Coupling facility"),
    }
    return finding(subject, **(values | changed))


def breached(of: Finding, since: date = date(2026, 1, 30)) -> Crossing:
    dates = dict.fromkeys(("earliest_date", "expected_date", "latest_date"))
    return crossing(of, state=CrossingState.breached, breached_since=since, **dates)


def results(
    findings: Iterable[Finding],
    crossings: Iterable[Crossing] = (),
    day: date = DAY,
    feeds: Iterable[FeedDay] = (),
    plans: Iterable[Plan] = (),
) -> DayResults:
    return DayResults(day, tuple(findings), tuple(crossings), tuple(feeds), tuple(plans))


def problem_days_of(
    today: DayResults, before: Iterable[ProblemDay], grading: Grading, *, judged_before: int
) -> list[ProblemDay]:
    """Return all problems on the day, from those of the judged day before."""
    evaluations = daily_evaluations(today.findings, today.crossings, today.feeds, grading)
    return advance(
        before, evaluations, {}, grading.alerts, day=today.site_date, judged_before=judged_before
    )


def digest_of(
    today: DayResults,
    problem_days: Iterable[ProblemDay],
    before: DayResults | None = None,
    grading: Grading = NO_SITE,
) -> Digest:
    return made_digest.digest_of(today, problem_days, before, grading)


def digest(
    today: DayResults, before: DayResults | None = None, grading: Grading = NO_SITE
) -> Digest:
    """Return the digest of ``today`` after one earlier day, or none."""
    problem_days: list[ProblemDay] = []
    for each in filter(None, (before, today)):
        judged = int(bool(problem_days))
        problem_days = problem_days_of(each, problem_days, grading, judged_before=judged)
    return digest_of(today, problem_days, before, grading)


def problem_group(path: str, problems: Sequence[Problem], of: Plan | None) -> ProblemGroup:
    """Return a group with the row of its plan, else of its first problem."""
    first = problems[0]
    findings = [problem.finding for problem in problems]
    crossings = [problem.crossing for problem in problems if problem.crossing]
    rows = plan_summaries(results(findings, crossings, plans=[of])) if of else []
    row = rows[0] if rows else finding_summary(first.finding, first.crossing)
    return made_group.problem_group(path, problems, of, row)


def ticket_from(
    problems: Sequence[Problem],
    page_url: str = "",
    same_hour: Sequence[str] = (),
    plan: Plan | None = None,
) -> Ticket:
    """Return the ticket of the resource of some problems."""
    group = problem_group(problems[0].status.resource, problems, plan)
    return ticket_of(group, AlertSettings(page_url=page_url), same_hour)


def problem(of: Finding, its_crossing: Crossing | None = None) -> Problem:
    notice = digest(results([of], [its_crossing] if its_crossing else []))
    return notice.problems[0]


def log_plan(subject: str = "PLEX1/CSQ1", **changed: Any) -> Plan:
    """Return a plan of the active logs whose worst rule is that of ``finding``."""
    values: dict[str, Any] = {
        "resource": f"{subject}/active_log",
        "label": f"{subject.rpartition('/')[2]} active logs",
        "owner_subject": subject,
        "worst_rule": "LOG-FILL-30MIN",
        "worst_subject": subject,
        "summary": "13.9 min of 30 min: a log of 1,000 MiB lasts 13.9 min at the peak.",
    }
    return plan(**(values | changed))


def first_results(count: int) -> DayResults:
    """The first day of so many queue managers: each with plans, breaches and missing records."""
    names = [f"PLEX1/Q{number:03}" for number in range(count)]
    kinds = {"active_log": "LOG-FILL-30MIN", "recovery": "REC-FORMULA-A", "archive": "LOG-MAXARCH"}
    over = [finding(name, rule_id=rule) for name in names for rule in kinds.values()]
    lost = [
        finding(name, rule_id=f"RULE-{number % 12}", severity=Severity.unknown, missing=("x: set",))
        for number, name in enumerate(names)
    ]
    plans = [
        log_plan(name, resource=f"{name}/{kind}", worst_rule=rule)
        for name in names
        for kind, rule in kinds.items()
    ]
    feeds = [feed_day(name) for name in names]
    crossings = [breached(item) for item in over]
    return results([*over, *lost], crossings, feeds=feeds, plans=plans)


def resource_group(of: Finding, its: Crossing | None = None, **changed: Any) -> ProblemGroup:
    """Return the group of one finding; ``changed`` replaces fields of the group."""
    plans = [changed.pop("plan")] if "plan" in changed else []
    [group] = digest(results([of], [its] if its else [], plans=plans)).groups
    return group.model_copy(update=changed)


def estate_digest() -> Digest:
    """One problem over its limit with a plan, one soon without, one resolved, one not judged."""
    over, soon = finding(), cf_finding()
    fine = cf_finding("PLEX1/CF02", severity=Severity.ok, observed=30.0, headroom_ratio=0.5)
    unknown = finding(
        "PLEX1/CSQ9", severity=Severity.unknown,
        observed=None, limit_value=None, breach=None, headroom_ratio=None,
        summary="PLEX1/CSQ9: not checked, because log_size_mib is not known.",
        missing=("log_size_mib: set active_log_size_mib of CSQ9 in the estate",),
    )  # fmt: skip
    crossings = [breached(over), crossing(soon)]
    today = results([soon, over, fine, unknown], crossings, plans=[log_plan()])
    yesterday = DAY - timedelta(days=1)
    before = results([cf_finding("PLEX1/CF02"), finding(site_date=yesterday)], day=yesterday)
    return digest(today, before, QUICK)


def history(last: date = DAY, days: int = 240) -> list[tuple[date, float]]:
    return [
        (last - timedelta(days=back), 50.0 - 0.06 * back - (4.0 if back % 7 > 4 else 0.0))
        for back in range(days)
    ]


def forecast(of: Finding, days: int = 180) -> Forecast:
    """Return a rising forecast of a finding's series with a widening prediction interval."""
    lines = [
        (48.0 + 0.05 * ahead, 50.0 + 0.06 * ahead, 52.0 + 0.09 * ahead)
        for ahead in range(1, days + 1)
    ]
    return factories.forecast(
        lines=lines, series_id=of.series_id or "", cutoff_date=of.site_date, trained_days=240
    )
