from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mqcap.completeness.gaps import judge_feeds
from mqcap.domain.estate import Estate
from mqcap.domain.feed import FeedDay, FeedState, GapCause
from tests.mqcap.completeness.builders import (
    DAY,
    MOVER,
    OTHER,
    QM,
    arrived,
    at,
    every,
    judged,
    one,
    without,
)

CSQ1 = "DATA-STATISTICS/PLEX1/CSQ1"
CF = "PLEX1/CF01"


def estate(*qmgrs: dict[str, Any], **facts: Any) -> Estate:
    return Estate.model_validate({"sysplexes": [{"sysplex": "PLEX1", "qmgrs": qmgrs, **facts}]})


ESTATE = estate(
    {"name": "CSQ1"}, {"name": "CSQ9", "interval_minutes": 30},
    smfids=["SYS1", "SYS2"], cfs=[{"name": "CF01"}],
)  # fmt: skip


def missing_s(day: FeedDay) -> float:
    return sum(gap.seconds for gap in day.gaps)


def spans(day: FeedDay) -> list[tuple[str, str, GapCause]]:
    return [(f"{g.start_utc:%H:%M}", f"{g.end_utc:%H:%M}", g.cause) for g in day.gaps]


def test_a_day_with_every_interval_is_complete_and_its_length_is_learned() -> None:
    feed = judged(every(QM, minutes=30))[CSQ1]
    assert feed.state is FeedState.complete
    assert (feed.interval_seconds, feed.interval_from) == (1800.0, "days seen")
    assert (feed.expected_count, feed.received_count, feed.ratio) == (48, 48, 1.0)
    assert feed.summary == "PLEX1/CSQ1: complete, 24 h in 48 intervals of usually 30 min."


def test_three_hours_without_records_are_named_and_no_restart_is_claimed() -> None:
    rows = without(every(QM), at("09:00"), at("12:00")) + every(OTHER)
    feed = judged(rows)[CSQ1]
    assert feed.state is FeedState.partial
    assert spans(feed) == [("09:00", "12:00", GapCause.unexplained)]
    assert (feed.received_count, feed.expected_count, missing_s(feed)) == (21, 24, 3 * 3_600)
    assert "3 h of 24 h missing, 09:00 to 12:00 (UTC); no record shows the cause" in feed.summary
    assert "START TRACE(STAT) CLASS(1)" in feed.remedy


def test_a_silent_system_is_distinguished_from_a_single_queue_manager() -> None:
    rows = without([*every(QM), *every(MOVER), *every(OTHER)], at("09:00"), at("12:00"))
    feed = judged(rows)[CSQ1]
    assert spans(feed) == [("09:00", "12:00", GapCause.system_silent)]
    assert "no other records of SYS1 have arrived for that time either" in feed.summary
    assert "SMF dump of SYS1" in feed.remedy


def test_a_stop_and_a_start_are_not_a_missing_feed() -> None:
    rows = without(every(QM), at("09:00"), at("11:00"))
    rows += [one(QM, at("09:00"), at("09:20")), one(QM, at("09:45"), at("10:00"))]
    rows += [one(QM, at("10:00"), at("11:00"))]
    feed = judged(rows)[CSQ1]
    assert feed.state is FeedState.stopped
    assert spans(feed) == [("09:20", "09:45", GapCause.stopped)]
    assert feed.remedy == ""
    assert "25 min of 24 h without records, 09:20 to 09:45 (UTC)" in feed.summary
    assert "it was stopped" in feed.summary


def test_a_new_start_after_a_complete_interval_means_that_the_last_one_is_lost() -> None:
    rows = without(every(QM), at("09:00"), at("10:00"))
    rows += [one(QM, at("09:40"), at("10:00"))]
    feed = judged(rows)[CSQ1]
    assert feed.state is FeedState.partial
    assert spans(feed) == [("09:00", "09:40", GapCause.restarted)]


