"""The completeness page: states by word and sign, gaps with their times."""

from __future__ import annotations

from pathlib import Path

from mqcap.domain.feed import FeedState
from mqcap.store.database import open_store
from mqcap.store.feeds import replace_feed_days
from tests.factories import feed_day
from tests.plugins import builder
from tests.plugins.web import TestClient, rows_of, text_of


def test_what_lacks_records_comes_first_and_in_words(filled: TestClient) -> None:
    rows = rows_of(filled.get("/completeness"))
    signs = ["○ Absent", "? Never seen", "◐ Partial", "■ Stopped", "✓ Complete"]
    assert [next(sign for sign in signs if row.startswith(sign)) for row in rows] == signs


def test_a_gap_has_its_times_in_the_zone_of_the_sysplex_and_a_cause(filled: TestClient) -> None:
    row = next(row for row in rows_of(filled.get("/completeness")) if "Partial" in row)
    assert "09:00 to 12:00, cause unknown Europe/Copenhagen" in row
    assert "42 of 48 \N{MULTIPLICATION SIGN} 30 min as on earlier days 87.5 %" in row
    assert "Action: Ask for the dump." in row
    assert "Fri 30 Jan 2026: partial, 87.5 %" in row


def test_a_complete_day_ends_at_24_and_the_member_is_named(filled: TestClient) -> None:
    row = next(row for row in rows_of(filled.get("/completeness")) if "Absent" in row)
    assert "00:00 to 24:00" in row
    assert "SYS2 about CF01" in row
    assert " 0 % " in row


def test_only_the_incomplete_can_be_asked_for(filled: TestClient) -> None:
    rows = rows_of(filled.get("/completeness?incomplete=true"))
    assert len(rows) == 3
    assert "Incomplete (3)" in text_of(filled.get("/completeness"))


def test_a_day_of_which_nothing_is_known_is_not_called_complete(filled: TestClient) -> None:
    text = text_of(filled.get("/completeness?day=2025-06-01"))
    assert "this is not the same as complete" in text


def test_complete_feeds_that_print_the_same_are_links_in_one_row(
    filled: TestClient, site_folder: Path
) -> None:
    day = builder.DAY
    feeds = [
        feed_day(f"PLEX9/QM{number}", state=FeedState.complete, gaps=(), site_date=day)
        for number in range(4)
    ]
    engine = open_store(f"sqlite:///{site_folder / builder.STORE_FILE}")
    replace_feed_days(engine, day, day, feeds)
    engine.dispose()
    answer = filled.get("/completeness")
    [row] = rows_of(answer)
    assert "QM0 , QM1 , QM2 , QM3 PLEX9" in row
    assert "4 feeds, each complete" in row
    assert answer.text.count("subject?name=PLEX9%2FQM") == 4
