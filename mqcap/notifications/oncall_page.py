"""The page: a few lines that may wake somebody, for a measured breach on production only."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import parseaddr

from mqcap.notifications.digest import Digest, Problem
from mqcap.notifications.email_subject import problem_subject
from mqcap.presentation.sentence_numbers import quantity
from mqcap.settings import AlertSettings


def paging(digest: Digest) -> tuple[tuple[Problem, ...], ...]:
    """The problems that may page on the day, one tuple per cause, the most urgent first."""
    causes: dict[str, list[Problem]] = {}
    for problem in digest.problems:
        if problem.status.pages:
            causes.setdefault(problem.status.cause, []).append(problem)
    return tuple(tuple(found) for found in causes.values())


def page_message(problems: Sequence[Problem], alerts: AlertSettings) -> EmailMessage:
    """One page about one cause: what, how much, what to do. No HTML, no charts."""
    lead = problems[0]
    finding = lead.finding
    message = EmailMessage(policy=SMTP.clone(cte_type="7bit"))
    message["Subject"] = problem_subject(lead, len(problems) - 1, word="PAGE")
    message["From"] = alerts.mail_from
    message["To"] = ", ".join(alerts.page_to)
    domain = parseaddr(alerts.mail_from)[1].rpartition("@")[2] or "localhost"
    identity = hashlib.sha256(f"{lead.status.cause} {finding.site_date}".encode()).hexdigest()
    message["Message-ID"] = f"<mqcap.{finding.site_date}.page.{identity[:16]}@{domain}>"
    message["Auto-Submitted"] = "auto-generated"
    lines = [
        finding.summary,
        *(f"Do: {change.action} {change.typed}".strip() for change in finding.changes[:2]),
        *(_also(problem) for problem in problems[1:10]),
        alerts.page_url,
    ]
    message.set_content("\n".join(lines) + "\n")
    return message


def _also(problem: Problem) -> str:
    finding = problem.finding
    figures = quantity(finding.observed, finding.unit)
    limit = quantity(finding.limit_value, finding.unit)
    return f"Also {finding.subject} {finding.title}: {figures}, limit {limit}"