def test_intervals_that_are_not_those_of_the_clock_restart_on_another_rhythm() -> None:
    rows = every(QM, offset_minutes=7)
    rows = without(rows, at("09:00"), at("24:00"))
    rows += [one(QM, at("08:07"), at("09:00")), one(QM, at("09:30"), at("10:30"))]
    feed = judged(rows)[CSQ1]
    assert feed.gaps[0].cause is GapCause.stopped


def test_a_stop_over_midnight_is_known_once_the_start_has_arrived() -> None:
    rows = without(every(QM, last=DAY + timedelta(days=1)), at("22:00"), at("28:00"))
    rows += [one(QM, at("22:00"), at("22:10"))]
    still_down = [row for row in rows if row["interval_start_utc"] < at("24:00")]
    assert judged(still_down)[CSQ1].state is FeedState.partial
    rows += [one(QM, at("26:30"), at("27:00")), one(QM, at("27:00"), at("28:00"))]
    assert judged(rows)[CSQ1].state is FeedState.stopped
    assert judged(rows, DAY + timedelta(days=1))[CSQ1].state is FeedState.stopped


def test_yesterday_there_and_today_nothing_is_absent_and_late_data_repair_it() -> None:
    history = every(QM, last=DAY - timedelta(days=1)) + every(OTHER)
    feed = judged(history)[CSQ1]
    assert feed.state is FeedState.absent
    assert (feed.received_count, feed.ratio) == (0, 0.0)
    assert "last records until 2026-03-04 00:00 (UTC)" in feed.summary
    assert judged(history + every(QM, first=DAY))[CSQ1].state is FeedState.complete


def test_a_feed_that_is_not_configured_is_no_longer_expected_after_the_window() -> None:
    old = every(QM, first=DAY - timedelta(days=60), last=DAY - timedelta(days=50))
    assert CSQ1 not in judged(old)
    assert judged(old, estate=ESTATE)[CSQ1].state is FeedState.absent


def test_the_years_between_two_lives_of_a_feed_are_no_gap() -> None:
    once = every(QM, first=DAY - timedelta(days=800), last=DAY - timedelta(days=790))
    anew = every(QM, first=DAY + timedelta(days=1), last=DAY + timedelta(days=2))
    assert CSQ1 not in judged(once + anew, estate=ESTATE)


def test_a_feed_of_the_estate_that_never_sent_is_reported_on_each_day() -> None:
    feeds = judged(every(QM), estate=ESTATE)
    never = feeds["DATA-STATISTICS/PLEX1/CSQ9"]
    assert never.state is FeedState.never_seen
    assert (never.expected_count, never.received_count) == (48, 0)
    assert feeds["DATA-COUPLING_FACILITY/PLEX1/CF01"].state is FeedState.never_seen
    assert "DATA-CHANNEL_INITIATOR/PLEX1/CSQ9/CHINIT" not in feeds


def test_a_member_that_stops_reporting_is_missing_while_the_facility_is_complete() -> None:
    first, second = (("coupling_facility", CF, smfid) for smfid in ("SYS1", "SYS2"))
    rows = every(first) + without(every(second), at("10:00"), at("11:00"))
    feeds = judged(rows)
    assert feeds["DATA-COUPLING_FACILITY/PLEX1/CF01"].state is FeedState.complete
    assert feeds["DATA-COUPLING_FACILITY/PLEX1/CF01"].received_count == 24
    assert feeds["DATA-MEMBER/PLEX1/CF01/SYS1"].state is FeedState.complete
    assert feeds["DATA-MEMBER/PLEX1/CF01/SYS2"].state is FeedState.partial
    assert "PLEX1/CF01 from SYS2" in feeds["DATA-MEMBER/PLEX1/CF01/SYS2"].summary


def test_a_member_of_the_estate_that_never_reported_is_named() -> None:
    feeds = judged(every(("coupling_facility", CF, "SYS1")), estate=ESTATE)
    assert feeds["DATA-MEMBER/PLEX1/CF01/SYS2"].state is FeedState.never_seen


