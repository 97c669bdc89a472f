"""Days and instants as they are printed."""

import re
from datetime import date, datetime
from typing import Final

from mqcap.domain.numbers import ABSENT
from mqcap.presentation import display_units

_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d")


def day_words(day: date) -> str:
    """Return ``Mon 5 Jan 2026``."""
    return f"{day:%a} {short_day(day)}"


def short_day(day: date) -> str:
    """Return ``5 Jan 2026``."""
    return f"{day.day} {day:%b} {day.year}"


def near_day(day: date, origin: date) -> str:
    """Return ``5 Dec``, with the year when it is not that of ``origin``."""
    return f"{day.day} {day:%b}" if day.year == origin.year else short_day(day)


def instant(moment: datetime | None, subject: str = "") -> str:
    """Return ``5 Jan 2026 07:14 CET`` on the reader's clock; ``ABSENT`` without an instant.

    Local time is that of the sysplex of ``subject``, else that of the site.
    """
    if moment is None:
        return ABSENT
    at = display_units.current().about(subject).at(moment)
    return f"{short_day(at.date())} {at:%H:%M %Z}"


def span(begin: datetime, end: datetime, subject: str = "") -> str:
    """Return ``07:14 to 08:02 CET`` on the reader's clock, without the day."""
    at = display_units.current().about(subject).at
    return f"{at(begin):%H:%M} to {at(end):%H:%M %Z}"


def in_one_form(text: str) -> str:
    """Return a text with each ISO date as ``5 Jan 2026``."""
    return _DATE.sub(lambda found: short_day(date.fromisoformat(found[0])), text)
