"""Completeness of a day: what each feed should have sent, and what has arrived."""

from datetime import date, datetime
from typing import Final
from zoneinfo import ZoneInfo

from mq_capacity_page.web.context import PageContext
from mq_capacity_page.web.page_frame import ViewModel
from mqcap.domain.feed import FeedDay, FeedState, GapCause
from mqcap.domain.numbers import ABSENT, figure, quantity
from mqcap.domain.subject import Subject
from mqcap.store.feeds import read_feeds

CAUSE_WORDS: Final = {
    GapCause.stopped: "stopped",
    GapCause.restarted: "restart, last interval lost",
    GapCause.system_silent: "no records of the entire system",
    GapCause.unexplained: "cause unknown",
}
SIGNS: Final = {
    FeedState.absent: "○",
    FeedState.never_seen: "?",
    FeedState.partial: "◐",
    FeedState.differs: "≠",
    FeedState.stopped: "■",
}
"""Of each state that is not complete, in the order in which the page lists them."""


class FeedRow(ViewModel):
    """Feed of which something is missing, or of which two sources differ."""

    day: FeedDay
    sender: str
    sign: str
    severity: str
    """That whose colours are used."""
    gaps: tuple[str, ...]


class FeedsView(ViewModel):
    """The feeds of one day."""

    rows: tuple[FeedRow, ...]
    """Of what is not complete, states that need action first."""
    complete: dict[tuple[str, str, str], list[str]]
    """By sysplex, kind and expected intervals: senders of complete feeds."""
    total: int
    incomplete: int
    """Data findings: feeds that lack records, and figures of two sources that differ."""


def feeds_view(context: PageContext, day: date) -> FeedsView:
    """Return every feed of the day, incomplete ones first."""
    of_day = sorted(read_feeds(context.engine, day), key=_sort_key)
    complete: dict[tuple[str, str, str], list[str]] = {}
    for feed in of_day:
        if feed.state is FeedState.complete:
            key = Subject(feed.subject).sysplex, feed.title, expected(feed)
            complete.setdefault(key, []).append(_sender(feed))
    return FeedsView(
        rows=tuple(
            feed_row(feed, ZoneInfo(context.timezone_of(feed.subject)))
            for feed in of_day
            if feed.state is not FeedState.complete
        ),
        complete=complete,
        total=len(of_day),
        incomplete=sum(feed.is_data_finding for feed in of_day),
    )


def feed_row(feed: FeedDay, zone: ZoneInfo) -> FeedRow:
    """Return one feed as printed."""
    return FeedRow(
        day=feed,
        sender=_sender(feed),
        sign=SIGNS[feed.state],
        severity="unknown" if feed.state is FeedState.stopped else "watch",
        gaps=tuple(
            f"{local_clock(gap.start_utc, feed.site_date, zone)} to "
            f"{local_clock(gap.end_utc, feed.site_date, zone)}, {CAUSE_WORDS[gap.cause]}"
            for gap in feed.gaps
        ),
    )


def local_clock(moment: datetime, day: date, zone: ZoneInfo) -> str:
    """Return the time of day in a zone; the midnight that ends ``day`` is ``24:00``."""
    local = moment.astimezone(zone)
    is_end = local.date() > day and (local.hour, local.minute) == (0, 0)
    return "24:00" if is_end else f"{local:%H:%M}"


def expected(feed: FeedDay) -> str:
    """Return the intervals that a feed should have: ``48 x 30 min``."""
    if feed.expected_count is None or not feed.interval_seconds:
        return ABSENT
    length = quantity(feed.interval_seconds / 60, "min")
    return f"{figure(feed.expected_count)} \N{MULTIPLICATION SIGN} {length}"


def _sender(feed: FeedDay) -> str:
    return feed.system or Subject(feed.subject).in_sysplex or feed.subject


def _sort_key(feed: FeedDay) -> tuple[int, str, str, str]:
    """Return the sort key: incomplete feeds in the order of the signs, then all others."""
    rank = list(SIGNS).index(feed.state) if feed.is_data_finding else len(SIGNS)
    return rank, feed.subject, feed.kind, feed.member
