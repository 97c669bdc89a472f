"""The calendar of a site, of a series, and configured figures by date."""

from datetime import date
from typing import Any

import pytest
from pydantic import ValidationError

from mqcap.domain.estate import Sysplex, estate_facts
from mqcap.domain.estate.calendar import BusyDays, KnownChange, SiteCalendar
from mqcap.domain.estate.configured import LogFacts

FIRST, LAST = date(2026, 1, 1), date(2026, 1, 10)


@pytest.mark.parametrize(
    "form",
    [
        {"days": (FIRST,)},
        {"first": FIRST, "last": LAST},
        {"first": FIRST, "last": FIRST},
        {"business_day": -1},
    ],
)
def test_busy_days_have_one_of_three_forms(form: dict[str, Any]) -> None:
    assert BusyDays(name="pay day", **form).model_dump(exclude_defaults=True) == {
        "name": "pay day",
        **form,
    }


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({}, "give days"),
        ({"business_day": 0}, "give days"),
        ({"days": (FIRST,), "business_day": 2}, "give days"),
        ({"first": FIRST}, "first and last, in this order"),
        ({"first": LAST, "last": FIRST}, "first and last, in this order"),
        ({"business_day": 24}, "less than or equal to 23"),
    ],
)
def test_other_forms_are_refused_with_the_reason(form: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        BusyDays(name="pay day", **form)


@pytest.mark.parametrize("name", ["", "1st", "a/b", "x" * 41])
def test_a_name_of_busy_days_can_be_the_name_of_a_column(name: str) -> None:
    with pytest.raises(ValidationError):
        BusyDays(name=name, days=(FIRST,))


@pytest.mark.parametrize(
    ("subjects", "concerned"),
    [((), True), (("CSQ1",), True), (("CHINIT",), True), (("CSQ2",), False), (("PLEX1",), False)],
)
def test_a_change_concerns_the_subjects_that_it_names(
    subjects: tuple[str, ...], concerned: bool
) -> None:
    change = KnownChange(day=FIRST, subjects=subjects)
    assert change.concerns("PLEX1/CSQ1/CHINIT") is concerned


DAY = date(2026, 3, 2)
LOG = "log_growth_mib_per_s/PLEX1/CSQ1"


def estate(**facts: object) -> list[Sysplex]:
    return [Sysplex(sysplex="OTHER"), Sysplex.model_validate({"sysplex": "PLEX1", **facts})]


def test_a_series_of_an_unknown_sysplex_has_no_facts() -> None:
    assert estate_facts([], LOG, DAY) == dict.fromkeys(("country", "calendar", "known_changes"))


def test_a_site_has_its_own_calendar_and_that_of_its_country() -> None:
    facts = estate_facts(estate(holidays="DK"), LOG, DAY)
    assert facts == {"country": "DK", "calendar": None, "known_changes": None}
    calendar = SiteCalendar(busy=(BusyDays(name="pay", business_day=-2),))
    own = estate_facts(estate(calendar=calendar), LOG, DAY)
    assert SiteCalendar.model_validate_json(own["calendar"] or "") == calendar


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


@pytest.mark.parametrize(
    ("given", "share_pct"),
    [
        ({}, None),
        ({"dfw_bypass_per_s": 20}, None),
        ({"dasd_io_per_s": 1_000}, None),
        ({"dfw_bypass_per_s": 20, "dasd_io_per_s": 1_000}, 2.0),
        ({"dfw_bypass_per_s": 20, "dasd_io_per_s": 1_000, "dfw_bypass_pct": 0.5}, 0.5),
        ({"dfw_bypass_pct": 0}, 0.0),
    ],
)
def test_the_bypass_is_configured_as_a_share_or_as_both_rates(
    given: dict[str, float], share_pct: float | None
) -> None:
    assert LogFacts.model_validate(given).dfw_bypass_pct == share_pct


@pytest.mark.parametrize("serial", ["", "TOOLONG", "mql001", "MQL 01"])
def test_a_volume_of_the_logs_has_a_serial_of_six_characters(serial: str) -> None:
    assert LogFacts.model_validate({"log_volumes": ["MQL001", "A#@$-9"]}).log_volumes
    with pytest.raises(ValidationError, match="log_volumes"):
        LogFacts.model_validate({"log_volumes": [serial]})
