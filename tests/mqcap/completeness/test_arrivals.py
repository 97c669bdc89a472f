"""Intervals received of each feed, as read from the lake."""

from __future__ import annotations

import os
import time
from datetime import timedelta
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqcap.completeness.arrivals import (
    FeedArrivals,
    FeedId,
    arrivals_of,
    by_system,
    has_feeds,
    read_arrivals,
    until,
)
from mqcap.domain.feed import FeedKind
from tests.mqcap.completeness.builders import (
    DAY,
    OTHER,
    QM,
    at,
    every,
    one,
    stating,
    table_of,
    write_lake,
)

CSQ1 = FeedId(FeedKind.statistics, "PLEX1/CSQ1")
CF_FROM_SYS1 = ("coupling_facility", "PLEX1/CF01", "SYS1")
CF_FROM_SYS2 = ("coupling_facility", "PLEX1/CF01", "SYS2")


def us(text: str) -> int:
    return round(at(text).timestamp() * 1e6)


def test_partitions_of_an_older_release_have_no_version(tmp_path: Path) -> None:
    write_lake(tmp_path, stating(every(QM), "9.3.5", at("00:00"), "9.4.5"))
    [old] = (tmp_path / "feed_interval" / f"hour_date={DAY - timedelta(days=1)}").glob("*")
    pq.write_table(pq.ParquetFile(old).read().drop_columns(["mq_level"]), old)
    days = [DAY - timedelta(days=back) for back in range(3)]
    [arrived] = read_arrivals(tmp_path, days).values()
    assert arrived.versions.names == ("9.3.5", "9.4.5")
    assert len(arrived.start_us) == 72


def test_time_is_covered_from_the_first_interval_on_but_for_the_slack() -> None:
    parts = [("09:00", "11:00"), ("09:30", "10:00"), ("11:01", "12:00")]
    table = table_of(one(QM, at(begin), at(end)) for begin, end in parts)
    arrived = arrivals_of(table)[CSQ1]
    minute = us("00:01") - us("00:00")
    assert arrived.covers(us("00:00"), us("12:00"), minute)
    assert arrived.covers(us("10:00"), us("12:01"), minute)
    assert not arrived.covers(us("00:00"), us("12:00"), minute - 1)
    assert not arrived.covers(us("10:00"), us("12:02"), minute)
    assert not arrived.covers(us("13:00"), us("14:00"), minute)


def test_a_lake_of_an_older_release_has_no_feeds(tmp_path: Path) -> None:
    assert not has_feeds(tmp_path)
    assert read_arrivals(tmp_path, [DAY]) == {}
    write_lake(tmp_path, [one(QM, at("09:00"), at("10:00"))])
    assert has_feeds(tmp_path)


def test_only_the_dates_asked_for_are_read(tmp_path: Path) -> None:
    write_lake(tmp_path, every(QM))
    [arrived] = read_arrivals(tmp_path, [DAY, DAY, DAY + timedelta(days=9)]).values()
    assert len(arrived.start_us) == 24


def test_intervals_are_in_order_of_their_start_whatever_the_order_of_rows() -> None:
    rows = [one(QM, at("10:00"), at("11:00")), one(QM, at("09:00"), at("10:00"))]
    assert arrivals_of(table_of(rows))[CSQ1].start_us.tolist() == [us("09:00"), us("10:00")]


def test_a_facility_is_a_feed_of_all_members_and_of_each() -> None:
    rows = [
        one(CF_FROM_SYS1, at("09:00"), at("09:15")),
        one(CF_FROM_SYS2, at("09:00"), at("09:15")),
    ]
    feeds = arrivals_of(table_of(rows))
    assert [(feed.kind, feed.member) for feed in feeds] == [
        (FeedKind.coupling_facility, ""), (FeedKind.member, "SYS1"), (FeedKind.member, "SYS2"),
    ]  # fmt: skip
    assert [len(arrived.start_us) for arrived in feeds.values()] == [2, 1, 1]


def test_between_gives_the_intervals_that_overlap_a_span() -> None:
    arrived = arrivals_of(table_of(every(QM, first=DAY)))[CSQ1]
    starts, ends = arrived.between(us("09:30"), us("11:00"))
    assert starts.tolist() == [us("09:00"), us("10:00")]
    assert ends.tolist() == [us("10:00"), us("11:00")]
    assert len(arrived.between(us("24:00"), us("24:00") + 1)[0]) == 0


@given(
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 20)), min_size=1, max_size=12),
    st.integers(-5, 70),
    st.integers(0, 30),
)
def test_between_looks_at_each_interval_even_where_long_ones_overlap_short_ones(
    intervals: list[tuple[int, int]], begin: int, length: int
) -> None:
    ordered = np.array(sorted(intervals), np.int64)
    starts, ends = ordered[:, 0], ordered.sum(axis=1)
    none = np.array([""] * len(starts), object)
    arrived = FeedArrivals(starts, ends, none, none, np.zeros(len(starts)))
    found = list(zip(*map(np.ndarray.tolist, arrived.between(begin, begin + length)), strict=True))
    pairs = zip(starts.tolist(), ends.tolist(), strict=True)
    assert found == [(start, end) for start, end in pairs if start < begin + length and end > begin]


def test_systems_are_those_of_the_span_or_of_the_last_interval_before_its_end() -> None:
    moved = ("statistics", "PLEX1/CSQ1", "SYS2")
    rows = [one(QM, at("08:00"), at("09:00")), one(moved, at("09:00"), at("10:00"))]
    arrived = arrivals_of(table_of(rows))[CSQ1]
    assert arrived.systems(us("08:00"), us("10:00")) == ("SYS1", "SYS2")
    assert arrived.systems(us("09:30"), us("10:00")) == ("SYS2",)
    assert arrived.systems(us("06:00"), us("07:00")) == ()


def test_until_keeps_what_had_ended_and_omits_feeds_without_any() -> None:
    rows = [*every(QM, first=DAY), one(OTHER, at("20:00"), at("21:00"))]
    ended = until(arrivals_of(table_of(rows)), lambda _subject: us("12:00"))
    assert list(ended) == [CSQ1]
    assert ended[CSQ1].end_us.max() == us("12:00")


def test_a_system_has_the_feeds_that_it_sent_and_members_instead_of_the_facility() -> None:
    rows = [
        one(QM, at("09:00"), at("10:00")),
        one(CF_FROM_SYS1, at("09:00"), at("09:15")),
        one(CF_FROM_SYS2, at("09:00"), at("09:15")),
    ]
    feeds = by_system(arrivals_of(table_of(rows)))
    assert set(feeds) == {("PLEX1", "SYS1"), ("PLEX1", "SYS2")}
    assert set(feeds["PLEX1", "SYS1"]) == {CSQ1, FeedId(FeedKind.member, "PLEX1/CF01", "SYS1")}
    assert feeds["PLEX1", "SYS2"] == [FeedId(FeedKind.member, "PLEX1/CF01", "SYS2")]


@pytest.mark.parametrize("age_seconds", [0, 60])
def test_a_file_that_is_written_anew_is_read_anew(tmp_path: Path, age_seconds: int) -> None:
    """One that has settled is kept until its time changes; others are read each time."""
    counts = []
    for hours in (9, 10, 10):
        write_lake(tmp_path, every(QM, first=DAY)[:hours])
        [path] = tmp_path.glob("feed_interval/*/*.parquet")
        written = time.time() - age_seconds + hours / 1_000
        os.utime(path, (written, written))
        counts += [len(read_arrivals(tmp_path, [DAY])[CSQ1].start_us) for _ in range(2)]
    assert counts == [9, 9, 10, 10, 10, 10]
