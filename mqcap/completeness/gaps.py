"""Expected and missing intervals of each feed on a site day.

The length of an interval is that of the estate, or learned. Covered time counts, not records.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo

import numpy as np

from mqcap.completeness.arrivals import FeedArrivals, FeedId, by_system, instant_of
from mqcap.completeness.text import described
from mqcap.domain.estate import Estate
from mqcap.domain.feed import FeedDay, FeedKind, FeedState, Gap, GapCause
from mqcap.domain.subject import Subject
from mqcap.domain.units import US_PER_S

SLACK_RATIO: Final = 0.05
"""Tolerated distance between intervals, as a share of an interval (our choice)."""
SLACK_US: Final = 60 * US_PER_S
"""The same as a time; the larger of both applies (our choice)."""
ANEW_AFTER_US: Final = 366 * 86_400 * US_PER_S
"""A feed that was away for so long began anew: the days between are none of it (ours)."""
DAYS_SEEN: Final = "days seen"
ESTATE: Final = "estate"


class UsualInterval(NamedTuple):
    """Usual length of an interval; 0 when unknown."""

    length_us: int
    source: str

    @property
    def slack_us(self) -> int:
        """Tolerated distance between two intervals without a gap."""
        return max(SLACK_US, round(self.length_us * SLACK_RATIO))


class TimeSpan(NamedTuple):
    """A span of time, in microseconds since 1970."""

    begin_us: int
    end_us: int


@dataclass(frozen=True)
class FeedContext:
    """Everything that the evaluation of feeds depends on."""

    arrivals: Mapping[FeedId, FeedArrivals]
    estate: Estate
    zones: Mapping[str, str]
    """Time zone of each sysplex, by name."""
    default_zone: str
    learn_days: int
    """Days for which a feed that is not configured stays expected after its last interval."""

    def zone(self, subject: str) -> ZoneInfo:
        """Return the time zone that defines the site days of a subject."""
        return ZoneInfo(self.zones.get(Subject(subject).sysplex, self.default_zone))


def judge_feeds(
    feeds: FeedContext, days: Sequence[date], *, incomplete_alone: bool = False
) -> list[FeedDay]:
    """Return feeds expected or received on the days, in order; ``incomplete_alone`` skips most."""
    configured = set(configured_feeds(feeds.estate, feeds.arrivals))
    systems = by_system(feeds.arrivals)
    judged = [
        feed_day
        for feed in sorted(configured | feeds.arrivals.keys())
        for day in days
        if not (incomplete_alone and _is_covered(feed, day, feeds))
        if (feed_day := _judge(feed, day, feeds, systems, feed in configured)) is not None
        if feed_day.is_incomplete or not incomplete_alone
    ]
    return sorted(judged, key=lambda feed: (feed.site_date, feed.subject, feed.kind, feed.member))


def day_span(day: date, zone: ZoneInfo) -> TimeSpan:
    """Return the site day from local midnight to local midnight: 23 to 25 hours."""
    begin, end = (
        datetime.combine(day + timedelta(days=shift), time.min, zone).astimezone(UTC)
        for shift in (0, 1)
    )
    return TimeSpan(round(begin.timestamp()) * US_PER_S, round(end.timestamp()) * US_PER_S)


def configured_feeds(estate: Estate, seen: Iterable[FeedId]) -> Iterable[FeedId]:
    """Yield the feeds that the estate names; members of a CF once it has any."""
    has_members = {feed.subject for feed in seen if feed.kind is FeedKind.member}
    for plex in estate.sysplexes:
        for manager in plex.qmgrs:
            yield FeedId(FeedKind.statistics, Subject.of(plex.sysplex, manager.name))
        for facility in plex.cfs:
            subject = Subject.of(plex.sysplex, facility.name)
            yield FeedId(FeedKind.coupling_facility, subject)
            if subject in has_members:
                for smfid in plex.smfids:
                    yield FeedId(FeedKind.member, subject, smfid)


def _is_covered(feed: FeedId, day: date, feeds: FeedContext) -> bool:
    arrived = feeds.arrivals.get(feed)
    span = day_span(day, feeds.zone(feed.subject))
    return arrived is not None and arrived.covers(*span, SLACK_US)


def _judge(
    feed: FeedId,
    day: date,
    feeds: FeedContext,
    systems: Mapping[tuple[str, str], list[FeedId]],
    is_configured: bool,
) -> FeedDay | None:
    arrived = feeds.arrivals.get(feed)
    span = day_span(day, feeds.zone(feed.subject))
    if arrived is None:
        return _never_seen(feed, day, span, feeds) if is_configured else None
    if arrived.start_us[0] >= span.end_us:
        return None  # first received later, so not missing
    begun = int(np.searchsorted(arrived.start_us, span.end_us))
    last_seen_us = int(arrived.latest_end_us[begun - 1])
    is_outdated = last_seen_us < span.begin_us - feeds.learn_days * 86_400 * US_PER_S
    began_anew = (
        begun < len(arrived.start_us) and arrived.start_us[begun] - last_seen_us > ANEW_AFTER_US
    )
    if is_outdated and (began_anew or not is_configured):
        return None
    usual = _usual(feed, arrived, span, feeds)
    expected = _expected(arrived, span, usual)
    gaps = [
        _gap(gap, _cause(feed, gap, usual, feeds, systems))
        for gap in _gaps(arrived, expected, usual.slack_us)
    ]
    of_day = slice(*np.searchsorted(arrived.start_us, span))
    made = _feed_day(
        feed,
        day,
        usual,
        expected,
        gaps,
        received_count=len(np.unique(arrived.start_us[of_day])),
        mq_level=arrived.versions.at(span.end_us),
        level_changes=arrived.versions.changes(*span),
        systems=arrived.systems(*span),
        last_seen_utc=instant_of(last_seen_us),
    )
    return described(made, feeds.zone(feed.subject))


def _never_seen(feed: FeedId, day: date, span: TimeSpan, feeds: FeedContext) -> FeedDay:
    name = Subject(feed.subject).in_sysplex
    elsewhere = [
        other.subject
        for other in feeds.arrivals
        if other.kind is feed.kind and Subject(other.subject).in_sysplex == name
    ]
    usual, gap = _usual(feed, None, span, feeds), _gap(span, GapCause.unexplained)
    made = _feed_day(feed, day, usual, span, [gap], state=FeedState.never_seen, received_count=0)
    listed = [plex.sysplex for plex in feeds.estate.sysplexes]
    return described(made, feeds.zone(feed.subject), elsewhere, listed)


def _feed_day(
    feed: FeedId,
    day: date,
    usual: UsualInterval,
    expected: TimeSpan,
    gaps: Sequence[Gap],
    **facts: Any,
) -> FeedDay:
    length_us = expected.end_us - expected.begin_us
    received = length_us / US_PER_S - sum(gap.seconds for gap in gaps)
    return FeedDay(
        kind=feed.kind,
        subject=feed.subject,
        member=feed.member,
        site_date=day,
        interval_seconds=usual.length_us / US_PER_S if usual.length_us else None,
        interval_from=usual.source,
        expected_seconds=length_us / US_PER_S,
        received_seconds=max(0.0, received),
        expected_count=round(length_us / usual.length_us) if usual.length_us else None,
        gaps=tuple(gaps),
        **{"state": _state(gaps, received), **facts},
    )


def _gap(span: TimeSpan, cause: GapCause) -> Gap:
    return Gap(start_utc=instant_of(span.begin_us), end_utc=instant_of(span.end_us), cause=cause)


def _usual(
    feed: FeedId, arrived: FeedArrivals | None, span: TimeSpan, feeds: FeedContext
) -> UsualInterval:
    """Return the length of the estate, else the most frequent one; the longer of equals."""
    sysplex, name, *_ = Subject(feed.subject).names
    of_facility = feed.kind in {FeedKind.coupling_facility, FeedKind.member}
    find = feeds.estate.coupling_facility if of_facility else feeds.estate.queue_manager
    found = find(sysplex, name)
    minutes = found.interval_minutes if found else None
    if minutes:
        return UsualInterval(round(minutes * 60) * US_PER_S, ESTATE)
    if arrived is None:
        return UsualInterval(0, "")
    first = span.begin_us - feeds.learn_days * 86_400 * US_PER_S
    recent = slice(*np.searchsorted(arrived.start_us, [first, span.end_us]))
    values, counts = np.unique(arrived.lengths_s[recent], return_counts=True)
    if not len(values):
        return UsualInterval(0, "")
    return UsualInterval(int(values[counts == counts.max()].max()) * US_PER_S, DAYS_SEEN)


def _expected(arrived: FeedArrivals, span: TimeSpan, usual: UsualInterval) -> TimeSpan:
    """Return the expected part of the day, from the first interval of the feed on.

    Until a later interval has arrived, an end shorter than an interval is not missing yet.
    """
    begin_us = max(span.begin_us, min(int(arrived.start_us[0]), span.end_us))
    covered_us = int(arrived.latest_end_us[-1])
    is_last = int(arrived.start_us[-1]) < span.end_us
    waits = usual.length_us + usual.slack_us
    if is_last and span.begin_us < covered_us < span.end_us <= covered_us + waits:
        return TimeSpan(begin_us, covered_us)
    return TimeSpan(begin_us, span.end_us)


def _gaps(arrived: FeedArrivals, expected: TimeSpan, slack_us: int) -> Iterable[TimeSpan]:
    covered_us = expected.begin_us
    for start, end in zip(*arrived.between(*expected), strict=True):
        if int(start) > covered_us + slack_us:
            yield TimeSpan(covered_us, int(start))
        covered_us = max(covered_us, int(end))
    if expected.end_us > covered_us + slack_us:
        yield TimeSpan(covered_us, expected.end_us)


def _cause(
    feed: FeedId,
    gap: TimeSpan,
    usual: UsualInterval,
    feeds: FeedContext,
    systems: Mapping[tuple[str, str], list[FeedId]],
) -> GapCause:
    arrived = feeds.arrivals[feed]
    after = int(np.searchsorted(arrived.start_us, gap.end_us - usual.slack_us))
    before = int(np.searchsorted(arrived.start_us, gap.begin_us)) - 1
    if usual.length_us and before >= 0 and after < len(arrived.start_us):
        lengths = (arrived.end_us - arrived.start_us)[[before, after]]
        shift = int(arrived.start_us[after] - arrived.start_us[before]) % usual.length_us
        off_rhythm = min(shift, usual.length_us - shift) > usual.slack_us
        short = lengths < usual.length_us - usual.slack_us
        if short[1] or off_rhythm:
            return GapCause.stopped if short[0] else GapCause.restarted
    others = {
        other
        for smfid in arrived.systems(*gap)
        for other in systems.get((Subject(feed.subject).sysplex, smfid), ())
        if other != feed
        and (other.kind is not FeedKind.coupling_facility or other.subject != feed.subject)
    }
    silent = others and not any(len(feeds.arrivals[other].between(*gap)[0]) for other in others)
    return GapCause.system_silent if silent else GapCause.unexplained


def _state(gaps: Sequence[Gap], received_seconds: float) -> FeedState:
    if all(gap.cause is GapCause.stopped for gap in gaps):
        return FeedState.stopped if gaps else FeedState.complete
    return FeedState.partial if received_seconds > 0 else FeedState.absent
