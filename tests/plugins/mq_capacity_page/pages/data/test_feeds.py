"""Completeness of a day as a model."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from mq_capacity_page.pages.data.feeds import (
    CAUSE_WORDS,
    FEED_STATE_STYLES,
    KIND_WORDS,
    FeedRow,
    feed_row,
    feeds_view,
    local_clock,
    shared_rows,
)
from mq_capacity_page.web.context import PageContext
from mqcap.domain.feed import FeedKind, FeedState, GapCause
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


def test_an_interval_of_unknown_length_has_no_expected_count(context: PageContext) -> None:
    feeds = feeds_view(context, builder.DAY).rows
    assert all("min" in row.expected for row in feeds)


def complete_row(subject: str, **changed: Any) -> FeedRow:
    feed = feed_day(subject, state=FeedState.complete, gaps=(), summary=f"{subject}: complete.")
    day = feed.model_copy(update=changed)
    return feed_row(day, COPENHAGEN)


def test_complete_feeds_that_print_the_same_share_a_row() -> None:
    rows = [complete_row(f"PLEX1/CSQ{number}") for number in range(1, 4)]
    [row] = shared_rows(rows)
    assert (row.sender, [day.subject for day in row.alike]) == (
        "CSQ1",
        ["PLEX1/CSQ2", "PLEX1/CSQ3"],
    )
    assert row.explanation == f"3 feeds, each complete: {row.received} intervals."


@pytest.mark.parametrize(
    "other",
    [
        complete_row("PLEX2/CSQ2"),
        complete_row("PLEX1/CSQ2", received_count=47),
        complete_row("PLEX1/CSQ2", kind=FeedKind.channel_initiator),
        complete_row("PLEX1/CSQ2", mq_level="10.0.0"),
        complete_row("PLEX1/CSQ2", state=FeedState.partial),
    ],
    ids=["sysplex", "received", "kind", "version", "state"],
)
def test_a_feed_that_prints_otherwise_has_its_own_row(other: FeedRow) -> None:
    first = complete_row("PLEX1/CSQ1")
    assert shared_rows([first, other]) == (first, other)


def test_incomplete_feeds_are_never_merged() -> None:
    rows = tuple(complete_row(f"PLEX1/CSQ{n}", state=FeedState.absent) for n in (1, 2))
    assert shared_rows(rows) == rows


def test_every_state_kind_and_cause_has_its_words() -> None:
    assert set(FEED_STATE_STYLES) == set(FeedState)
    assert set(KIND_WORDS) == set(FeedKind)
    assert set(CAUSE_WORDS) == set(GapCause)


def test_every_state_has_a_sign_of_its_own_not_only_a_colour() -> None:
    signs = {style.sign for style in FEED_STATE_STYLES.values()}
    assert len(signs) == len(FEED_STATE_STYLES)


def test_a_day_without_feeds_has_no_rows(context: PageContext) -> None:
    view = feeds_view(context, date(2025, 6, 1))
    assert (view.rows, view.total) == ((), 0)


def test_no_feed_is_in_both_parts_or_in_none(context: PageContext) -> None:
    view = feeds_view(context, builder.DAY)
    both = [*view.incomplete_rows, *view.complete_rows]
    assert sorted(row.day.key for row in both) == sorted(row.day.key for row in view.rows)
    assert {row.day.state for row in view.complete_rows} == {FeedState.complete}


def test_sources_that_differ_are_listed_with_what_is_incomplete(context: PageContext) -> None:
    of_day = read_feeds(context.engine, builder.DAY)
    differs = differing_sources().model_copy(update={"site_date": builder.DAY})
    replace_feed_days(context.engine, builder.DAY, builder.DAY, [*of_day, differs])
    view = feeds_view(context, builder.DAY)
    assert view.incomplete == 4
    [row] = [row for row in view.rows if row.day.state is FeedState.differs]
    assert row.sender == "CSQ1"
