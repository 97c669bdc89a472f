"""Completeness in the store: judged again for every day that late data may have changed.

What the store has of a day may rest on later ones: that a queue manager had been stopped is known
when it is back. What is said of a day rests on ``feeds_as_of``, which looks at nothing later.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Final

from mqcap.completeness.arrivals import ArrivalsOf, has_feeds, read_arrivals, until
from mqcap.completeness.gaps import Feeds, configured_feeds, day_span, judge_feeds
from mqcap.completeness.mq_versions import SECOND_US
from mqcap.domain.datasets import FEED_INTERVAL
from mqcap.domain.feed import FeedDay, FeedState
from mqcap.lake.partitions import partitions
from mqcap.settings import Settings
from mqcap.store.database import Store
from mqcap.store.feeds import feeds_between, replace_feed_days

_MARGIN_DAYS: Final = 2
"""UTC dates on either side that a site day, and the intervals beside it, can reach into."""


def judge_touched(settings: Settings, engine: Store, site_dates: Iterable[date]) -> int:
    """Judge again from the first of these site dates to the last day with any arrival.

    Later days too: what has arrived late may show that a feed was known earlier. Returns the
    number of feed days written.
    """
    lake, days = Path(settings.lake), sorted(site_dates)
    if not days or not has_feeds(lake):
        return 0
    last = max([days[-1], *_dates(lake)])
    first = _first_open(settings, engine, days[0])
    feeds = _feeds(settings, first, last)
    return _judge(engine, feeds, first, max(_last_arrival(feeds) or days[0], days[0]))


def judge_day(settings: Settings, engine: Store, day: date) -> int:
    """Judge one day, also one about which nothing has arrived. Returns the number of feeds.

    A lake that tells nothing of feeds (of an older version) leaves the store as it is.
    """
    if not has_feeds(Path(settings.lake)):
        return 0
    return _judge(engine, _feeds(settings, day, day), day, day)


def feeds_as_of(settings: Settings, engine: Store, first: date, day: date) -> list[FeedDay]:
    """The feeds of the days from ``first`` to ``day`` as they were known when ``day`` ended.

    Of a lake that tells nothing of feeds: what the store has.
    """
    if not has_feeds(Path(settings.lake)):
        return feeds_between(engine, first, day)
    known = _feeds(settings, first, day)
    arrivals = until(known.arrivals, lambda subject: day_span(day, known.zone(subject)).end_us)
    return judge_feeds(replace(known, arrivals=arrivals), _range(first, day))


def _first_open(settings: Settings, engine: Store, first: date) -> date:
    """The first day before these about which what arrives now may tell more."""
    before = first - timedelta(days=settings.rules.peak_days)
    states = [state for state in FeedState if state is not FeedState.complete]
    found = feeds_between(engine, before, first - timedelta(days=1), states)
    return min((one.site_date for one in found), default=first)


def _judge(engine: Store, feeds: Feeds, first: date, last: date) -> int:
    return replace_feed_days(engine, first, last, judge_feeds(feeds, _range(first, last)))


def _range(first: date, last: date) -> list[date]:
    return [first + timedelta(days=number) for number in range((last - first).days + 1)]


def _feeds(settings: Settings, first: date, last: date) -> Feeds:
    """What has arrived around these days; all there is when a configured feed is not in it."""
    lake, learn_days = Path(settings.lake), settings.rules.peak_days
    begin = first - timedelta(days=learn_days + _MARGIN_DAYS)
    end = last + timedelta(days=_MARGIN_DAYS)
    there = _dates(lake)
    arrivals: ArrivalsOf = read_arrivals(lake, (day for day in there if begin <= day <= end))
    estate = settings.whole_estate()
    if set(configured_feeds(estate, arrivals)) - arrivals.keys():
        arrivals = read_arrivals(lake, (day for day in there if day <= end))
    return Feeds(
        arrivals=arrivals,
        estate=estate,
        zones={plex.sysplex: plex.timezone for plex in settings.estate},
        default_zone=settings.site.timezone,
        learn_days=learn_days,
    )


def _dates(lake: Path) -> list[date]:
    """The UTC dates on which anything starts."""
    return list(partitions(lake, FEED_INTERVAL.name))


def _last_arrival(feeds: Feeds) -> date | None:
    """The last site day that any interval reaches into."""
    ends = [
        datetime.fromtimestamp((int(arrived.end_us.max()) - 1) // SECOND_US, UTC)
        .astimezone(feeds.zone(feed.subject))
        .date()
        for feed, arrived in feeds.arrivals.items()
    ]
    return max(ends, default=None)
