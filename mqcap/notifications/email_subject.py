"""Subject lines of emails: severity and resource first, short enough for a phone."""

from enum import StrEnum
from textwrap import shorten
from typing import Final

from mqcap.domain.finding import Severity
from mqcap.domain.shown_text import one_line
from mqcap.domain.subject import Subject
from mqcap.notifications.digest import Digest
from mqcap.notifications.problem_group import ProblemGroup
from mqcap.presentation.dates import short_day
from mqcap.presentation.summary_text import to_do

MAX_SUBJECT_LENGTH: Final = 90


class MailTopic(StrEnum):
    """The subject matter of a mail."""

    capacity = "capacity"
    data = "data"
    """Records that have not arrived, and nothing about capacity."""


def subject_line(digest: Digest, about: MailTopic = MailTopic.capacity) -> str:
    """Return severity, resource, what is wrong and the change of the most urgent row.

    What still asks for action comes before an event that has ended.
    """
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
    """Return the subject line about a resource; ``word`` replaces its severity.

    What does not fit goes: the number of others, the change, what is wrong.
    """
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
