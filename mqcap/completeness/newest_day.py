"""The newest complete day of the data: the one that a run without a day judges."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from mqcap.domain.feed import FeedKind, FeedState
from mqcap.store.database import Store
from mqcap.store.feeds import read_feeds
from mqcap.store.observations import observed_dates

_COMPLETE = frozenset({FeedState.complete, FeedState.stopped})


class NewestDay(NamedTuple):
    """A day to judge, and why it is that one."""

    day: date
    reason: str


def newest_day(engine: Store, today: date) -> NewestDay | None:
    """Return the newest complete day with observations, else the newest; ``None`` without any.

    A day is complete when a feed of it is: the records of a day that has begun end before it does.
    One without feeds is when it is over.
    """
    days = observed_dates(engine)
    for day in reversed(days):
        if not _is_complete(engine, day, today):
            continue
        later = "" if day == days[-1] else f" (figures of {days[-1]} have only begun)"
        return NewestDay(day, f"the newest complete day of the data{later}")
    return NewestDay(days[-1], "the newest day of the data; none is complete") if days else None


def _is_complete(engine: Store, day: date, today: date) -> bool:
    feeds = [feed for feed in read_feeds(engine, day) if feed.kind is not FeedKind.comparison]
    if not feeds:
        return day < today
    return any(feed.state in _COMPLETE for feed in feeds)
