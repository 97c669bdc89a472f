"""Text of a ticket: the plan of one resource, or its problems with the change to make."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Final

from mqcap.domain.finding import Finding
from mqcap.domain.plan import Plan
from mqcap.domain.problem import Problem, ProblemState
from mqcap.domain.ticket import Ticket
from mqcap.notifications.acknowledgements import HOW_TO_ACKNOWLEDGE
from mqcap.notifications.email_subject import brief
from mqcap.notifications.problem_group import ProblemGroup, problem_group
from mqcap.notifications.problem_text import (
    closing_text,
    link_lines,
    observation_text,
    one_line,
    probability_text,
    state_text,
)
from mqcap.notifications.resources import resource_name
from mqcap.presentation.crossing_text import crossing_text
from mqcap.presentation.due_dates import due_date_of
from mqcap.presentation.plans.text import plan_lines, rule_text, side_effects
from mqcap.presentation.quantities import quantity
from mqcap.presentation.recommendation import advice
from mqcap.settings import AlertSettings

_SAME_HOUR: Final = "Other resources over a limit in the same hour: {}."
_BEGUN: Final = frozenset({ProblemState.new, ProblemState.reopened})
_WHERE: Final = "Arithmetic and caveats are in the description of this ticket."


def ticket_of(
    problems: Sequence[Problem],
    page_url: str = "",
    alerts: AlertSettings | None = None,
    same_hour: Sequence[str] = (),
    plan: Plan | None = None,
) -> Ticket:
    """Return the problems of one resource as a ticket of their day.

    The ticket is named after the resource and its plan; without a plan, after the first problem,
    and the others follow in its text. ``same_hour`` are other resources that were hit in the same
    hour, as a remark.
    """
    first = problems[0]
    finding = first.finding
    alerts = alerts or AlertSettings()
    group = problem_group(first.status.resource, problems, plan)
    remarks = [_SAME_HOUR.format(", ".join(same_hour))] if same_hour else []
    if plan is None:
        text = [body(first, page_url, alerts), *(_member(problem) for problem in problems[1:])]
        update = _update_text(problems, page_url, alerts)
        title = _title(problems)
    else:
        text = [plan_body(group, plan, page_url, alerts)]
        update = [plan_update(group, plan, page_url)]
        title = brief(group)
    return Ticket(
        dedupe_key=first.status.resource,
        severity=group.severity,
        title=title,
        body="\n\n".join([*text, *remarks]),
        update_text="\n\n".join(update),
        due_date=_due_date(problems, plan, alerts),
        first_seen_date=min(
            problem.status.raised_date or finding.site_date for problem in problems
        ),
        last_seen_date=finding.site_date,
        notified_date=max(_notified(problems, plan), default=None),
        members=tuple(problem.key for problem in problems),
    )


def _title(problems: Sequence[Problem]) -> str:
    first, others = problems[0], len(problems) - 1
    also = f" and {others} more" if others else ""
    return one_line(f"{resource_name(first.key)}: {first.finding.title}{also}")


def _due_date(problems: Sequence[Problem], plan: Plan | None, alerts: AlertSettings) -> date | None:
    if plan is not None:
        return None if plan.needs_nothing else plan.due_date
    dues = [due.date for problem in problems if (due := due_date_of(problem, alerts))]
    return min(dues, default=None)


def _notified(problems: Sequence[Problem], plan: Plan | None) -> list[date]:
    """Return the days with something to say; a plan says for its problems what has changed."""
    statuses = [problem.status for problem in problems]
    if plan is None:
        return [status.notified_date for status in statuses if status.notified_date]
    days = [status.raised_date for status in statuses] + [plan.changed_on]
    return [day for day in days if day]


def plan_body(group: ProblemGroup, plan: Plan, page_url: str, alerts: AlertSettings) -> str:
    """Return the plan in full, the figures of its worst rule, and links, as plain text."""
    finding = group.lead.finding
    rules = [rule_text(rule, plan.worst_rule) for rule in plan.rules]
    lines = [
        *plan_lines(plan),
        *_section("Rules with and without the plan", rules),
        *_section("Side effects", side_effects(plan)),
        *_section("Why", _plan_facts(group)),
        *_section("Arithmetic", (*finding.arithmetic, *plan.arithmetic)),
        *_section("Caveats", finding.caveats),
        "",
        closing_text(alerts),
        HOW_TO_ACKNOWLEDGE,
        *link_lines(group.lead, page_url),
    ]
    return "\n".join(lines)


def plan_update(group: ProblemGroup, plan: Plan, page_url: str) -> str:
    """Return the text of a comment: what is new, the plan and the links."""
    begun = [problem.finding.rule_id for problem in group.problems if problem.state in _BEGUN]
    begin = f"New: {', '.join(begun)}." if begun else "The plan has changed."
    return "\n".join([begin, "", *plan_lines(plan), "", *link_lines(group.lead, page_url)])


def _plan_facts(group: ProblemGroup) -> list[str]:
    """Return the figures of the plan's worst rule, with its date and its source."""
    lead, finding = group.lead, group.lead.finding
    likely = probability_text(lead.status)
    return [
        f"Resource: {group.resource}",
        f"Kind: {'measured' if lead.over else 'forecast'}, {state_text(lead.status)}",
        *_figures(lead),
        f"When: {crossing_text(lead.crossing, finding)}",
        *([f"Probability: {likely}"] if likely else []),
        f"Rule: {finding.rule_id}, {finding.citation}",
    ]


