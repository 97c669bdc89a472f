"""Feeds of a day: states, ratios, and which of them are data findings."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from mqcap.domain.feed import (
    FeedDay,
    FeedKind,
    FeedState,
    Gap,
    GapCause,
    data_findings,
    mq_versions_of,
)
from tests.factories import differing_sources, feed_day

MIDNIGHT = datetime(2026, 3, 2, tzinfo=UTC)
CF = "PLEX1/CF01"


def gap(first: float, last: float) -> Gap:
    return Gap(
        start_utc=MIDNIGHT + timedelta(hours=first),
        end_utc=MIDNIGHT + timedelta(hours=last),
        cause=GapCause.unexplained,
    )


@pytest.mark.parametrize("state", list(FeedState))
def test_a_stop_leaves_nothing_missing(state: FeedState) -> None:
    complete = {FeedState.complete, FeedState.stopped, FeedState.differs}
    assert state.is_incomplete is (state not in complete)
    assert feed_day(state=state).is_incomplete is state.is_incomplete


def test_the_ratio_is_received_of_expected_and_at_most_one() -> None:
    assert feed_day(expected_seconds=100.0, received_seconds=25.0).ratio == 0.25
    assert feed_day(expected_seconds=100.0, received_seconds=101.0).ratio == 1.0
    assert feed_day(expected_seconds=0.0, received_seconds=0.0).ratio == 1.0


def test_missing_hours_are_those_of_all_gaps() -> None:
    assert feed_day(gaps=(gap(1, 2.5), gap(20, 24))).missing_hours == 5.5
    assert feed_day(gaps=()).missing_hours == 0.0


def test_the_key_names_kind_subject_and_member() -> None:
    assert feed_day().key == "DATA-STATISTICS/PLEX1/CSQ1"
    member = feed_day(CF, kind=FeedKind.member, member="SYS2")
    assert member.key == "DATA-MEMBER/PLEX1/CF01/SYS2"
    assert (member.system, feed_day().system, differing_sources().system) == ("SYS2", "", "")
    assert member.title == "Coupling facility activity of one system (SMF 74.4)"


def member_of(facility: tuple[Gap, ...], member: tuple[Gap, ...]) -> list[FeedDay]:
    return [
        feed_day(CF, kind=FeedKind.coupling_facility, gaps=facility),
        feed_day(CF, kind=FeedKind.member, member="SYS2", gaps=member),
    ]


def test_a_member_is_left_out_where_its_facility_lacks_the_same_stretches() -> None:
    both = member_of((gap(1, 2), gap(3, 4)), (gap(3, 4),))
    assert data_findings(both) == (both[0],)


def test_a_member_that_lacks_more_than_its_facility_is_listed() -> None:
    both = member_of((gap(3, 4),), (gap(3, 4), gap(5, 6)))
    assert data_findings(both) == tuple(both)


def test_a_channel_initiator_is_left_out_beside_its_queue_manager_only() -> None:
    manager, other = feed_day(), feed_day("PLEX1/CSQ2")
    chinit = feed_day("PLEX1/CSQ1/CHINIT", kind=FeedKind.channel_initiator)
    assert data_findings([chinit, manager]) == (manager,)
    assert data_findings([chinit, other]) == (chinit, other)


def test_complete_feeds_are_no_data_findings() -> None:
    assert data_findings([feed_day(state=FeedState.complete)]) == ()
    assert data_findings([]) == ()


def test_the_statistics_of_a_queue_manager_outrank_its_channel_initiator() -> None:
    chinit = FeedKind.channel_initiator
    feeds = [
        feed_day(mq_level="9.4.0"),
        feed_day("PLEX1/CSQ1/CHINIT", kind=chinit, mq_level="9.3.5"),
        feed_day("PLEX1/CSQ2/CHINIT", kind=chinit, mq_level="9.2.0"),
        feed_day("PLEX1/CSQ3"),
        feed_day("PLEX1/CF01", kind=FeedKind.coupling_facility, mq_level="25"),
    ]
    assert mq_versions_of(feeds) == {"PLEX1/CSQ1": "9.4.0", "PLEX1/CSQ2": "9.2.0"}


@pytest.mark.parametrize("stated", ["", "9", "V9R4", "9.4.0.1"])
def test_what_is_no_version_is_left_out(stated: str) -> None:
    assert mq_versions_of([feed_day(mq_level=stated)]) == {}
