"""Email of a digest: one message with a text part, an HTML part and embedded charts.

``render`` is pure and gives the same bytes for the same digest: Message-ID, date and boundaries
are derived from its content. ``mqcap.notifications.outbox`` delivers it.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, parseaddr
from functools import cache
from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from pydantic import BaseModel, ConfigDict

from mqcap.domain.crossing import CrossingState
from mqcap.domain.finding import Finding
from mqcap.domain.metric import owner_subject_of
from mqcap.domain.numbers import counted, share
from mqcap.domain.plan import Plan
from mqcap.domain.problem import Problem, ProblemState
from mqcap.notifications.digest import Digest
from mqcap.notifications.email_subject import MailTopic, brief, subject_line
from mqcap.notifications.plan_blocks import MailOutlook, PlanBlock, plan_block, with_headings
from mqcap.presentation.count_text import data_words, waiting_words
from mqcap.presentation.crossing_text import DATES_MEAN
from mqcap.presentation.dates import short_day, unbroken_dates
from mqcap.presentation.missing_inputs import is_waiting, sentences
from mqcap.presentation.plans.lasting import bound_means, bound_text
from mqcap.presentation.quantities import quantity
from mqcap.settings import AlertSettings, MailBudget

TEMPLATES: Final = Path(__file__).with_name("templates")

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
    """Teams whose mandatory changes are too many hours of work, a sentence each."""


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
        outlooks: By problem key: moved dates, and forecasts on incomplete data.
        about: Capacity, or only the records that are missing.
    """
    budget = context.alerts.mail_budget
    embedded = _numbered(digest, charts or {}, budget)
    values = {
        "digest": digest,
        "about": about,
        "context": context,
        "charts": embedded,
        "lead": brief(digest.leading) if digest.groups else "",
        "summary": summary(digest),
        "bound": next((_bound(group.plan) for group in digest.groups if group.plan), ""),
        "dates_mean": DATES_MEAN if any(map(_is_dated, detailed(digest, budget))) else "",
        "unknown": unknown_lines(digest),
        "rows": budget.rows,
        "unlisted_count": max(0, len(digest.groups) - budget.lines),
    }
    blocks = _blocks(digest, context, references or {}, outlooks or {})
    text, html = _within(values, blocks, budget)
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


def _bound(plan: Plan) -> str:
    return f"{bound_text(plan)}: {bound_means(plan.confidence)}"


def _is_dated(problem: Problem) -> bool:
    """Return whether the block of a problem has dates of its forecast."""
    crossing = problem.crossing
    return crossing is not None and crossing.state is CrossingState.will_cross


def _blocks(
    digest: Digest,
    context: MessageContext,
    references: Mapping[str, str],
    outlooks: Mapping[str, MailOutlook],
) -> list[PlanBlock]:
    """Return the blocks of the listed resources, the new and the changed ones first."""
    blocks = [
        plan_block(
            group,
            context.alerts,
            context.page_url,
            previous_date=digest.previous_date,
            ticket=next((references[p.key] for p in group.problems if p.key in references), ""),
            outlook=outlooks.get(group.lead.key),
        )
        for group in digest.by_change[: context.alerts.mail_budget.lines]
    ]
    return with_headings(blocks, digest.by_change)


def _within(
    values: Mapping[str, object], blocks: list[PlanBlock], budget: MailBudget
) -> tuple[str, str]:
    """Return text and HTML with as many blocks in full as fit into the budget."""
    count = min(len(blocks), budget.details)
    while True:
        more = {"blocks": blocks[:count], "others": blocks[count:]}
        html = _template("mail.html.j2", {**values, **more})
        if not count or len(html.encode()) <= budget.html_kib * 1_024:
            return _template("mail.txt.j2", {**values, **more}), html
        count //= 2


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
    """Return the problems whose chart belongs in the email, one per plan in the order of plans."""
    problems = [problem for problem in detailed(digest, budget) if problem.crossing is not None]
    return tuple(problems[: budget.charts])


def detailed(digest: Digest, budget: MailBudget = BUDGET) -> tuple[Problem, ...]:
    """Return the problem of the worst rule of each plan that has a block of its own."""
    return tuple(group.lead for group in digest.by_change[: budget.details])


def summary(digest: Digest) -> str:
    """Return the number of findings, plans, losses, changes, incomplete feeds and checks.

    A resource is one block of the email: that of a plan, of a loss, or of a finding without plan.
    """
    groups = digest.groups
    new = sum(_is_new(group.problems) for group in groups)
    changed = sum(group.is_new_or_changed for group in groups) - new
    since = f" since {short_day(digest.previous_date)}" if digest.previous_date else ""
    resolved = f"{counted(len(digest.resolved), 'problem')} resolved{since}"
    resources = f"Of {counted(len(groups), 'resource')} {new} new, {changed} changed"
    parts = [digest.urgent_words, f"{resources}; {resolved}"]
    if digest.data:
        parts.append(data_words(digest.data))
    parts.append(digest.check_words)
    return f"{'. '.join(filter(None, parts))}."


def _is_new(problems: Sequence[Problem]) -> bool:
    return all(problem.state in {ProblemState.new, ProblemState.reopened} for problem in problems)


def unknown_lines(digest: Digest) -> tuple[str, ...]:
    """Return the checks that could not be judged: what they wait for, else a line per rule.

    Checks that only lack records are one line for all rules.
    """
    by_reason: dict[tuple[str, tuple[str, ...]], list[Finding]] = {}
    waiting = [finding for finding in digest.unknown if finding.is_data_incomplete]
    for finding in digest.unknown:
        if finding.is_data_incomplete or is_waiting(finding):
            continue
        by_reason.setdefault((finding.rule_id, finding.missing), []).append(finding)
    lines = (*_waiting_lines(waiting), *map(str.strip, sentences(digest.unknown)))
    return lines + tuple(
        f"{findings[0].title}: {', '.join(finding.subject for finding in findings)}. "
        + (f"Missing: {'; '.join(missing)}." if missing else findings[0].summary)
        for (_, missing), findings in by_reason.items()
    )


def _waiting_lines(findings: list[Finding]) -> tuple[str, ...]:
    """Return one line with the number of checks that wait for records, by what they belong to."""
    if not findings:
        return ()
    counts = Counter(owner_subject_of(finding.subject) for finding in findings)
    subjects = ", ".join(f"{subject} ({count})" for subject, count in sorted(counts.items()))
    return (f"{waiting_words(len(findings))} (see Missing records): {subjects}.",)


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
    environment.filters.update(quantity=_full_quantity, share=share, unbroken_dates=unbroken_dates)
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
