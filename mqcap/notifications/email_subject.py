"""Subject lines of emails: severity and resource first, short enough for a phone."""

from __future__ import annotations

from enum import StrEnum
from textwrap import shorten
from typing import Final

from mqcap.domain.finding import Severity
from mqcap.domain.metric import sysplex_of
from mqcap.domain.problem import Problem
from mqcap.notifications.digest import Digest
from mqcap.notifications.problem_text import named_quantity, one_line
from mqcap.presentation.crossing_text import side, since_words
from mqcap.presentation.quantities import quantity

MAX_SUBJECT_LENGTH: Final = 150


class MailTopic(StrEnum):
    """The subject matter of a mail."""

    capacity = "capacity"
    data = "data"
    """Records that have not arrived, and nothing about capacity."""


def subject_line(digest: Digest, about: MailTopic = MailTopic.capacity) -> str:
    """Return severity, sysplex, resource, figure, date, and the number of others, in one line."""
    if about is MailTopic.data and not digest.data:
        return f"DATA COMPLETE: all expected records have arrived, {digest.site_date}"
    if about is MailTopic.data:
        return _data_subject(digest)
    if digest.all_clear:
        return f"OK: nothing over a limit or about to pass one, {digest.site_date}"
    if digest.quiet:
        return _data_subject(digest)
    return problem_subject(lead_problem(digest), len(digest.problems) - 1)


def lead_problem(digest: Digest) -> Problem:
    """Return the problem that an email is named after: the most urgent new or changed one first."""
    changed = [problem for problem in digest.problems if problem.status.is_new_or_changed]
    return (changed or list(digest.problems))[0]


def problem_subject(first: Problem, more: int, word: str = "") -> str:
    """Return the subject line named after a problem; ``word`` replaces its severity."""
    finding = first.finding
    sysplex = sysplex_of(finding.subject)
    resource = finding.subject.removeprefix(f"{sysplex}/").replace("/", " ")
    figures = named_quantity(finding, finding.observed, short=True)
    limit = quantity(finding.limit_value, finding.unit)
    label = word or ("BETTER" if first.severity is Severity.ok else first.severity.upper())
    begin = one_line(f"{label} {sysplex} {resource} {finding.title}")
    others = f" (+{more} more)" if more else ""
    end = one_line(f": {figures}, limit {limit}, {_date_words(first)}") + others
    # a long title is cut at a word, not the figure and the date
    room = max(0, MAX_SUBJECT_LENGTH - len(end))
    return (shorten(begin, room, placeholder="…") + end)[:MAX_SUBJECT_LENGTH]


def _data_subject(digest: Digest) -> str:
    """Return the first incomplete feed and the number of others."""
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
        since = since_words(problem.crossing) or f"since {problem.finding.site_date}"
        return f"{side(problem.crossing, problem.finding)} {since}"
    if problem.expected_date is None:
        return f"on {problem.finding.site_date}"
    word = "expected" if problem.crossing and problem.crossing.expected_date else "earliest"
    return f"{word} {problem.expected_date}"
