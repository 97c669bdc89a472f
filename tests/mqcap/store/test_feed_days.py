from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

from sqlalchemy import Engine

from mqcap.domain.feed import FeedDay, FeedKind, FeedState
from mqcap.store.feeds import feeds_between, read_feeds, replace_feed_days
from tests import factories

DAY = date(2026, 3, 4)


def feed_day(**changed: Any) -> FeedDay:
    """Return the day of one member of a coupling facility, with every optional field."""
    values: dict[str, Any] = {
        "kind": FeedKind.member,
        "member": "SYS2",
        "site_date": DAY,
        "systems": ("SYS2",),
        "last_seen_utc": datetime(2026, 3, 5, tzinfo=UTC),
    }
    return factories.feed_day("PLEX1/CF01", **(values | changed))


def test_a_feed_day_comes_back_as_it_went_in(engine: Engine) -> None:
    assert read_feeds(engine, DAY) == []
    replace_feed_days(engine, DAY, DAY, [feed_day()])
    assert read_feeds(engine, DAY) == [feed_day()]


def test_days_are_replaced_as_a_whole_and_others_stay(engine: Engine) -> None:
    before = DAY - timedelta(days=1)
    whole = feed_day(kind=FeedKind.coupling_facility, member="", state=FeedState.complete)
    replace_feed_days(engine, before, DAY, [feed_day(site_date=before), feed_day(), whole])
    assert replace_feed_days(engine, DAY, DAY, [whole]) == 1
    assert feeds_between(engine, before, DAY) == [whole, feed_day(site_date=before)]
    assert feeds_between(engine, before, DAY, [FeedState.complete]) == [whole]