def _figures(problem: Problem) -> list[str]:
    """Return the observed figure and the limit; what happened has neither, but what it was."""
    finding = problem.finding
    if finding.is_event:
        return [f"Reported: {finding.title}"]
    return [
        f"Observed: {observation_text(finding, problem.status)}",
        f"Limit: {quantity(finding.limit_value, finding.unit).full}",
    ]


def body(problem: Problem, page_url: str, alerts: AlertSettings) -> str:
    """Return figures, dates, rule, arithmetic, change, caveats and links as plain text."""
    finding = problem.finding
    lines = _facts(problem, alerts)
    lines += _section("Arithmetic", finding.arithmetic)
    lines += _section("Advice", filter(None, [advice(finding, problem.crossing)]))
    lines += _changes(finding)
    lines += _section("Caveats", finding.caveats)
    return "\n".join(
        [*lines, "", closing_text(alerts), HOW_TO_ACKNOWLEDGE, *link_lines(problem, page_url)]
    )


def _facts(problem: Problem, alerts: AlertSettings) -> list[str]:
    """Return the finding's sentence and its main figures."""
    finding = problem.finding
    due = due_date_of(problem, alerts)
    likely, owner = probability_text(problem.status), alerts.owner_of(finding.subject)
    return [
        finding.summary,
        "",
        f"Resource: {finding.subject}",
        f"Kind: {'measured' if problem.over else 'forecast'}, {state_text(problem.status)}",
        *_figures(problem),
        f"When: {crossing_text(problem.crossing, finding)}",
        *([f"Probability: {likely}"] if likely else []),
        *([f"Change by: {due.date} ({due.how})"] if due else []),
        *([f"Owner: {owner}"] if owner else []),
        f"Rule: {finding.rule_id}, {finding.citation}",
    ]


def _update_text(problems: Sequence[Problem], page_url: str, alerts: AlertSettings) -> list[str]:
    """Return the text of a comment: the figures of the day and the change to make."""
    first, *others = problems
    return [
        "\n".join([*_facts(first, alerts), *_changes(first.finding)]),
        *(f"Also {problem.key}: {problem.finding.summary}" for problem in others),
        "\n".join([_WHERE, *link_lines(first, page_url)]),
    ]


def _member(problem: Problem) -> str:
    finding = problem.finding
    changes = [" ".join(filter(None, (change.action, change.typed))) for change in finding.changes]
    return "\n".join([f"Also {problem.key}: {finding.summary}", *_section("Change", changes)[1:]])


def _changes(finding: Finding) -> list[str]:
    return _section(
        "Recommended change",
        [
            " ".join(filter(None, (change.action, change.side_effects)))
            + (f" Type: {change.typed}" if change.typed else "")
            for change in finding.changes
        ],
    )


def _section(heading: str, lines: Iterable[str]) -> list[str]:
    items = [f"- {line}" for line in lines]
    return ["", f"{heading}:", *items] if items else []
