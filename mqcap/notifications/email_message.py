"""Email of a digest: one message with a text part, an HTML part and the lines of its rows.

Message-ID, date and boundaries are derived from its content: the same digest gives the same bytes.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, parseaddr
from enum import StrEnum
from functools import cache
from pathlib import Path
from textwrap import shorten
from typing import Final, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from pydantic import BaseModel

from mqcap.domain.finding import Severity
from mqcap.domain.shown_text import one_line
from mqcap.domain.subject import Subject
from mqcap.notifications.digest import Digest
from mqcap.notifications.problem_group import ProblemGroup
from mqcap.notifications.ticket_text import page_link
from mqcap.presentation.dates import short_day
from mqcap.presentation.feed_text import data_heading, data_words, feed_lines, waiting_lines
from mqcap.presentation.labels import as_sentence, needed
from mqcap.presentation.listing import rows_in_lines
from mqcap.presentation.plan_summary import PlanSummary
from mqcap.presentation.summary_text import cells, checks_words, count_words, to_do
from mqcap.queries.resources import resource_label
from mqcap.settings import AlertSettings, MailBudget
from sizing.rulebook.missing_inputs import is_waiting, needs

MAX_SUBJECT_LENGTH: Final = 90


class MailTopic(StrEnum):
    """The subject matter of a mail."""

    capacity = "capacity"
    data = "data"
    """Records that have not arrived, and nothing about capacity."""


def subject_line(digest: Digest, about: MailTopic = MailTopic.capacity) -> str:
    """Return severity, resource, what is wrong and the change of the most urgent row."""
    day = short_day(digest.site_date)
    if about is MailTopic.data and not digest.data:
        return f"DATA COMPLETE: all expected records have arrived, {day}"
    if about is MailTopic.data:
        return _data_subject(digest)
    if digest.all_clear:
        return f"OK: nothing over a limit or about to pass one, {day}"
    if digest.quiet:
        return _data_subject(digest)
    return group_subject(digest.leading, len(digest.groups) - 1)


def group_subject(group: ProblemGroup, more: int, word: str = "") -> str:
    """Return the subject line about a resource; ``word`` replaces its severity."""
    label = word or ("BETTER" if group.severity is Severity.ok else group.severity.upper())
    row = group.row
    head = one_line(f"{label} {row.title}")
    others = f" (+{more} more)" if more else ""
    forms = [
        f"{head}: {row.problem}; {to_do(row)}{others}",
        f"{head}: {row.problem}; {to_do(row)}",
        f"{head}: {to_do(row)}{others}",
        f"{head}: {row.problem}",
    ]
    fitting = (form for line in forms if len(form := one_line(line)) <= MAX_SUBJECT_LENGTH)
    short = shorten(head, MAX_SUBJECT_LENGTH, placeholder="…")
    return next(fitting, short[:MAX_SUBJECT_LENGTH])


def _data_subject(digest: Digest) -> str:
    """Return the first incomplete feed, else the first sources that differ, and how many others."""
    first = next((feed for feed in digest.data if feed.is_incomplete), digest.data[0])
    others = f" (+{len(digest.data) - 1} more)" if len(digest.data) > 1 else ""
    word = "INCOMPLETE" if first.is_incomplete else "DIFFERS"
    state = f" {first.state}".replace("_", " ") if first.is_incomplete else ""
    system = f" from {first.system}" if first.system else ""
    sysplex = Subject(first.subject).sysplex
    sender = first.subject.removeprefix(f"{sysplex}/").replace("/", " ")
    head = f"DATA {word} {sysplex} {sender}{system}:"
    forms = [
        f"{head} {first.title}{state}, {short_day(digest.site_date)}",
        f"{head}{state or f' {first.title}'}",
    ]
    fitting = (
        form for words in forms if len(form := one_line(words) + others) <= MAX_SUBJECT_LENGTH
    )
    return next(fitting, one_line(head)[: MAX_SUBJECT_LENGTH - len(others)] + others)


TEMPLATES: Final = Path(__file__).with_name("templates")
NEW: Final = "New or changed"
STANDING: Final = "Unchanged"
BUDGET: Final = MailBudget()
NOTHING: Final = "Nothing is over its limit, close to it, or forecast to pass it soon."
NOTHING_SO_FAR: Final = f"As far as records have arrived, {NOTHING[0].lower()}{NOTHING[1:]}"


class MessageContext(BaseModel, frozen=True):
    """The sender, recipients, addresses and settings of a mail."""

    site_name: str
    mail_from: str
    mail_to: tuple[str, ...]
    page_url: str
    alerts: AlertSettings = AlertSettings()
    """Budget of an email."""
    undelivered_dates: tuple[date, ...] = ()
    """Days whose mail to these recipients could not be delivered; this email has their alerts."""


class _List(NamedTuple):
    """Lines under a heading, and how many more there are."""

    heading: str
    lines: Sequence[str]
    more: int = 0


def render(
    digest: Digest,
    context: MessageContext,
    *,
    charts: Mapping[str, bytes] | None = None,
    references: Mapping[str, str] | None = None,
    moves: Sequence[str] = (),
    about: MailTopic = MailTopic.capacity,
) -> EmailMessage:
    """Return the digest as a message.

    ``charts`` are PNG by resource, embedded for ``listed`` rows; ``references`` the tracker's by
    problem key; ``moves`` a line for each resource whose date moved.
    """
    budget = context.alerts.mail_budget
    digest = digest.model_copy(update={"groups": ()}) if about is MailTopic.data else digest
    groups = listed(digest, budget)
    pictures, known = charts or {}, references or {}
    shown = [group.resource for group in groups if group.resource in pictures]
    cids = {resource: f"line-{number}@mqcap" for number, resource in enumerate(shown, 1)}
    parts = [
        (heading, members)
        for heading, is_new in ((NEW, True), (STANDING, False))
        if (members := [group for group in groups if group.is_new_or_changed is is_new])
    ]

    def ticket(group: ProblemGroup) -> str:
        return next((known[one.key] for one in group.problems if one.key in known), "")

    values = {
        "digest": digest,
        "about": about,
        "context": context,
        "charts": cids,
        "link": lambda row: page_link(context.page_url, row.links.get("plan", "")),
        "ticket": ticket,
        "lead": _lead(digest),
        "summary": summary(digest),
        "parts": parts,
        "tables": [
            (heading, rows_in_lines([cells(member.row) for member in members]))
            for heading, members in parts
        ],
        "lists": list(_lists(digest, about, moves, budget.rows)),
        "unlisted_count": sum(bool(group.row.change) for group in digest.groups) - len(groups),
    }
    text, html = (
        _environment().get_template(f"mail.{kind}.j2").render(values) for kind in ("txt", "html")
    )
    if len(html.encode()) > budget.html_kib * 1_024 and len(groups) > 1:
        fewer = budget.model_copy(update={"lines": len(groups) * 3 // 4})
        alerts = context.alerts.model_copy(update={"mail_budget": fewer})
        context = context.model_copy(update={"alerts": alerts})
        return render(
            digest, context, charts=charts, references=references, moves=moves, about=about
        )
    to = hashlib.sha256(",".join(sorted(context.mail_to)).encode()).hexdigest()[:8]
    message = envelope(
        subject_line(digest, about),
        context.mail_from,
        context.mail_to,
        f"{digest.site_date}.{digest.sha256[:16]}.{to}",
        # the end of its day: no clock is read, so a rerun gives the same bytes
        datetime.combine(digest.site_date + timedelta(days=1), time(), UTC),
    )
    message.set_content(text)
    message.add_alternative(html, subtype="html")
    html_part = message.get_body(("html",))
    for resource, cid in cids.items():
        if isinstance(html_part, EmailMessage):
            html_part.add_related(
                pictures[resource], "image", "png", cid=f"<{cid}>", filename=f"{cid}.png"
            )
    for number, part in enumerate(part for part in message.walk() if part.is_multipart()):
        part.set_boundary(f"=_mqcap_{digest.sha256[:24]}_{number}")
    return message


def listed(digest: Digest, budget: MailBudget = BUDGET) -> list[ProblemGroup]:
    """Return the resources that ask for something, the new and the changed ones first."""
    return [group for group in digest.by_change if group.row.change][: budget.lines]


def chart_rows(digest: Digest, budget: MailBudget = BUDGET) -> list[PlanSummary]:
    """Return the rows that have a line of their course."""
    return [group.row for group in listed(digest, budget)[: budget.charts]]


def summary(digest: Digest) -> str:
    """Return the counts: over a limit, to plan, new, changed, resolved, incomplete feeds."""
    data = data_words(digest.data)
    checks = checks_words(len(digest.in_order), len(digest.unknown))
    checks += f" {as_sentence(data)}." if data else ""
    if digest.quiet:
        return checks
    groups = [group for group in digest.groups if group.row.change]
    new = sum(all(problem.state.has_begun for problem in group.problems) for group in groups)
    changed = sum(group.is_new_or_changed for group in groups) - new
    since = f" since {short_day(digest.previous_date)}" if digest.previous_date else ""
    news = f"{new} new, {changed} changed, {len(digest.resolved)} resolved{since}."
    return f"{count_words([group.row for group in groups])} {news} {checks}"


def _lead(digest: Digest) -> str:
    """Return what is worst, what to do and by when; that nothing is where nothing is."""
    if digest.quiet:
        return NOTHING if digest.all_clear else NOTHING_SO_FAR
    row = digest.leading.row
    owner = f", {row.owner}" if row.owner else ""
    return f"{row.title}: {row.problem}. {as_sentence(to_do(row))}{owner}."


def _lists(digest: Digest, about: MailTopic, moves: Sequence[str], rows: int) -> Iterator[_List]:
    """Yield missing records, and of capacity what moved, is resolved, not measured, not checked."""
    if digest.data:
        yield _cut(data_heading(digest.data), feed_lines(digest.data), rows)
    if about is MailTopic.data:
        return
    if moves:
        yield _cut("Dates that moved", moves, rows)
    named = (
        ("Resolved", [finding.key for finding in digest.resolved]),
        ("Open, but not measured", digest.unseen),
    )
    for heading, keys in named:
        if keys:
            yield _cut(heading, list(dict.fromkeys(map(resource_label, keys))), rows)
    if unknown := unknown_lines(digest):
        yield _cut("Not checked", unknown, rows)


def _cut(heading: str, lines: Sequence[str], rows: int) -> _List:
    return _List(heading, lines[:rows], max(0, len(lines) - rows))


def unknown_lines(digest: Digest) -> list[str]:
    """Return the settings that checks wait for, and how many lack records or something else."""
    lines = waiting_lines(digest.unknown)
    reasons: dict[str, list[str]] = {}
    for finding in digest.unknown:
        if not (finding.is_data_incomplete or is_waiting(finding)):
            has_reason = finding.missing and not any(needs([finding]))
            why = needed(finding.missing[0]) if has_reason else finding.title
            reasons.setdefault(why, []).append(finding.subject)
    for why, (first, *others) in reasons.items():
        also = f" and {len(others)} more" if others else ""
        lines.append(f"{first}{also}: {why}")
    return lines


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
        short_day=short_day, used=lambda row: round(100 * min(1, max(0.01, row.used_ratio or 0)))
    )
    return environment


def envelope(
    subject: str, sender: str, to: Sequence[str], local: str, moment: datetime | None = None
) -> EmailMessage:
    """Return a message without content; ``local`` names it in the domain of its sender."""
    # seven bits: what is stored as text is sent as the same bytes
    message = EmailMessage(policy=SMTP.clone(cte_type="7bit"))
    message["Subject"] = subject
    message["From"] = sender
    message["To"] = ", ".join(to)
    if moment is not None:
        message["Date"] = format_datetime(moment)
    domain = parseaddr(sender)[1].rpartition("@")[2] or "localhost"
    message["Message-ID"] = f"<mqcap.{local}@{domain}>"
    message["Auto-Submitted"] = "auto-generated"
    return message
