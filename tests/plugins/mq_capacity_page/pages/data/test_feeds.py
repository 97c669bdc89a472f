"""Completeness of a day as a model."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from mq_capacity_page.pages.data.view import (
    CAUSE_WORDS,
    SIGNS,
    feeds_view,
    local_clock,
)
from mq_capacity_page.web.context import PageContext
from mqcap.domain.feed import FeedState, GapCause
from mqcap.domain.numbers import ABSENT
from mqcap.store.feeds import read_feeds, replace_feed_days
from tests.factories import differing_sources, feed_day
from tests.plugins import builder

COPENHAGEN = ZoneInfo("Europe/Copenhagen")


@pytest.mark.parametrize(
    ("moment", "text"),
    [
        (datetime(2026, 1, 30, 23, tzinfo=UTC), "00:00"),
        (datetime(2026, 1, 31, 8, 5, tzinfo=UTC), "09:05"),
        (datetime(2026, 1, 31, 23, tzinfo=UTC), "24:00"),
        (datetime(2026, 1, 31, 23, 30, tzinfo=UTC), "00:30"),
    ],
    ids=["begin", "inside", "end", "after"],
)
def test_the_midnight_that_ends_the_day_is_24_00(moment: datetime, text: str) -> None:
    assert local_clock(moment, date(2026, 1, 31), COPENHAGEN) == text


def test_incomplete_feeds_come_first_in_the_order_of_the_legend(context: PageContext) -> None:
    view = feeds_view(context, builder.DAY)
    assert [row.day.state for row in view.rows][:3] == [
        FeedState.absent,
        FeedState.never_seen,
        FeedState.partial,
    ]
    assert (view.total, view.incomplete) == (5, 3)


def test_complete_feeds_of_a_sysplex_that_expect_the_same_share_a_row(
    context: PageContext,
) -> None:
    feeds = [
        feed_day(subject, site_date=builder.DAY, state=FeedState.complete, gaps=(), **changed)
        for subject, changed in (
            ("PLEX1/CSQ1", {}),
            ("PLEX1/CSQ2", {"received_count": 49}),
            ("PLEX2/CSQ1", {}),
            ("PLEX1/CSQ3", {"interval_seconds": None}),
        )
    ]
    replace_feed_days(context.engine, builder.DAY, builder.DAY, feeds)
    view = feeds_view(context, builder.DAY)
    shown = [(key[0], key[2] == ABSENT, senders) for key, senders in view.complete.items()]
    assert shown == [
        ("PLEX1", False, ["CSQ1", "CSQ2"]), ("PLEX1", True, ["CSQ3"]), ("PLEX2", False, ["CSQ1"]),
    ]  # fmt: skip
    assert view.rows == ()


def test_every_state_has_its_sign_and_every_cause_its_words() -> None:
    assert set(SIGNS) == set(FeedState) - {FeedState.complete}
    assert set(CAUSE_WORDS) == set(GapCause)


def test_every_state_has_a_sign_of_its_own_not_only_a_colour() -> None:
    assert len(set(SIGNS.values())) == len(SIGNS)


def test_a_day_without_feeds_has_no_rows(context: PageContext) -> None:
    view = feeds_view(context, date(2025, 6, 1))
    assert (view.rows, view.complete, view.total) == ((), {}, 0)


def test_sources_that_differ_are_listed_with_what_is_incomplete(context: PageContext) -> None:
    of_day = read_feeds(context.engine, builder.DAY)
    differs = differing_sources().model_copy(update={"site_date": builder.DAY})
    replace_feed_days(context.engine, builder.DAY, builder.DAY, [*of_day, differs])
    view = feeds_view(context, builder.DAY)
    assert view.incomplete == 4
    [row] = [row for row in view.rows if row.day.state is FeedState.differs]
    assert row.sender == "CSQ1"
