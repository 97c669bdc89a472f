"""The mail: a digest as one message with a text part, an HTML part and charts inside.

``render`` is pure and gives the same bytes for the same digest: the identification, the date
and the boundaries are derived from what is said. ``mqcap.notifications.outbox`` sends it.
"""

from __future__ import annotations

import hashlib
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
from pydantic import BaseModel, ConfigDict

from mqcap.domain.feed import INCOMPLETE_DATA
from mqcap.domain.finding import Finding, InputValue, Severity
from mqcap.domain.problem import Problem, ProblemState
from mqcap.notifications.digest import Digest, ProblemGroup
from mqcap.notifications.due_dates import due_date_of
from mqcap.notifications.email_subject import MailTopic, subject_line
from mqcap.notifications.links import series_link
from mqcap.notifications.markup import unbroken_dates, unbroken_figures
from mqcap.notifications.outlook import MailOutlook
from mqcap.notifications.wording import (
    labelled,
    measured,
    named_quantity,
    probability_words,
    standing,
    state_words,
    when,
)
from mqcap.presentation.sentence_numbers import quantity
from mqcap.settings import AlertSettings, MailBudget

TEMPLATES: Final = Path(__file__).with_name("templates")
MAX_NAMES: Final = 12
"""Names of one group in the list; the page has all (ours)."""

BUDGET: Final = MailBudget()


class MessageContext(BaseModel):
    """From whom, to whom, and where to read more."""

    model_config = ConfigDict(frozen=True)

    site_name: str
    mail_from: str
    mail_to: tuple[str, ...]
    page_url: str
    alerts: AlertSettings = AlertSettings()
    """Budget of a mail, lead times and freezes."""
    untold: tuple[date, ...] = ()
    """Days whose mail to these people could not be handed over; this one has their news."""


class _Chart(BaseModel):
    model_config = ConfigDict(frozen=True)

    cid: str
    png: bytes


def render(
    digest: Digest,
    letterhead: MessageContext,
    *,
    charts: Mapping[str, bytes] | None = None,
    references: Mapping[str, str] | None = None,
    outlooks: Mapping[str, MailOutlook] | None = None,
    about: MailTopic = MailTopic.capacity,
) -> EmailMessage:
    """The digest as a message.

    Args:
        digest: What there is to say.
        letterhead: Addresses, the page's address and the mail's budget.
        charts: PNG by problem key; see ``chart_problems`` for which are of use.
        references: The tracker's references by problem key.
        outlooks: By problem key: growth, quality and record of the forecast, and moved dates.
        about: Capacity, or only the records that are missing.
    """
    budget = letterhead.alerts.mail_budget
    shown = _numbered(digest, charts or {}, budget)
    values = {
        "digest": digest,
        "about": about,
        "letterhead": letterhead,
        "charts": shown,
        "references": references or {},
        "outlooks": outlooks or {},
        "summary": summary(digest),
        "unknown": unknown_lines(digest),
        "groups": digest.groups[: budget.lines],
        "unlisted_count": sum(len(one.problems) for one in digest.groups[budget.lines :]),
    }
    text, html = _within(values, digest, budget)
    message = _envelope(digest, letterhead, about)
    message.set_content(text)
    message.add_alternative(html, subtype="html")
    rich = message.get_body(("html",))
    for chart in shown.values():
        if isinstance(rich, EmailMessage) and f"cid:{chart.cid}" in html:
            rich.add_related(
                chart.png, "image", "png", cid=f"<{chart.cid}>", filename=f"{chart.cid}.png"
            )
    _set_boundaries(message, digest)
    return message