def test_a_printed_report_names_no_system_and_expects_no_members() -> None:
    feeds = judged(every(("coupling_facility", CF, "")), estate=ESTATE)
    assert feeds["DATA-COUPLING_FACILITY/PLEX1/CF01"].state is FeedState.complete
    assert not any(key.startswith("DATA-MEMBER") for key in feeds)


def test_the_interval_over_midnight_is_not_missing_until_a_later_one_arrives() -> None:
    rows = every(QM, offset_minutes=23)
    before_midnight = [row for row in rows if row["interval_end_utc"] <= at("24:00")]
    feed = judged(before_midnight)[CSQ1]
    assert feed.state is FeedState.complete
    later = [*before_midnight, one(QM, at("24:23"), at("25:23"))]
    assert judged(later)[CSQ1].state is FeedState.partial


def test_nothing_is_missing_before_the_first_record_ever() -> None:
    rows = [row for row in every(QM, first=DAY) if row["interval_start_utc"] >= at("08:00")]
    feed = judged(rows)[CSQ1]
    assert feed.state is FeedState.complete
    assert feed.expected_seconds == 16 * 3600
    assert CSQ1 not in judged(rows, DAY - timedelta(days=1))


def test_the_interval_of_the_estate_precedes_that_of_the_records() -> None:
    quarters = estate({"name": "CSQ1", "interval_minutes": 15})
    feed = judged(every(QM, minutes=30), estate=quarters)[CSQ1]
    assert (feed.interval_from, feed.expected_count, feed.received_count) == ("estate", 96, 48)
    assert feed.state is FeedState.complete


@pytest.mark.parametrize(
    ("day", "hours"), [(date(2026, 3, 29), 23), (date(2026, 10, 25), 25)], ids=["spring", "autumn"]
)
def test_a_clock_change_is_no_gap(day: date, hours: int) -> None:
    rows = every(QM, minutes=15, first=day - timedelta(days=2), last=day + timedelta(days=1))
    feed = judged(rows, day, zone="Europe/Copenhagen")[CSQ1]
    assert feed.state is FeedState.complete
    assert feed.expected_seconds == hours * 3600
    assert feed.received_count == hours * 4


def test_records_a_few_seconds_apart_leave_no_gap() -> None:
    rows = every(QM, minutes=15)
    for row in rows:
        row["interval_end_utc"] -= timedelta(seconds=5)
    assert judged(rows)[CSQ1].state is FeedState.complete


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 71), st.integers(0, 4_000)), max_size=6))
def test_incomplete_days_alone_are_those_of_all_days(cuts: list[tuple[int, int]]) -> None:
    """Intervals end up to an hour early, by a few seconds or by more than the slack."""
    rows = [*every(QM), *every(OTHER)]
    for place, seconds in cuts:
        rows[place]["interval_end_utc"] -= timedelta(seconds=seconds)
    feeds = arrived(rows)
    days = [DAY - timedelta(days=before) for before in (2, 1, 0, -1)]
    found = judge_feeds(feeds, days, incomplete_alone=True)
    assert found == [feed for feed in judge_feeds(feeds, days) if feed.is_incomplete]


@pytest.mark.thorough
@settings(max_examples=15, deadline=None)
@given(st.sets(st.integers(0, 95), max_size=95), st.randoms(use_true_random=False))
def test_received_and_missing_time_add_up_whatever_arrived(lost: set[int], random: object) -> None:
    history = every(QM, minutes=15, last=DAY - timedelta(days=1))
    today = every(QM, minutes=15, first=DAY)
    rows = history + [row for number, row in enumerate(today) if number not in lost]
    rows += every(QM, minutes=15, first=DAY + timedelta(days=1), last=DAY + timedelta(days=1))
    feed = judged(rows)[CSQ1]
    shuffled = rows + rows[:50]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert judged(shuffled)[CSQ1] == feed
    assert feed.received_seconds == 900 * (96 - len(lost))
    assert feed.expected_seconds - feed.received_seconds == missing_s(feed)
    assert feed.is_incomplete == bool(lost)
