"""Days and instants in words."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from mqcap.domain.numbers import ABSENT
from mqcap.presentation import dates, display_units
from mqcap.settings import Settings

DAY = date(2026, 1, 31)
MOMENT = datetime(2026, 1, 5, 6, 14, tzinfo=UTC)


@pytest.mark.parametrize(
    ("day", "words"),
    [
        (date(2026, 1, 31), "that day"),
        (date(2026, 2, 1), "in 1 day"),
        (date(2026, 2, 10), "in 10 days"),
        (date(2026, 1, 30), "1 day ago"),
        (date(2025, 1, 31), "365 days ago"),
    ],
)
def test_a_distance_is_seen_from_the_day_shown(day: date, words: str) -> None:
    assert dates.distance(day, DAY) == words


def test_a_day_is_written_without_leading_zeros() -> None:
    assert dates.day_words(date(2026, 1, 5)) == "Mon 5 Jan 2026"
    assert dates.short_day(date(2026, 1, 5)) == "5 Jan 2026"


def test_an_instant_names_its_zone() -> None:
    assert dates.instant(MOMENT) == "2026-01-05 06:14 UTC"
    assert dates.instant(None) == ABSENT
    assert dates.span(MOMENT, MOMENT.replace(hour=7, minute=2)) == "06:14 to 07:02 UTC"


def test_an_instant_is_in_the_zone_of_the_sysplex_that_it_is_about() -> None:
    settings = Settings.model_validate({
        "site": {"timezone": "Europe/Copenhagen"},
        "estate": [{"sysplex": "PLEX2", "timezone": "America/New_York"}],
    })  # fmt: skip
    with display_units.of_no_site():
        display_units.use_zones_of(settings)
        assert dates.instant(MOMENT) == "2026-01-05 07:14 CET"
        assert dates.instant(MOMENT, "PLEX1/CSQ1") == "2026-01-05 07:14 CET"
        assert dates.instant(MOMENT, "PLEX2/CSQ9") == "2026-01-05 01:14 EST"
        assert dates.span(MOMENT, MOMENT, "PLEX2/CSQ9") == "01:14 to 01:14 EST"
        display_units.use_zone_of_subject("PLEX2/CSQ9")
        assert dates.instant(MOMENT) == "2026-01-05 01:14 EST"
        display_units.use_utc()
        display_units.use_zones_of(settings)
        assert dates.instant(MOMENT, "PLEX2/CSQ9") == "2026-01-05 06:14 UTC"


def test_a_near_day_has_its_year_only_when_it_is_another_one() -> None:
    assert dates.near_day(date(2026, 12, 5), DAY) == "5 Dec"
    assert dates.near_day(date(2027, 1, 3), DAY) == "3 Jan 2027"
