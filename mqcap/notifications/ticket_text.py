"""Text of a ticket: what is wrong with one resource, the options, what to check first, links."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import Final

from mqcap.domain.plan import AnyPlan, Plan
from mqcap.domain.problem import Problem, ProblemState
from mqcap.domain.ticket import Ticket
from mqcap.notifications.acknowledgements import HOW_TO_ACKNOWLEDGE
from mqcap.notifications.email_subject import to_do
from mqcap.notifications.problem_group import problem_group
from mqcap.notifications.problem_text import closing_text, link_lines, one_line
from mqcap.presentation.plan_summary import PlanSummary, SummaryKind
from mqcap.presentation.summary_text import crossing_words
from mqcap.presentation.summary_words import capital
from mqcap.settings import AlertSettings
from mqcap.settings.due_dates import due_date_of

OPTIONS_MAX: Final = 6
CHECKS_MAX: Final = 4
"""Sentences of what to check first (ours); the page has all."""
_BEGUN: Final = frozenset({ProblemState.new, ProblemState.reopened})


def ticket_of(
    problems: Sequence[Problem],
    page_url: str = "",
    alerts: AlertSettings | None = None,
    same_hour: Sequence[str] = (),
    plan: AnyPlan | None = None,
    row: PlanSummary | None = None,
) -> Ticket:
    """Return the problems of one resource as a ticket of their day.

    ``same_hour`` are other resources that were hit in the same hour, as a remark; ``row`` is that
    of the resource, else made from its plan and problems.
    """
    first = problems[0]
    alerts = alerts or AlertSettings()
    group = problem_group(first.status.resource, problems, plan, row)
    begun = [problem.finding.title for problem in problems if problem.state in _BEGUN]
    news = f"New: {', '.join(dict.fromkeys(begun))}." if begun else "The plan has changed."
    lines = list(_lines(group.row, problems))
    links = link_lines(group.row, page_url)
    also = [f"In the same hour: {', '.join(same_hour)}."] if same_hour else []
    closing = [closing_text(alerts), HOW_TO_ACKNOWLEDGE]
    return Ticket(
        dedupe_key=first.status.resource,
        severity=group.severity,
        title=one_line(f"{group.row.title}: {group.row.problem}; {to_do(group.row)}"),
        body="\n".join([*lines, *also, *links, *closing]),
        update_text="\n".join([news, *lines, *links]),
        due_date=_due_date(problems, plan, alerts),
        first_seen_date=min(
            problem.status.raised_date or first.finding.site_date for problem in problems
        ),
        last_seen_date=first.finding.site_date,
        notified_date=max(_notified(problems, plan), default=None),
        members=tuple(problem.key for problem in problems),
    )


def _lines(row: PlanSummary, problems: Sequence[Problem]) -> Iterator[str]:
    """Yield what is wrong, what to do by when, the options, and what to check first."""
    yield capital(row.story) or f"{row.problem}."
    passed = crossing_words(row)
    now = f"Now {row.now_of_limit}" if row.now_of_limit else ""
    facts = (now, f"limit passed {passed}" if passed else "")
    yield from _sentence("; ".join(filter(None, facts)))
    yield f"Do: {to_do(row)}{f' ({row.owner})' if row.owner else ''}."
    others = dict.fromkeys(each.finding.title for each in problems if not _is_of(row, each))
    yield from _sentence(f"Also: {', '.join(others)}" if others else "")
    options = [
        f"- {each.change}: {'; '.join(filter(None, (each.cost, each.lasts, each.note, each.buys)))}"
        for each in row.options[:OPTIONS_MAX]
    ]
    yield from _section("Options", options)
    yield from _section("Check first", [f"- {each}" for each in row.check_first[:CHECKS_MAX]])
    yield ""


def _is_of(row: PlanSummary, problem: Problem) -> bool:
    """Return whether a row is about a problem; that of an incident is about what happened too."""
    if row.kind is SummaryKind.incident and problem.finding.is_event:
        return True
    return (row.rule_id, row.subject) == (problem.finding.rule_id, problem.finding.subject)


def _sentence(text: str) -> Iterator[str]:
    if text:
        yield f"{text}."


def _section(heading: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield from ("", f"{heading}:", *lines)


def _due_date(
    problems: Sequence[Problem], plan: AnyPlan | None, alerts: AlertSettings
) -> date | None:
    if plan is not None:
        return None if plan.needs_nothing else plan.due_date
    dues = [due for problem in problems if (due := due_date_of(problem, alerts))]
    return min(dues, default=None)


def _notified(problems: Iterable[Problem], plan: AnyPlan | None) -> list[date]:
    """Return the days with something to say; a plan says for its problems what has changed."""
    statuses = [problem.status for problem in problems]
    if plan is None:
        return [status.notified_date for status in statuses if status.notified_date]
    changed = plan.dates.changed_on if isinstance(plan, Plan) else None
    days = [*(status.raised_date for status in statuses), changed]
    return [day for day in days if day]
