"""On-call pages: a few lines about a measured breach of a production system, and of no other."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import parseaddr

from mqcap.domain.problem import Problem
from mqcap.notifications.digest import Digest, by_resource
from mqcap.notifications.email_subject import problem_subject
from mqcap.presentation.quantities import quantity
from mqcap.settings import AlertSettings


def paging_problems(digest: Digest) -> tuple[tuple[Problem, ...], ...]:
    """Return the problems that page on the day, one tuple per resource, the most urgent first."""
    problems = (problem for problem in digest.problems if problem.status.pages)
    return tuple(tuple(members) for members in by_resource(problems).values())


def page_message(problems: Sequence[Problem], alerts: AlertSettings) -> EmailMessage:
    """Return one page about one resource: the figures and the change. No HTML, no charts."""
    first = problems[0]
    finding = first.finding
    message = EmailMessage(policy=SMTP.clone(cte_type="7bit"))
    message["Subject"] = problem_subject(first, len(problems) - 1, word="PAGE")
    message["From"] = alerts.mail_from
    message["To"] = ", ".join(alerts.page_to)
    domain = parseaddr(alerts.mail_from)[1].rpartition("@")[2] or "localhost"
    identity = hashlib.sha256(f"{first.status.resource} {finding.site_date}".encode()).hexdigest()
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
    observed = quantity(finding.observed, finding.unit).full
    limit = quantity(finding.limit_value, finding.unit).full
    return f"Also {finding.subject} {finding.title}: {observed}, limit {limit}"
