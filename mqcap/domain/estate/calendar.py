"""The calendar of a site: business days, busy days, known changes."""

from datetime import date
from typing import Annotated, Self

from pydantic import BaseModel, Field, model_validator

from mqcap.domain.subject import Subject

WEEK: tuple[str, ...] = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
Weekday = Annotated[str, Field(pattern="^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)$")]


class BusyDays(BaseModel, frozen=True, extra="forbid"):
    """Days of one kind that differ from others: a pay day, a billing run, a freeze.

    One of ``days``, ``first`` to ``last``, and ``business_day`` of every month (-1: the last).
    """

    name: Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_ -]{0,39}$")]
    days: tuple[date, ...] = ()
    first: date | None = None
    last: date | None = None
    business_day: Annotated[int, Field(ge=-23, le=23)] | None = None

    @model_validator(mode="after")
    def _exactly_one_form(self) -> Self:
        period = self.first is not None and self.last is not None
        if (self.first is None) != (self.last is None) or (
            period and self.first > self.last  # type: ignore[operator]
        ):
            raise ValueError("a period needs first and last, in this order")
        if sum((bool(self.days), period, bool(self.business_day))) != 1:
            raise ValueError("give days, or first and last, or business_day (not 0)")
        return self


class SiteCalendar(BaseModel, frozen=True, extra="forbid"):
    """Business days of a site where they are not those of its country."""

    workdays: tuple[Weekday, ...] = WEEK[:5]
    closed: tuple[date, ...] = ()
    """Days without business besides public holidays."""
    open: tuple[date, ...] = ()
    """Public holidays on which the site works."""
    busy: tuple[BusyDays, ...] = ()
    """Kinds of days with an effect of their own; each is learned once it has occurred twice."""


class KnownChange(BaseModel, frozen=True, extra="forbid"):
    """A change made on a day that shifts the level of measured series."""

    day: date
    """The first day after the level shift."""
    what: str = ""
    subjects: tuple[str, ...] = ()
    """Queue managers, coupling facilities or structures by name; empty: all of the sysplex."""

    def concerns(self, subject: str) -> bool:
        """Return true if the change names the subject (``PLEX1/CSQ1/CHINIT``) or a part of it."""
        return not self.subjects or bool(set(self.subjects) & set(Subject(subject).names[1:]))
