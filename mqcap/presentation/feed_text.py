"""What is missing: feeds, sources that differ, settings; the same in mail, terminal and reports."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from mqcap.domain.feed import FeedDay, FeedKind
from mqcap.domain.finding import Finding
from mqcap.domain.numbers import counted, share
from mqcap.domain.subject import Subject
from sizing.rulebook.missing_inputs import STEPS_MAX, needs, steps

NAMES_MAX: Final = 2
"""Feeds named of those that are alike (ours)."""


def data_words(findings: Iterable[FeedDay]) -> str:
    """Return ``2 feeds of records incomplete, 1 figure differs between two sources``, or ``""``."""
    kinds = [finding.is_incomplete for finding in findings]
    missing, differing = kinds.count(True), kinds.count(False)
    verb = "differs" if differing == 1 else "differ"
    parts = [
        f"{counted(missing, 'feed')} of records incomplete" if missing else "",
        f"{counted(differing, 'figure')} {verb} between two sources" if differing else "",
    ]
    return ", ".join(filter(None, parts))


def data_heading(findings: Iterable[FeedDay]) -> str:
    """Return what the lines of data findings are about."""
    is_missing = any(feed.is_incomplete for feed in findings)
    return "Missing records" if is_missing else "Sources that differ"


def feed_lines(findings: Iterable[FeedDay]) -> list[str]:
    """Return a line for feeds with the same state and remedy, that which lacks most first.

    A channel initiator is with its queue manager, where that lacks records too.
    """
    groups: dict[tuple[str, str], list[FeedDay]] = {}
    managers: dict[str, tuple[str, str]] = {}
    for feed in sorted(findings, key=lambda feed: feed.kind is FeedKind.channel_initiator):
        key: tuple[str, str] = (feed.state, feed.remedy)
        if feed.kind is FeedKind.channel_initiator:
            key = managers.get(feed.subject.owner, key)
        elif feed.kind is FeedKind.statistics:
            managers[feed.subject] = key
        groups.setdefault(key, []).append(feed)
    return [_line(sorted(group, key=lambda feed: feed.ratio)) for group in groups.values()]


def _line(feeds: Sequence[FeedDay]) -> str:
    first, last = feeds[0], feeds[-1]
    names = [f"{feed.subject}{f' from {feed.system}' if feed.system else ''}" for feed in feeds]
    more = f" and {len(names) - NAMES_MAX} more" if len(names) > NAMES_MAX else ""
    arrived = dict.fromkeys(map(share, (first.ratio, last.ratio)))
    state = f"{' to '.join(arrived)} arrived" if first.is_incomplete else "they differ"
    remedy = first.remedy or first.summary
    return f"{', '.join(names[:NAMES_MAX])}{more}, {first.title}: {state}. {remedy}"


class WaitingChecks(NamedTuple):
    """Checks that are made once some settings are there."""

    title: str
    """The first entry of the settings, and how many more."""
    problem: str
    change: str


def waiting_checks(findings: Iterable[Finding]) -> list[WaitingChecks]:
    """Return the settings that let most checks be made, most worthwhile first."""
    rows = []
    for step in steps(needs(findings))[:STEPS_MAX]:
        first, *others = sorted({need.owner for need in step.needs})
        also = f" and {len(others)} more" if others else ""
        name = Subject(first).in_sysplex or first
        problem = f"{counted(len(step.needs), 'check')} not made"
        rows.append(WaitingChecks(f"{name}{also}", problem, f"set {', '.join(step.keys)}"))
    return rows


def waiting_lines(findings: Sequence[Finding]) -> list[str]:
    """Return the settings that checks wait for, and how many lack records of the day."""
    lines = [
        f"{check.title}: {check.problem}; {check.change}" for check in waiting_checks(findings)
    ]
    if incomplete := sum(finding.is_data_incomplete for finding in findings):
        lines.append(f"{counted(incomplete, 'check')} without the records of the day")
    return lines
