"""Calendar facts of a series."""

from __future__ import annotations

from datetime import date

from mqcap.domain.estate import Sysplex
from mqcap.domain.estate.calendar import KnownChange, SiteCalendar
from mqcap.domain.estate.series_calendar import estate_facts

DAY = date(2026, 3, 2)
LOG = "log_growth_mib_per_s/PLEX1/CSQ1"


def estate(**facts: object) -> list[Sysplex]:
    return [Sysplex(sysplex="OTHER"), Sysplex.model_validate({"sysplex": "PLEX1", **facts})]


def test_a_series_of_an_unknown_sysplex_has_no_facts() -> None:
    assert estate_facts([], LOG, DAY) == dict.fromkeys(("country", "calendar", "known_changes"))


def test_a_site_without_a_calendar_of_its_own_has_that_of_its_country() -> None:
    facts = estate_facts(estate(holidays="DK"), LOG, DAY)
    assert facts == {"country": "DK", "calendar": None, "known_changes": None}


def test_a_calendar_of_its_own_is_json() -> None:
    own = SiteCalendar(closed=(DAY,))
    content = estate_facts(estate(calendar=own), LOG, DAY)["calendar"]
    assert content is not None
    assert SiteCalendar.model_validate_json(content) == own


def test_changes_up_to_the_day_that_concern_the_subject_are_listed_once_in_order() -> None:
    changes = (
        KnownChange(day=date(2026, 3, 1), subjects=("CSQ1",)),
        KnownChange(day=date(2026, 2, 1)),
        KnownChange(day=date(2026, 2, 1), what="the same day again"),
        KnownChange(day=date(2026, 1, 1), subjects=("CSQ2",)),
        KnownChange(day=date(2026, 3, 3)),
    )
    facts = estate_facts(estate(known_changes=changes), LOG, DAY)
    assert facts["known_changes"] == "2026-02-01,2026-03-01"
