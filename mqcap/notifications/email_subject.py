"""Subject lines of emails: severity and resource first, short enough for a phone."""

from __future__ import annotations

from enum import StrEnum
from textwrap import shorten
from typing import Final

from mqcap.domain.finding import Finding, Severity
from mqcap.domain.metric import Direction, sysplex_of
from mqcap.domain.problem import Problem
from mqcap.notifications.digest import Digest
from mqcap.notifications.problem_group import ProblemGroup
from mqcap.notifications.problem_text import one_line
from mqcap.notifications.resources import resource_name
from mqcap.presentation.crossing_text import side, since_words
from mqcap.presentation.dates import near_day
from mqcap.presentation.display_units import STORED_RATE
from mqcap.presentation.finding_figures import observed_of_limit
from mqcap.presentation.plans.text import FIND_CAUSE_OF_ENDED, change_in_brief
from mqcap.presentation.quantities import quantity

MAX_SUBJECT_LENGTH: Final = 90
ENDED: Final = "ended"
"""Of an event that messages of the same day have ended."""


class MailTopic(StrEnum):
    """The subject matter of a mail."""

    capacity = "capacity"
    data = "data"
    """Records that have not arrived, and nothing about capacity."""


def subject_line(digest: Digest, about: MailTopic = MailTopic.capacity) -> str:
    """Return severity, resource, figure and change of the most urgent plan in one line.

    What still asks for action comes before an event that has ended.
    """
    if about is MailTopic.data and not digest.data:
        return f"DATA COMPLETE: all expected records have arrived, {digest.site_date}"
    if about is MailTopic.data:
        return _data_subject(digest)
    if digest.all_clear:
        return f"OK: nothing over a limit or about to pass one, {digest.site_date}"
    if digest.quiet:
        return _data_subject(digest)
    return group_subject(digest.leading, len(digest.groups) - 1)


def group_subject(group: ProblemGroup, more: int, word: str = "") -> str:
    """Return the subject line named after a resource; ``word`` replaces its severity.

    What does not fit goes, in this order: the number of others, the operand, the figure or the
    title of an event that has ended.
    """
    label = word or ("BETTER" if group.severity is Severity.ok else group.severity.upper())
    head = one_line(f"{label} {resource_name(group.lead.key)}")
    figures = figure_words(group.lead.finding)
    others = f" (+{more} more)" if more else ""
    forms = [
        f"{head}: {figures}; {_what_to_do(group)}{others}",
        f"{head}: {figures}; {_what_to_do(group)}",
        f"{head}: {figures}; {_when(group)}",
        *([f"{head}: event {ENDED}; {_what_to_do(group)}"] if group.has_ended else []),
        f"{head}: {_when(group)}",
    ]
    fitting = (form for line in forms if len(form := one_line(line)) <= MAX_SUBJECT_LENGTH)
    short = shorten(head, MAX_SUBJECT_LENGTH, placeholder="…")
    return next(fitting, short[:MAX_SUBJECT_LENGTH])


def brief(group: ProblemGroup) -> str:
    """Return resource, figure and change in one line of any length.

    A figure within its limit has the level of its severity beside it.
    """
    name, finding = resource_name(group.lead.key), group.lead.finding
    level = f" ({finding.deciding_words})" if finding.deciding_words else ""
    return one_line(f"{name}: {figure_words(finding)}{level}; {_what_to_do(group)}")


def figure_words(finding: Finding) -> str:
    """Return ``4.1 h of 12 h`` or ``84.6 %, limit 80 %``; the title of a rule that limits a rate.

    Of backups it is what is allowed and scheduled: ``6.2 days allowed, 7 days scheduled``. A rate
    says nothing without the quantity that flows, which the title names. Of an event that has ended
    it is the title, and that it has ended.
    """
    if finding.has_ended:
        return f"{finding.title}, {ENDED}"
    if finding.observed is None or finding.limit_value is None:
        return finding.title
    if finding.unit == STORED_RATE:
        return finding.title
    if finding.direction is Direction.downward:
        return observed_of_limit(finding)
    observed, limit = (
        str(quantity(value, finding.unit)) for value in (finding.observed, finding.limit_value)
    )
    return f"{observed}, limit {limit}"


def _what_to_do(group: ProblemGroup) -> str:
    if group.has_ended:
        return FIND_CAUSE_OF_ENDED
    if group.plan is None:
        return _date_words(group.lead)
    return change_in_brief(group.plan)


def _when(group: ProblemGroup) -> str:
    plan = group.plan
    if plan is None:
        return _date_words(group.lead)
    return f"due {near_day(plan.due_date, plan.site_date)}"


def _data_subject(digest: Digest) -> str:
    """Return the first incomplete feed, else the first sources that differ, and how many others."""
    first = next((feed for feed in digest.data if feed.is_incomplete), digest.data[0])
    others = f" (+{len(digest.data) - 1} more)" if len(digest.data) > 1 else ""
    word = "INCOMPLETE" if first.is_incomplete else "DIFFERS"
    state = f" {first.state}".replace("_", " ") if first.is_incomplete else ""
    system = f" from {first.system}" if first.system else ""
    sysplex = sysplex_of(first.subject)
    sender = first.subject.removeprefix(f"{sysplex}/").replace("/", " ")
    head = f"DATA {word} {sysplex} {sender}{system}:"
    forms = [
        f"{head} {first.title}{state}, {digest.site_date}",
        f"{head}{state or f' {first.title}'}",
    ]
    fitting = (
        form for words in forms if len(form := one_line(words) + others) <= MAX_SUBJECT_LENGTH
    )
    return next(fitting, one_line(head)[: MAX_SUBJECT_LENGTH - len(others)] + others)


def _date_words(problem: Problem) -> str:
    if problem.over:
        since = since_words(problem.crossing) or f"since {problem.finding.site_date}"
        return f"{side(problem.crossing, problem.finding)} {since}"
    if problem.expected_date is None:
        return f"on {problem.finding.site_date}"
    word = "expected" if problem.crossing and problem.crossing.expected_date else "earliest"
    return f"{word} {problem.expected_date}"
