"""The calendar of a site: forms of busy days, and whom a change concerns."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from pydantic import ValidationError

from mqcap.domain.estate.calendar import BusyDays, KnownChange, SiteCalendar

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


def test_a_site_works_from_monday_to_friday_unless_it_declares_otherwise() -> None:
    assert SiteCalendar().workdays == ("Mon", "Tue", "Wed", "Thu", "Fri")
    with pytest.raises(ValidationError):
        SiteCalendar.model_validate({"workdays": ["Monday"]})


@pytest.mark.parametrize(
    ("subjects", "concerned"),
    [((), True), (("CSQ1",), True), (("CHINIT",), True), (("CSQ2",), False), (("PLEX1",), False)],
)
def test_a_change_concerns_the_subjects_that_it_names(
    subjects: tuple[str, ...], concerned: bool
) -> None:
    change = KnownChange(day=FIRST, subjects=subjects)
    assert change.concerns("PLEX1/CSQ1/CHINIT") is concerned
