"""The mail: a digest as one message with a text part, an HTML part and charts inside.

``render`` is pure and gives the same bytes for the same digest: the identification, the date
and the boundaries are derived from what is said. ``alerting.delivery`` sends it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from datetime import UTC, datetime, time, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, parseaddr
from functools import cache
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup, escape
from pydantic import BaseModel, ConfigDict

from alerting.digest import Digest, Problem
from alerting.wording import one_line, quantity, when
from domain.finding import Finding, InputValue, Severity
from domain.metric import sysplex_of
from domain.problem import ProblemState

TEMPLATES: Final = Path(__file__).with_name("templates")
MAX_CHARTS: Final = 6
"""Charts in one mail, the most urgent ones; the page has all (ours)."""
MAX_DETAILS: Final = 10
"""Problems told in full in one mail; the table has all (ours). More than about twice this
passes 102 KB of HTML, where some mail readers cut a mail off."""
MAX_SUBJECT_LENGTH: Final = 150

_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d")


class Letterhead(BaseModel):
    """From whom, to whom, and where to read more."""

    model_config = ConfigDict(frozen=True)

    site_name: str
    mail_from: str
    mail_to: tuple[str, ...]
    page_url: str


class _Chart(BaseModel):
    model_config = ConfigDict(frozen=True)

    cid: str
    png: bytes


def render(
    digest: Digest,
    letterhead: Letterhead,
    *,
    charts: Mapping[str, bytes] | None = None,
    references: Mapping[str, str] | None = None,
) -> EmailMessage:
    """The digest as a message.

    Args:
        digest: What there is to say.
        letterhead: Addresses and the page's address.
        charts: PNG by problem key; see ``chart_problems`` for which are of use.
        references: The tracker's references by problem key.
    """
    shown = _numbered(digest, charts or {})
    values = {
        "digest": digest,
        "letterhead": letterhead,
        "charts": shown,
        "references": references or {},
        "details": detailed(digest),
        "untold_count": len(_worth_telling(digest)) - len(detailed(digest)),
        "summary": summary(digest),
        "unknown": unknown_lines(digest),
    }
    message = EmailMessage(policy=SMTP)
    message["Subject"] = subject_line(digest)
    message["From"] = letterhead.mail_from
    message["To"] = ", ".join(letterhead.mail_to)
    message["Date"] = format_datetime(_midnight_after(digest))
    message["Message-ID"] = _message_id(digest, letterhead)
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(_template("mail.txt.j2", values))
    message.add_alternative(_template("mail.html.j2", values), subtype="html")
    rich = message.get_body(("html",))
    for chart in shown.values():
        if isinstance(rich, EmailMessage):
            rich.add_related(
                chart.png, "image", "png", cid=f"<{chart.cid}>", filename=f"{chart.cid}.png"
            )
    _set_boundaries(message, digest)
    return message


def chart_problems(digest: Digest) -> tuple[Problem, ...]:
    """The problems whose chart belongs in the mail, most urgent first."""
    told = [problem for problem in detailed(digest) if problem.crossing is not None]
    return tuple(told[:MAX_CHARTS])


def detailed(digest: Digest) -> tuple[Problem, ...]:
    """The problems told in full: what to act on, and what is new or worse."""
    return _worth_telling(digest)[:MAX_DETAILS]


def subject_line(digest: Digest) -> str:
    """Severity, sysplex, resource, figure, date; then how many more. One line."""
    if digest.all_clear:
        return f"OK: nothing over a limit or about to pass one, {digest.site_date}"
    if digest.quiet:
        return _data_subject(digest)
    first, *more = digest.problems
    finding = first.finding
    sysplex = sysplex_of(finding.subject)
    resource = finding.subject.removeprefix(f"{sysplex}/").replace("/", " ")
    figures = quantity(finding.observed, finding.unit)
    limit = quantity(finding.limit_value, finding.unit)
    parts = [
        f"{first.severity.upper()} {sysplex} {resource} {finding.title}: {figures}",
        f"limit {limit}",
        _date_words(first),
    ]
    others = f" (+{len(more)} more)" if more else ""
    line = one_line(", ".join(parts))
    return line[: MAX_SUBJECT_LENGTH - len(others)] + others


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
    """What could not be judged, one line per rule with its subjects."""
    by_reason: dict[tuple[str, tuple[str, ...]], list[Finding]] = {}
    for finding in digest.unknown:
        by_reason.setdefault((finding.rule_id, finding.missing), []).append(finding)
    return tuple(
        f"{findings[0].title}: {', '.join(one.subject for one in findings)}. "
        + (f"Missing: {'; '.join(missing)}." if missing else findings[0].summary)
        for (_, missing), findings in by_reason.items()
    )


def unbroken_dates(text: str) -> Markup:
    """Escaped text in which no line ends inside a date, which narrow screens would do."""
    return Markup(_DATE.sub(r'<span class="whole">\g<0></span>', str(escape(text))))  # noqa: S704


def input_line(value: InputValue) -> str:
    """One input of a rule with its source, so that the arithmetic can be redone."""
    known = isinstance(value.value, int | float) and not isinstance(value.value, bool)
    shown = quantity(float(value.value or 0), value.unit) if known else str(value.value)
    return f"{value.name} = {shown}" + (f" ({value.source})" if value.source else "")


def _worth_telling(digest: Digest) -> tuple[Problem, ...]:
    news = [problem for problem in digest.problems if problem.life.is_news]
    known = [problem for problem in digest.problems if not problem.life.is_news]
    return (*news, *(problem for problem in known if problem.becomes_ticket))


def _numbered(digest: Digest, charts: Mapping[str, bytes]) -> dict[str, _Chart]:
    keys = [problem.key for problem in chart_problems(digest) if problem.key in charts]
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
        quantity=quantity, input_line=input_line, unbroken_dates=unbroken_dates
    )
    environment.globals.update(when=when, page_link=page_link)
    return environment


def page_link(letterhead: Letterhead, problem: Problem) -> str:
    """The page's address of the problem's series on that day, else of the whole fleet."""
    day = problem.finding.site_date.isoformat()
    base = letterhead.page_url.rstrip("/")
    if problem.finding.series_id is None:
        return f"{base}/subject?{urlencode({'name': problem.finding.subject, 'day': day})}"
    return f"{base}/series?{urlencode({'series': problem.finding.series_id, 'day': day})}"


def _data_subject(digest: Digest) -> str:
    """No all-clear: what is missing first, then how many more feeds are."""
    first, *more = digest.data
    others = f" (+{len(more)} more)" if more else ""
    state = {"never_seen": "never seen"}.get(first.state, str(first.state))
    member = f" from {first.member}" if first.member else ""
    sysplex = sysplex_of(first.subject)
    sender = first.subject.removeprefix(f"{sysplex}/").replace("/", " ")
    line = one_line(
        f"DATA INCOMPLETE {sysplex} {sender}{member}: {first.title} {state}, {digest.site_date}"
    )
    return line[: MAX_SUBJECT_LENGTH - len(others)] + others


def _date_words(problem: Problem) -> str:
    if problem.over:
        since = problem.crossing.breached_since if problem.crossing else None
        return f"over since {since or problem.finding.site_date}"
    if problem.expected_date is None:
        return f"on {problem.finding.site_date}"
    word = "expected" if problem.crossing and problem.crossing.expected_date else "earliest"
    return f"{word} {problem.expected_date}"


def _midnight_after(digest: Digest) -> datetime:
    """The end of the day that the mail is about: no clock is read, so a rerun is the same."""
    return datetime.combine(digest.site_date + timedelta(days=1), time(), UTC)


def _message_id(digest: Digest, letterhead: Letterhead) -> str:
    domain = parseaddr(letterhead.mail_from)[1].rpartition("@")[2] or "localhost"
    to = hashlib.sha256(",".join(sorted(letterhead.mail_to)).encode()).hexdigest()[:8]
    return f"<mqcap.{digest.site_date}.{digest.sha256[:16]}.{to}@{domain}>"


def _set_boundaries(message: EmailMessage, digest: Digest) -> None:
    parts = [part for part in message.walk() if part.is_multipart()]
    for number, part in enumerate(parts):
        part.set_boundary(f"=_mqcap_{digest.sha256[:24]}_{number}")
