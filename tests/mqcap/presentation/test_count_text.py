"""Counts of feeds in words."""

from __future__ import annotations

from mqcap.presentation.count_text import data_words
from tests.factories import differing_sources, feed_day


def test_feeds_that_lack_records_and_sources_that_differ_are_counted_apart() -> None:
    assert data_words([]) == ""
    assert data_words([feed_day()]) == "1 feed of records incomplete"
    assert data_words([differing_sources()]) == "1 figure differs between two sources"
    assert data_words([feed_day(), differing_sources(), differing_sources("PLEX1/CSQ2")]) == (
        "1 feed of records incomplete, 2 figures differ between two sources"
    )
