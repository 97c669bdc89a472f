import os
import time
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
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
from mqcap.completeness.days import differing_sources
from mqcap.domain.feed import FeedDay, FeedKind, FeedState, data_findings
from mqcap.lake.layout import hour_partition
from mqcap.settings.analysis import AttributionSettings, SourceFloor
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


def test_a_facility_is_a_feed_of_all_members_and_of_each() -> None:
    rows = [one(system, at("09:00"), at("09:15")) for system in (CF_FROM_SYS1, CF_FROM_SYS2)]
    feeds = arrivals_of(table_of(rows))
    assert [(feed.kind, feed.member) for feed in feeds] == [
        (FeedKind.coupling_facility, ""), (FeedKind.member, "SYS1"), (FeedKind.member, "SYS2"),
    ]  # fmt: skip
    assert [len(arrived.start_us) for arrived in feeds.values()] == [2, 1, 1]


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
    rows = [one(sender, at("09:00"), at("10:00")) for sender in (QM, CF_FROM_SYS1, CF_FROM_SYS2)]
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


DAY_OF_SOURCES = date(2026, 3, 2)
SETTINGS = AttributionSettings()


def row(second: float, **changed: Any) -> dict[str, Any]:
    return {
        "pair": "log_tasks",
        "subject": "PLEX1/CSQ1",
        "site_date": DAY_OF_SOURCES,
        "first": 3_600.0,
        "second": second,
        "covered_seconds": 3_600.0,
        **changed,
    }


def differing(lake: Path, settings: AttributionSettings = SETTINGS) -> list[FeedDay]:
    return differing_sources(lake, DAY_OF_SOURCES, DAY_OF_SOURCES, settings)


def write(lake: Path, day: date, *rows: dict[str, Any]) -> None:
    folder = hour_partition(lake, "source_pair", day)
    folder.mkdir(parents=True)
    pq.write_table(pa.Table.from_pylist(list(rows)), folder / "part-0.parquet")


@pytest.mark.parametrize(
    ("second", "differs"),
    [(3_239.0, True), (3_240.0, False), (3_600.0, False), (3_960.0, False), (3_961.0, True)],
)
def test_a_tenth_is_tolerated_either_way(tmp_path: Path, second: float, differs: bool) -> None:
    write(tmp_path, DAY_OF_SOURCES, row(second))
    assert bool(differing(tmp_path)) is differs


def test_the_finding_has_both_figures_and_makes_no_records_incomplete(tmp_path: Path) -> None:
    write(tmp_path, DAY_OF_SOURCES, row(1_800.0))
    [found] = differing(tmp_path)
    assert (found.kind, found.member) == (FeedKind.comparison, "log_tasks")
    assert found.state is FeedState.differs
    assert found.summary == (
        "PLEX1/CSQ1: log write rate is 1 MiB/s by 115.1 (QJSTBFFL) and 0.5 MiB/s by 116 class 3 "
        "(WTASJWB), 50 % less; tolerated are 10 % (attribution.source_tolerance_pct)."
    )
    assert not found.is_incomplete
    assert data_findings([found]) == (found,)


def test_pieces_of_a_site_date_are_added_and_other_days_left_out(tmp_path: Path) -> None:
    next_day = row(9.0, site_date=DAY_OF_SOURCES + timedelta(days=1))
    write(tmp_path, DAY_OF_SOURCES, row(7_200.0), next_day)
    write(tmp_path, DAY_OF_SOURCES - timedelta(days=1), row(0.0))
    assert differing(tmp_path) == []


@pytest.mark.parametrize(("second", "differs"), [(0.0, False), (1_800.0, True)])
def test_a_source_that_has_nothing_of_what_the_other_has_differs_with_both_figures(
    tmp_path: Path, second: float, differs: bool
) -> None:
    write(tmp_path, DAY_OF_SOURCES, row(second, first=0.0))
    found = differing(tmp_path)
    assert bool(found) is differs
    for each in found:
        assert "is 0 MiB/s by 115.1 (QJSTBFFL) and 0.5 MiB/s by 116 class 3" in each.summary
        assert "where the first has none; tolerated are 10 %" in each.summary


@pytest.mark.parametrize(
    ("pair", "floor"), [("log_tasks", 0.01), ("log_queues", 0.01), ("structure_requests", 1.0)]
)
@pytest.mark.parametrize(("share", "differs"), [(0.999, False), (1.0, True), (1.001, True)])
def test_sources_are_compared_from_the_floor_of_their_unit_on(
    tmp_path: Path, pair: str, floor: float, share: float, differs: bool
) -> None:
    figure = 3_600 * floor * share
    write(tmp_path, DAY_OF_SOURCES, row(figure, pair=pair, first=figure / 2))
    assert bool(differing(tmp_path)) is differs


def test_a_site_that_has_no_floor_compares_the_smallest_figure(tmp_path: Path) -> None:
    write(tmp_path, DAY_OF_SOURCES, row(0.003, first=0.0015))
    assert differing(tmp_path) == []
    none = SETTINGS.model_copy(update={"source_floor": SourceFloor(log_mib_per_s=0)})
    [found] = differing(tmp_path, none)
    assert found.subject == "PLEX1/CSQ1"
