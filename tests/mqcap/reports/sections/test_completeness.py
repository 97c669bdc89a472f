"""Incomplete feeds of the day of a report."""

from __future__ import annotations

from pathlib import Path

from mqcap.domain.feed import FeedState
from mqcap.reports.sections.completeness import completeness
from mqcap.store.feeds import replace_feed_days
from mqcap.store.observations import replace_observations
from tests.factories import DAY, differing_sources, feed_day, finding, observation
from tests.mqcap.reports.builders import basis, texts


def test_a_day_without_feeds_was_not_assessed(tmp_path: Path) -> None:
    with basis(tmp_path, [finding()]) as made:
        replace_observations(made.engine, {DAY}, [observation()], {})
        section = completeness(made)
    assert section.sentences == (
        "Completeness was not assessed for this day.", "1 series were measured on this day.",
    )  # fmt: skip
    assert section.tables == ()


def test_only_incomplete_feeds_are_listed(tmp_path: Path) -> None:
    feeds = [feed_day(), feed_day("PLEX1/CSQ2", state=FeedState.complete, gaps=())]
    with basis(tmp_path, [finding()]) as made:
        replace_feed_days(made.engine, DAY, DAY, feeds)
        section = completeness(made)
    assert section.sentences[0] == "2 feeds; 1 feed of records incomplete."
    assert [row[:2] for row in texts(section.tables[0])] == [["PLEX1/CSQ1", "partial"]]


def test_sources_that_differ_are_listed_by_their_subject_and_are_no_feed(tmp_path: Path) -> None:
    feeds = [feed_day(state=FeedState.complete, gaps=()), differing_sources()]
    with basis(tmp_path, [finding()]) as made:
        replace_feed_days(made.engine, DAY, DAY, feeds)
        section = completeness(made)
    assert section.sentences[0] == "1 feed; 1 figure differs between two sources."
    assert [row[:2] for row in texts(section.tables[0])] == [["PLEX1/CSQ1", "differs"]]
