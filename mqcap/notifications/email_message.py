"""Email of a digest: one message with a text part, an HTML part and embedded charts.

``render`` is pure and gives the same bytes for the same digest: Message-ID, date and boundaries
are derived from its content. ``mqcap.notifications.outbox`` delivers it.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, parseaddr
from functools import cache
from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup, escape
from pydantic import BaseModel, ConfigDict

from mqcap.domain import numbers
from mqcap.domain.finding import Finding, InputValue, Severity
from mqcap.domain.numbers import share
from mqcap.domain.problem import Problem, ProblemState
from mqcap.notifications.digest import Digest
from mqcap.notifications.email_subject import MailTopic, subject_line
from mqcap.notifications.outlook import MailOutlook
from mqcap.notifications.problem_text import (
    labelled,
    named_quantity,
    observation_text,
    probability_text,
    series_link,
    state_text,
    status_text,
)
from mqcap.presentation.crossing_text import crossing_text
from mqcap.presentation.due_dates import due_date_of
from mqcap.presentation.quantities import quantity
from mqcap.presentation.recommendation import advice
from mqcap.settings import AlertSettings, MailBudget

TEMPLATES: Final = Path(__file__).with_name("templates")
_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d")
_FIGURE: Final = re.compile(r"[\d.,]*\d [\w/%]+")

BUDGET: Final = MailBudget()


class MessageContext(BaseModel):
    """The sender, recipients, addresses and settings of a mail."""

    model_config = ConfigDict(frozen=True)

    site_name: str
    mail_from: str
    mail_to: tuple[str, ...]
    page_url: str
    alerts: AlertSettings = AlertSettings()
    """Budget of an email, lead times and freezes."""
    undelivered_dates: tuple[date, ...] = ()
    """Days whose mail to these recipients could not be delivered; this email has their alerts."""


class _Chart(BaseModel):
    model_config = ConfigDict(frozen=True)

    cid: str
    png: bytes


def render(
    digest: Digest,
    context: MessageContext,
    *,
    charts: Mapping[str, bytes] | None = None,
    references: Mapping[str, str] | None = None,
    outlooks: Mapping[str, MailOutlook] | None = None,
    about: MailTopic = MailTopic.capacity,
) -> EmailMessage:
    """Return the digest as a message.

    Args:
        digest: The content.
        context: Addresses, the page's address and the size limits of the mail.
        charts: PNG by problem key; only those of ``chart_problems`` are embedded.
        references: The tracker's references by problem key.
        outlooks: By problem key: growth and accuracy of the forecast, and moved dates.
        about: Capacity, or only the records that are missing.
    """
    budget = context.alerts.mail_budget
    embedded = _numbered(digest, charts or {}, budget)
    values = {
        "digest": digest,
        "about": about,
        "context": context,
        "charts": embedded,
        "references": references or {},
        "outlooks": outlooks or {},
        "summary": summary(digest),
        "unknown": unknown_lines(digest),
        "groups": digest.groups[: budget.lines],
        "unlisted_count": sum(len(group.problems) for group in digest.groups[budget.lines :]),
    }
    text, html = _within(values, digest, budget)
    message = _envelope(digest, context, about)
    message.set_content(text)
    message.add_alternative(html, subtype="html")
    html_part = message.get_body(("html",))
    for chart in embedded.values():
        if isinstance(html_part, EmailMessage) and f"cid:{chart.cid}" in html:
            html_part.add_related(
                chart.png, "image", "png", cid=f"<{chart.cid}>", filename=f"{chart.cid}.png"
            )
    _set_boundaries(message, digest)
    return message


def _within(values: Mapping[str, object], digest: Digest, budget: MailBudget) -> tuple[str, str]:
    """Return text and HTML with as many details as fit into the budget."""
    details = detailed(digest, budget)
    while True:
        more = {"details": details, "omitted_count": len(_reportable(digest)) - len(details)}
        html = _template("mail.html.j2", {**values, **more})
        if not details or len(html.encode()) <= budget.html_kib * 1_024:
            return _template("mail.txt.j2", {**values, **more}), html
        details = details[: len(details) // 2]


def _envelope(digest: Digest, context: MessageContext, about: MailTopic) -> EmailMessage:
    # seven bits: what is stored as text is sent as the same bytes
    message = EmailMessage(policy=SMTP.clone(cte_type="7bit"))
    message["Subject"] = subject_line(digest, about)
    message["From"] = context.mail_from
    message["To"] = ", ".join(context.mail_to)
    message["Date"] = format_datetime(_midnight_after(digest))
    message["Message-ID"] = _message_id(digest, context)
    message["Auto-Submitted"] = "auto-generated"
    return message


def chart_problems(digest: Digest, budget: MailBudget = BUDGET) -> tuple[Problem, ...]:
    """Return the problems whose chart belongs in the email, most urgent first."""
    problems = [problem for problem in detailed(digest, budget) if problem.crossing is not None]
    return tuple(problems[: budget.charts])


def detailed(digest: Digest, budget: MailBudget = BUDGET) -> tuple[Problem, ...]:
    """Return the problems with full details: those to act on, and those new or worse."""
    return _reportable(digest)[: budget.details]


def summary(digest: Digest) -> str:
    """Return the number of problems, changes, incomplete feeds and checks in one sentence."""
    act = sum(problem.severity is Severity.act for problem in digest.problems)
    watch = len(digest.problems) - act
    states = [problem.state for problem in digest.problems]
    parts = [f"{act} to act on", f"{watch} to watch", f"{len(digest.resolved)} resolved"]
    if digest.previous_date is not None:
        new = states.count(ProblemState.new) + states.count(ProblemState.reopened)
        worse = states.count(ProblemState.worsening)
        parts.append(f"{new} new and {worse} worse since {digest.previous_date}")
    if digest.data:
        count = len(digest.data)
        parts.append(f"{count} {'feed' if count == 1 else 'feeds'} of records incomplete")
    fine = len(digest.in_order)
    parts.append(f"{fine} {'check' if fine == 1 else 'checks'} in order")
    return f"{'; '.join(parts)}."


def unknown_lines(digest: Digest) -> tuple[str, ...]:
    """Return the checks that could not be judged, one line per rule with its subjects.

    Checks that only lack records are one line for all rules.
    """
    by_reason: dict[tuple[str, tuple[str, ...]], list[Finding]] = {}
    waiting = [finding for finding in digest.unknown if finding.is_data_incomplete]
    for finding in digest.unknown:
        if finding.is_data_incomplete:
            continue
        by_reason.setdefault((finding.rule_id, finding.missing), []).append(finding)
    return _waiting_lines(waiting) + tuple(
        f"{findings[0].title}: {', '.join(finding.subject for finding in findings)}. "
        + (f"Missing: {'; '.join(missing)}." if missing else findings[0].summary)
        for (_, missing), findings in by_reason.items()
    )


def _waiting_lines(findings: list[Finding]) -> tuple[str, ...]:
    """Return one line with the number of checks that wait for records, by subject."""
    if not findings:
        return ()
    counts = Counter(finding.subject for finding in findings)
    subjects = ", ".join(f"{subject} ({count})" for subject, count in sorted(counts.items()))
    word = "check" if len(findings) == 1 else "checks"
    waiting = f"{len(findings)} {word} wait for records that have not arrived"
    return (f"{waiting} (see Missing records): {subjects}.",)


def input_line(value: InputValue) -> str:
    """Return one input of a rule with its source, so that the arithmetic can be redone."""
    amount = value.value
    if isinstance(amount, int | float) and not isinstance(amount, bool):
        text = numbers.quantity(amount, value.unit)
    else:
        text = str(amount)
    return f"{value.name} = {text}" + (f" ({value.source})" if value.source else "")


def unbroken_dates(text: str) -> Markup:
    """Return escaped text in which no line breaks inside a date on a narrow screen."""
    return Markup(_DATE.sub(r'<span class="nowrap">\g<0></span>', str(escape(text))))  # noqa: S704 - escaped


def unbroken_figures(text: str) -> Markup:
    """Return escaped text in which no line breaks between a figure and its unit."""
    return Markup(_FIGURE.sub(r'<span class="nowrap">\g<0></span>', str(escape(text))))  # noqa: S704 - escaped


def _reportable(digest: Digest) -> tuple[Problem, ...]:
    changed = [problem for problem in digest.problems if problem.status.is_new_or_changed]
    unchanged = [problem for problem in digest.problems if not problem.status.is_new_or_changed]
    return (*changed, *(problem for problem in unchanged if problem.becomes_ticket))


def _numbered(digest: Digest, charts: Mapping[str, bytes], budget: MailBudget) -> dict[str, _Chart]:
    keys = [problem.key for problem in chart_problems(digest, budget) if problem.key in charts]
    return {
        key: _Chart(cid=f"chart-{number}@mqcap", png=charts[key])
        for number, key in enumerate(keys, 1)
    }


def _template(name: str, values: Mapping[str, object]) -> str:
    return _environment().get_template(name).render(values)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=select_autoescape(enabled_extensions=("html.j2",)),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(
        quantity=_full_quantity,
        share=share,
        input_line=input_line,
        unbroken_dates=unbroken_dates,
        unbroken_figures=unbroken_figures,
    )
    environment.globals.update(
        crossing_text=crossing_text,
        advice=advice,
        NO_OUTLOOK=MailOutlook(),
        series_link=series_link,
        observation_text=observation_text,
        due_date_of=due_date_of,
        state_text=state_text,
        status_text=status_text,
        probability_text=probability_text,
        named_quantity=named_quantity,
        labelled=labelled,
    )
    return environment


def _full_quantity(value: float | None, unit: str) -> str:
    return quantity(value, unit).full


def _midnight_after(digest: Digest) -> datetime:
    """Return the end of the email's day: no clock is read, so a rerun gives the same bytes."""
    return datetime.combine(digest.site_date + timedelta(days=1), time(), UTC)


def _message_id(digest: Digest, context: MessageContext) -> str:
    domain = parseaddr(context.mail_from)[1].rpartition("@")[2] or "localhost"
    to = hashlib.sha256(",".join(sorted(context.mail_to)).encode()).hexdigest()[:8]
    return f"<mqcap.{digest.site_date}.{digest.sha256[:16]}.{to}@{domain}>"


def _set_boundaries(message: EmailMessage, digest: Digest) -> None:
    parts = [part for part in message.walk() if part.is_multipart()]
    for number, part in enumerate(parts):
        part.set_boundary(f"=_mqcap_{digest.sha256[:24]}_{number}")
