"""Table of the data findings of a day: feeds that lack records, and sources that differ."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Final

from mqcap.domain.feed import FeedDay, FeedKind, data_findings
from mqcap.domain.metric import owner_subject_of
from mqcap.domain.numbers import ABSENT, share
from mqcap.presentation.dates import short_day
from mqcap.presentation.listing import Listing
from mqcap.store.database import Store
from mqcap.store.feeds import read_feeds

NAMES_MAX: Final = 2
"""Feeds named of those that are alike (ours)."""
ROWS_MAX: Final = 6
"""Groups of feeds that are listed; the page lists all (ours)."""
NO_ALL_CLEAR: Final = "Checks that need these records are not in order until they arrive."
DIFFERENT: Final = "Two sources of one figure, or two files, do not agree."


def data_table(engine: Store, day: date) -> Listing | None:
    """Return one row per finding; ``None`` when all has arrived and no two sources differ.

    Several with the same state and remedy are one row, with the remedy of the one that lacks
    most.
    """
    findings = data_findings(read_feeds(engine, day))
    if not findings:
        return None
    is_missing = any(feed.is_incomplete for feed in findings)
    what = "records that have not arrived" if is_missing else "sources that differ"
    return Listing(
        title=f"Data: {what}, {short_day(day)}",
        headings=("state", "feed", "arrived", "what to do"),
        rows=tuple(map(_row, _alike(findings)[:ROWS_MAX])),
        caption=NO_ALL_CLEAR if is_missing else DIFFERENT,
        styles={feed.state.replace("_", " "): "yellow" for feed in findings},
        name_count=1,
        cut=(1, 3),
    )


def _alike(findings: Iterable[FeedDay]) -> list[list[FeedDay]]:
    """Return the feeds by state and remedy, of each the one that lacks most first.

    A channel initiator is with its queue manager, where that lacks records too.
    """
    groups: dict[tuple[str, str], list[FeedDay]] = {}
    managers: dict[str, tuple[str, str]] = {}
    for feed in sorted(findings, key=lambda feed: feed.kind is FeedKind.channel_initiator):
        key: tuple[str, str] = (feed.state, feed.remedy)
        if feed.kind is FeedKind.channel_initiator:
            key = managers.get(owner_subject_of(feed.subject), key)
        elif feed.kind is FeedKind.statistics:
            managers[feed.subject] = key
        groups.setdefault(key, []).append(feed)
    return [sorted(group, key=lambda feed: feed.ratio) for group in groups.values()]


def _row(feeds: Sequence[FeedDay]) -> tuple[str, ...]:
    first, last = feeds[0], feeds[-1]
    names = [f"{feed.subject} {feed.system}".strip() for feed in feeds]
    more = f" and {len(names) - NAMES_MAX} more" if len(names) > NAMES_MAX else ""
    arrived = share(first.ratio) if first.is_incomplete else ABSENT
    if first.is_incomplete and share(last.ratio) != arrived:
        arrived = f"{arrived} to {share(last.ratio)}"
    return (
        first.state.replace("_", " "),
        f"{', '.join(names[:NAMES_MAX])}{more}",
        arrived,
        first.remedy or first.summary,
    )
