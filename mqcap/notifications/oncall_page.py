"""On-call pages: a few lines about a measured breach of a production system, and of no other."""

from __future__ import annotations

import hashlib
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import parseaddr
from typing import Final

from mqcap.notifications.digest import Digest, by_resource
from mqcap.notifications.email_subject import group_subject
from mqcap.notifications.problem_group import ProblemGroup, problem_group
from mqcap.notifications.problem_text import page_link
from mqcap.presentation.summary_text import detail_lines
from mqcap.settings import AlertSettings

WIDTH: Final = 78
"""Characters of a line of a plain mail."""


def paging_groups(digest: Digest) -> tuple[ProblemGroup, ...]:
    """Return the problems that page on the day, by resource, the most urgent first."""
    problems = (problem for problem in digest.problems if problem.status.pages)
    return tuple(
        problem_group(path, members, digest.group_of(path).plan, digest.group_of(path).row)
        for path, members in by_resource(problems).items()
    )


def page_message(group: ProblemGroup, alerts: AlertSettings) -> EmailMessage:
    """Return one page about one resource: its row in full. No HTML, no charts."""
    finding = group.lead.finding
    message = EmailMessage(policy=SMTP.clone(cte_type="7bit"))
    message["Subject"] = group_subject(group, 0, word="PAGE")
    message["From"] = alerts.mail_from
    message["To"] = ", ".join(alerts.page_to)
    domain = parseaddr(alerts.mail_from)[1].rpartition("@")[2] or "localhost"
    identity = hashlib.sha256(f"{group.resource} {finding.site_date}".encode()).hexdigest()
    message["Message-ID"] = f"<mqcap.{finding.site_date}.page.{identity[:16]}@{domain}>"
    message["Auto-Submitted"] = "auto-generated"
    lines = [*detail_lines(group.row, WIDTH), page_link(alerts.page_url, group.row.links["plan"])]
    message.set_content("\n".join(lines) + "\n")
    return message
