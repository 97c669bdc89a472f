"""Completeness of a day: what each feed should have sent, and what has arrived."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Final
from zoneinfo import ZoneInfo

from mq_capacity_page.web.context import PageContext
from mq_capacity_page.web.page_frame import ViewModel
from mqcap.domain.feed import FeedDay, FeedKind, FeedState, GapCause
from mqcap.domain.numbers import ABSENT, figure, quantity, share
from mqcap.store.feeds import read_feeds

KIND_WORDS: Final = {
    FeedKind.statistics: "Queue manager statistics, SMF 115",
    FeedKind.channel_initiator: "Channel initiator statistics, SMF 115.231",
    FeedKind.coupling_facility: "Coupling facility activity, SMF 74.4",
    FeedKind.member: "What this system reports of it, SMF 74.4",
    FeedKind.comparison: "Two sources of one figure",
}
CAUSE_WORDS: Final = {
    GapCause.stopped: "stopped",
    GapCause.restarted: "restart, last interval lost",
    GapCause.system_silent: "no records of the entire system",
    GapCause.unexplained: "cause unknown",
}


class FeedStateStyle(ViewModel):
    """Presentation of a state: never by colour alone."""

    word: str
    sign: str
    severity: str
    """The severity whose colours are used."""


FEED_STATE_STYLES: Final = {
    FeedState.absent: FeedStateStyle(word="Absent", sign="○", severity="watch"),
    FeedState.never_seen: FeedStateStyle(word="Never seen", sign="?", severity="watch"),
    FeedState.partial: FeedStateStyle(word="Partial", sign="◐", severity="watch"),
    FeedState.differs: FeedStateStyle(word="Differs", sign="≠", severity="watch"),
    FeedState.stopped: FeedStateStyle(word="Stopped", sign="■", severity="unknown"),
    FeedState.complete: FeedStateStyle(word="Complete", sign="✓", severity="ok"),
}
"""In the order in which the page lists them: states that need action first."""


class FeedRow(ViewModel):
    """Feed on the day shown; complete ones that print the same share a row."""

    day: FeedDay
    style: FeedStateStyle
    sender: str
    kind: str
    expected: str
    received: str
    percent: str
    gaps: tuple[str, ...]
    explanation: str
    alike: tuple[FeedDay, ...] = ()
    """The further feeds of the row, of the same sysplex; none for an incomplete feed."""


class FeedsView(ViewModel):
    """The feeds of one day."""

    rows: tuple[FeedRow, ...]
    total: int
    incomplete: int
    """Data findings: feeds that lack records, and figures of two sources that differ."""

    @property
    def incomplete_rows(self) -> tuple[FeedRow, ...]:
        """Rows of feeds of which something is missing, stops included."""
        return tuple(row for row in self.rows if row.day.state is not FeedState.complete)

    @property
    def complete_rows(self) -> tuple[FeedRow, ...]:
        """Rows of complete feeds, behind a line that opens."""
        return tuple(row for row in self.rows if row.day.state is FeedState.complete)

    @property
    def complete_count(self) -> int:
        """Return the number of complete feeds."""
        return sum(1 + len(row.alike) for row in self.complete_rows)


def feeds_view(context: PageContext, day: date) -> FeedsView:
    """Return every feed of the day, incomplete ones first."""
    of_day = read_feeds(context.engine, day)
    rows = [
        feed_row(feed, ZoneInfo(context.timezone_of(feed.subject)))
        for feed in sorted(of_day, key=_sort_key)
    ]
    return FeedsView(
        rows=shared_rows(rows),
        total=len(of_day),
        incomplete=sum(feed.is_data_finding for feed in of_day),
    )


def feed_row(feed: FeedDay, zone: ZoneInfo) -> FeedRow:
    """Return one feed as printed."""
    return FeedRow(
        day=feed,
        style=FEED_STATE_STYLES[feed.state],
        sender=feed.system or feed.subject.partition("/")[2] or feed.subject,
        kind=KIND_WORDS[feed.kind],
        expected=_expected(feed),
        received=figure(feed.received_count),
        percent=share(feed.ratio),
        gaps=tuple(
            f"{local_clock(gap.start_utc, feed.site_date, zone)} to "
            f"{local_clock(gap.end_utc, feed.site_date, zone)}, {CAUSE_WORDS[gap.cause]}"
            for gap in feed.gaps
        ),
        explanation=feed.summary,
    )


def shared_rows(rows: Sequence[FeedRow]) -> tuple[FeedRow, ...]:
    """Return the rows with those of complete feeds that print the same as one, in their order."""
    groups: dict[object, list[FeedRow]] = {}
    for row in rows:
        groups.setdefault(_print_of(row), []).append(row)
    return tuple(
        first.model_copy(
            update={
                "alike": tuple(row.day for row in others),
                "explanation": _explanation(1 + len(others), first),
            }
        )
        if others
        else first
        for first, *others in groups.values()
    )


def _explanation(feeds: int, first: FeedRow) -> str:
    return f"{feeds} feeds, each complete: {first.received} intervals."


def _print_of(row: FeedRow) -> object:
    """Return what a row prints of a complete feed besides its name; else its identity."""
    day = row.day
    if day.state is not FeedState.complete or day.gaps or day.level_changes:
        return day.key
    about = day.subject if day.system else day.subject.partition("/")[0]
    printed = (row.kind, row.expected, row.received, row.percent, day.mq_level, day.interval_from)
    return about, printed


def local_clock(moment: datetime, day: date, zone: ZoneInfo) -> str:
    """Return the time of day in a zone; the midnight that ends ``day`` is ``24:00``."""
    local = moment.astimezone(zone)
    is_end = local.date() > day and (local.hour, local.minute) == (0, 0)
    return "24:00" if is_end else f"{local:%H:%M}"


def _sort_key(feed: FeedDay) -> tuple[int, str, str, str]:
    """Return the sort key: incomplete feeds in the order of the legend, then all others."""
    states = list(FEED_STATE_STYLES)
    rank = states.index(feed.state) if feed.is_data_finding else len(states)
    return rank, feed.subject, feed.kind, feed.member


def _expected(feed: FeedDay) -> str:
    if feed.expected_count is None or not feed.interval_seconds:
        return ABSENT
    length = quantity(feed.interval_seconds / 60, "min")
    return f"{figure(feed.expected_count)} \N{MULTIPLICATION SIGN} {length}"
