from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

from sqlalchemy import Engine

from mqcap.domain.feed import FeedDay, FeedKind, FeedState
from mqcap.store.feeds import feeds_between, feeds_of_subjects, read_feeds, replace_feed_days
from tests import factories

DAY = date(2026, 3, 4)
ONE_DAY = timedelta(days=1)


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


def test_complete_days_are_replaced_and_others_stay(engine: Engine) -> None:
    before = DAY - timedelta(days=1)
    whole = feed_day(kind=FeedKind.coupling_facility, member="", state=FeedState.complete)
    replace_feed_days(engine, before, DAY, [feed_day(site_date=before), feed_day(), whole])
    assert replace_feed_days(engine, DAY, DAY, [whole]) == 1
    assert feeds_between(engine, before, DAY) == [whole, feed_day(site_date=before)]
    assert feeds_between(engine, before, DAY, [FeedState.complete]) == [whole]


def test_feeds_of_a_day_come_by_subject_kind_and_member(engine: Engine) -> None:
    days = [
        feed_day(),
        feed_day(member="SYS1"),
        feed_day(kind=FeedKind.coupling_facility, member=""),
        factories.feed_day("PLEX1/CSQ1", site_date=DAY),
        factories.feed_day("PLEX1/CSQ1", site_date=DAY - ONE_DAY),
    ]
    replace_feed_days(engine, DAY - ONE_DAY, DAY, reversed(days))
    assert read_feeds(engine, DAY) == [days[2], days[1], days[0], days[3]]


def test_feeds_of_subjects_come_by_day_and_subject(engine: Engine) -> None:
    first, second, later = (
        factories.feed_day(subject, site_date=day)
        for subject, day in (("A/CSQ1", DAY), ("B/CSQ1", DAY), ("A/CSQ1", DAY + ONE_DAY))
    )
    other = factories.feed_day("C/CSQ1", site_date=DAY)
    replace_feed_days(engine, DAY, DAY + ONE_DAY, [later, other, second, first])
    subjects = ["B/CSQ1", "A/CSQ1"]
    assert feeds_of_subjects(engine, subjects, DAY, DAY + ONE_DAY) == [first, second, later]
    assert feeds_of_subjects(engine, subjects, DAY, DAY) == [first, second]
    assert feeds_of_subjects(engine, [], DAY, DAY) == []


def test_replacing_a_period_by_nothing_removes_every_day_of_it(engine: Engine) -> None:
    replace_feed_days(engine, DAY, DAY + ONE_DAY, [feed_day(), feed_day(site_date=DAY + ONE_DAY)])
    assert replace_feed_days(engine, DAY, DAY, []) == 0
    assert read_feeds(engine, DAY) == []
    assert read_feeds(engine, DAY + ONE_DAY) == [feed_day(site_date=DAY + ONE_DAY)]
