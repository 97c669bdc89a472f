"""Text of a ticket: what is wrong with one resource, the options, what to check first, links."""

from collections.abc import Sequence
from typing import Final

from mqcap.domain.shown_text import one_line
from mqcap.domain.ticket import Ticket
from mqcap.notifications.acknowledgements import HOW_TO_ACKNOWLEDGE
from mqcap.notifications.problem_group import ProblemGroup
from mqcap.presentation.labels import as_sentence
from mqcap.presentation.plan_summary import PlanSummary, SummaryKind
from mqcap.presentation.summary_text import row_lines, to_do
from mqcap.settings import AlertSettings
from mqcap.settings.due_dates import due_date_of

_LINKS: Final = {"plan": "Plan", "chart": "Chart", "computed": "How computed"}


def ticket_of(group: ProblemGroup, alerts: AlertSettings, same_hour: Sequence[str] = ()) -> Ticket:
    """Return the problems of a resource as a ticket; ``same_hour`` others were hit with it."""
    row, problems, plan = group.row, group.problems, group.plan
    begun = [problem.finding.title for problem in problems if problem.state.has_begun]
    news = f"New: {', '.join(dict.fromkeys(begun))}." if begun else "The plan has changed."
    has_happened = row.kind is SummaryKind.incident  # such a row is about each event
    others = dict.fromkeys(
        problem.finding.title
        for problem in problems
        if (row.rule_id, row.subject) != (problem.finding.rule_id, problem.finding.subject)
        and not (has_happened and problem.finding.is_event)
    )
    lines = [
        as_sentence(row.story) or f"{row.problem}.",
        *row_lines(row, [f"also: {', '.join(others)}" if others else ""]),
        "",
    ]
    links = link_lines(row, alerts.page_url)
    also = [f"In the same hour: {', '.join(same_hour)}."] if same_hour else []
    closing = f"This ticket is closed after {alerts.clear_days} consecutive complete days in order."
    day = problems[0].finding.site_date
    statuses = [problem.status for problem in problems]
    if plan is None:
        due = min(
            filter(None, (due_date_of(problem, alerts) for problem in problems)), default=None
        )
        notified = [status.notified_date for status in statuses]
    else:  # a plan says for its problems what has changed
        due = None if plan.needs_nothing else plan.due_date
        notified = [*(status.raised_date for status in statuses), group.changed_on]
    return Ticket(
        dedupe_key=group.resource,
        severity=group.severity,
        title=one_line(f"{row.title}: {row.problem}; {to_do(row)}"),
        body="\n".join([*lines, *also, *links, closing, HOW_TO_ACKNOWLEDGE]),
        update_text="\n".join([news, *lines, *links]),
        due_date=due,
        first_seen_date=min(status.raised_date or day for status in statuses),
        last_seen_date=day,
        notified_date=max(filter(None, notified), default=None),
        members=tuple(problem.key for problem in problems),
    )


def page_link(page_url: str, link: str) -> str:
    """Return the address of a link of a row (``PlanSummary.links``)."""
    return f"{page_url.rstrip('/')}/{link}"


def link_lines(row: PlanSummary, page_url: str) -> list[str]:
    """Return the addresses of a row, one line each; none without an address of the pages."""
    if not page_url:
        return []
    links = ((words, row.links.get(name)) for name, words in _LINKS.items())
    return [f"{words}: {page_link(page_url, link)}" for words, link in links if link]