def _within(values: Mapping[str, object], digest: Digest, budget: MailBudget) -> tuple[str, str]:
    """Text and HTML with as many details as the budget has room for."""
    told = detailed(digest, budget)
    while True:
        more = {"details": told, "untold_count": len(_worth_telling(digest)) - len(told)}
        html = _template("mail.html.j2", {**values, **more})
        if not told or len(html.encode()) <= budget.html_kib * 1_024:
            return _template("mail.txt.j2", {**values, **more}), html
        told = told[: len(told) // 2]


def _envelope(digest: Digest, letterhead: MessageContext, about: MailTopic) -> EmailMessage:
    # seven bits: what is stored as text is sent as the same bytes
    message = EmailMessage(policy=SMTP.clone(cte_type="7bit"))
    message["Subject"] = subject_line(digest, about)
    message["From"] = letterhead.mail_from
    message["To"] = ", ".join(letterhead.mail_to)
    message["Date"] = format_datetime(_midnight_after(digest))
    message["Message-ID"] = _message_id(digest, letterhead)
    message["Auto-Submitted"] = "auto-generated"
    return message


def chart_problems(digest: Digest, budget: MailBudget = BUDGET) -> tuple[Problem, ...]:
    """The problems whose chart belongs in the mail, most urgent first."""
    told = [problem for problem in detailed(digest, budget) if problem.crossing is not None]
    return tuple(told[: budget.charts])


def detailed(digest: Digest, budget: MailBudget = BUDGET) -> tuple[Problem, ...]:
    """The problems told in full: what to act on, and what is new or worse."""
    return _worth_telling(digest)[: budget.details]


def summary(digest: Digest) -> str:
    """The state of everything in one sentence."""
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
    """What could not be judged, one line per rule with its subjects.

    What only lacks records that have not arrived is one line for all rules.
    """
    by_reason: dict[tuple[str, tuple[str, ...]], list[Finding]] = {}
    lacking = [one for one in digest.unknown if INCOMPLETE_DATA in one.missing]
    for finding in digest.unknown:
        if INCOMPLETE_DATA in finding.missing:
            continue
        by_reason.setdefault((finding.rule_id, finding.missing), []).append(finding)
    return _lacking_lines(lacking) + tuple(
        f"{findings[0].title}: {', '.join(one.subject for one in findings)}. "
        + (f"Missing: {'; '.join(missing)}." if missing else findings[0].summary)
        for (_, missing), findings in by_reason.items()
    )


def _lacking_lines(findings: list[Finding]) -> tuple[str, ...]:
    """One line on every check that waits for records, by subject."""
    if not findings:
        return ()
    counts = Counter(one.subject for one in findings)
    told = ", ".join(f"{subject} ({count})" for subject, count in sorted(counts.items()))
    word = "check" if len(findings) == 1 else "checks"
    return (f"{len(findings)} {word} wait for records that have not arrived (see Data): {told}.",)


def names(group: ProblemGroup) -> str:
    """Everybody a group is about, within its sysplex; the most urgent first."""
    short = [one.removeprefix(f"{group.sysplex}/") for one in group.subjects]
    more = len(short) - MAX_NAMES
    return ", ".join(short[:MAX_NAMES]) + (f" and {more} more" if more > 0 else "")


def short_name(group: ProblemGroup, problem: Problem) -> str:
    """A resource of a group as the list calls it."""
    return problem.finding.subject.removeprefix(f"{group.sysplex}/")


def input_line(value: InputValue) -> str:
    """One input of a rule with its source, so that the arithmetic can be redone."""
    known = isinstance(value.value, int | float) and not isinstance(value.value, bool)
    shown = quantity(float(value.value or 0), value.unit) if known else str(value.value)
    return f"{value.name} = {shown}" + (f" ({value.source})" if value.source else "")


def _worth_telling(digest: Digest) -> tuple[Problem, ...]:
    news = [problem for problem in digest.problems if problem.status.is_new_or_changed]
    known = [problem for problem in digest.problems if not problem.status.is_new_or_changed]
    told = [*news, *(problem for problem in known if problem.becomes_ticket)]
    # one of each kind in a group comes first: the others say the same about other names
    seen: set[tuple[str, str]] = set()
    others: list[Problem] = []
    firsts: list[Problem] = []
    for problem in told:
        kind = (problem.status.cause, problem.finding.rule_id)
        (others if kind in seen else firsts).append(problem)
        seen.add(kind)
    return (*firsts, *others)


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
        quantity=quantity,
        input_line=input_line,
        unbroken_dates=unbroken_dates,
        unbroken_figures=unbroken_figures,
    )
    environment.globals.update(
        when=when,
        NOTHING=MailOutlook(),
        series_link=series_link,
        measured=measured,
        due_date_of=due_date_of,
        state_words=state_words,
        standing=standing,
        probability_words=probability_words,
        names=names,
        named_quantity=named_quantity,
        short_name=short_name,
        labelled=labelled,
    )
    return environment


def _midnight_after(digest: Digest) -> datetime:
    """The end of the day that the mail is about: no clock is read, so a rerun is the same."""
    return datetime.combine(digest.site_date + timedelta(days=1), time(), UTC)


def _message_id(digest: Digest, letterhead: MessageContext) -> str:
    domain = parseaddr(letterhead.mail_from)[1].rpartition("@")[2] or "localhost"
    to = hashlib.sha256(",".join(sorted(letterhead.mail_to)).encode()).hexdigest()[:8]
    return f"<mqcap.{digest.site_date}.{digest.sha256[:16]}.{to}@{domain}>"


def _set_boundaries(message: EmailMessage, digest: Digest) -> None:
    parts = [part for part in message.walk() if part.is_multipart()]
    for number, part in enumerate(parts):
        part.set_boundary(f"=_mqcap_{digest.sha256[:24]}_{number}")
