"""The table of feeds that lack records, for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from mqcap.domain.feed import FeedDay, FeedKind, FeedState
from mqcap.domain.numbers import ABSENT
from mqcap.reports.terminal_data_findings import data_table
from mqcap.store.feeds import replace_feed_days
from tests.factories import DAY, differing_sources, feed_day
from tests.stores import new_store


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    opened = new_store(tmp_path / "store.db")
    yield opened
    opened.dispose()


def rows(engine: Engine, feeds: Iterable[FeedDay]) -> list[list[str]]:
    """The cells of each row after the feeds of the day are stored."""
    replace_feed_days(engine, DAY, DAY, list(feeds))
    made = data_table(engine, DAY)
    assert made is not None
    return [list(row) for row in made.rows]


@pytest.mark.parametrize(
    ("received_seconds", "arrived"),
    [(0.0, "0 %"), (1.0, "0.01 %"), (75_600.0, "87.5 %"), (86_399.0, "99.99 %")],
)
def test_a_feed_has_its_state_its_share_and_its_remedy(
    engine: Engine, received_seconds: float, arrived: str
) -> None:
    [row] = rows(engine, [feed_day(received_seconds=received_seconds)])
    assert row == [
        "partial",
        "PLEX1/CSQ1",
        arrived,
        "Ask for the dump again.",
    ]


def test_a_member_is_named_behind_its_facility(engine: Engine) -> None:
    about = feed_day("PLEX1/CF01", kind=FeedKind.member, member="SYS2")
    assert rows(engine, [about])[0][1] == "PLEX1/CF01 SYS2"


@pytest.mark.parametrize("feeds", [[], [feed_day(state=FeedState.complete, gaps=())]])
def test_without_an_incomplete_feed_there_is_no_table(engine: Engine, feeds: list[FeedDay]) -> None:
    replace_feed_days(engine, DAY, DAY, feeds)
    assert data_table(engine, DAY) is None


def test_the_table_names_its_day_and_that_it_is_no_all_clear(engine: Engine) -> None:
    replace_feed_days(engine, DAY, DAY, [feed_day()])
    made = data_table(engine, DAY)
    assert made is not None
    assert made.title == "Data: records that have not arrived, 2 Mar 2026"
    assert "not in order until they arrive" in made.caption


def test_sources_that_differ_have_arrived(engine: Engine) -> None:
    [row] = rows(engine, [differing_sources()])
    assert row[:3] == ["differs", "PLEX1/CSQ1", ABSENT]
    made = data_table(engine, DAY)
    assert made is not None
    assert made.title == "Data: sources that differ, 2 Mar 2026"
    assert "do not agree" in made.caption
