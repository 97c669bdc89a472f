"""Completeness of a day: what each feed should have sent, and what has arrived."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from mq_capacity_page.web.context import PageContext
from mq_capacity_page.web.page_frame import ViewModel
from mqcap.domain.feed import FeedDay, FeedKind, FeedState, GapCause
from mqcap.domain.numbers import ABSENT, figure, quantity, share
from mqcap.store.feeds import feeds_between, read_feeds

PAST_DAYS: Final = 14
"""Days shown beside each feed, the one asked for included (ours)."""

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
    meaning: str


FEED_STATE_STYLES: Final = {
    FeedState.absent: FeedStateStyle(
        word="Absent", sign="○", severity="watch",
        meaning="no records of the day, from a feed that was received before",
    ),
    FeedState.never_seen: FeedStateStyle(
        word="Never seen", sign="?", severity="watch",
        meaning="the estate lists it, and no record has ever arrived",
    ),
    FeedState.partial: FeedStateStyle(
        word="Partial", sign="◐", severity="watch",
        meaning="some hours are missing, and no stop explains them",
    ),
    FeedState.differs: FeedStateStyle(
        word="Differs", sign="≠", severity="watch",
        meaning="two sources of the same figure, or records of two files, do not agree",
    ),
    FeedState.stopped: FeedStateStyle(
        word="Stopped", sign="■", severity="unknown",
        meaning="the only gaps are stops that the records themselves show",
    ),
    FeedState.complete: FeedStateStyle(
        word="Complete", sign="✓", severity="ok", meaning="everything expected has arrived"
    ),
}  # fmt: skip
"""In the order in which the page lists them: states that need action first."""


class FeedPastDay(ViewModel):
    """Earlier day of a feed; without a style when nothing was expected on it."""

    site_date: date
    style: FeedStateStyle | None
    words: str


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
    zone: str
    """Time zone of the gaps."""
    past: tuple[FeedPastDay, ...]
    """The last ``PAST_DAYS`` days, oldest first."""
    explanation: str
    alike: tuple[FeedDay, ...] = ()
    """The further feeds of the row, of the same sysplex; none for an incomplete feed."""


class FeedsView(ViewModel):
    """The feeds of one day."""

    rows: tuple[FeedRow, ...]
    total: int
    incomplete: int
    """Data findings: feeds that lack records, and figures of two sources that differ."""
    counts: tuple[tuple[FeedStateStyle, int], ...]
    """Feeds in each state, in the order of ``FEED_STATE_STYLES``."""

    @property
    def incomplete_rows(self) -> tuple[FeedRow, ...]:
        """Rows of feeds of which something is missing, stops included."""
        return tuple(row for row in self.rows if row.day.state is not FeedState.complete)

    @property
    def complete_rows(self) -> tuple[FeedRow, ...]:
        """Rows of complete feeds: behind a line that opens, unless they are few."""
        return tuple(row for row in self.rows if row.day.state is FeedState.complete)

    @property
    def complete_count(self) -> int:
        """Return the number of complete feeds."""
        return sum(1 + len(row.alike) for row in self.complete_rows)


def feeds_view(context: PageContext, day: date) -> FeedsView:
    """Return every feed of the day, incomplete ones first."""
    of_day = read_feeds(context.engine, day)
    first = day - timedelta(days=PAST_DAYS - 1)
    past: dict[tuple[str, str, str], dict[date, FeedDay]] = {}
    for feed in feeds_between(context.engine, first, day):
        past.setdefault((feed.kind, feed.subject, feed.member), {})[feed.site_date] = feed
    days = [first + timedelta(days=number) for number in range(PAST_DAYS)]
    matches = sorted(of_day, key=_sort_key)
    states = Counter(feed.state for feed in of_day)
    rows = [
        feed_row(
            feed,
            past[feed.kind, feed.subject, feed.member],
            days,
            ZoneInfo(context.timezone_of(feed.subject)),
        )
        for feed in matches
    ]
    return FeedsView(
        rows=shared_rows(rows),
        total=len(of_day),
        incomplete=sum(feed.is_data_finding for feed in of_day),
        counts=tuple((style, states[state]) for state, style in FEED_STATE_STYLES.items()),
    )


def feed_row(
    feed: FeedDay, past: Mapping[date, FeedDay], days: Sequence[date], zone: ZoneInfo
) -> FeedRow:
    """Return one feed as printed, with its state on each of ``days``."""
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
        zone=zone.key,
        past=tuple(_past_day(day, past.get(day)) for day in days),
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
    return about, printed, tuple(past.words for past in row.past)


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


def _past_day(day: date, feed: FeedDay | None) -> FeedPastDay:
    if feed is None:
        return FeedPastDay(site_date=day, style=None, words="nothing expected")
    style = FEED_STATE_STYLES[feed.state]
    words = f"{style.word.lower()}, {share(feed.ratio)}"
    return FeedPastDay(site_date=day, style=style, words=words)


def _expected(feed: FeedDay) -> str:
    if feed.expected_count is None or not feed.interval_seconds:
        return ABSENT
    length = quantity(feed.interval_seconds / 60, "min")
    return f"{figure(feed.expected_count)} \N{MULTIPLICATION SIGN} {length}"
