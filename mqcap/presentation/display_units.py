"""Units and clock in which figures are displayed: all conversions of stored units are here.

Reports and emails use the defaults of ``DisplayPreferences`` with the zones of their site. The page
sets those of its reader for the current request, and the command line its option ``--utc``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from pydantic import BaseModel

from mqcap.domain.metric import sysplex_of
from mqcap.domain.units import CYLINDER_3390_BYTES, MIB_BYTES, SECONDS_PER_HOUR
from mqcap.settings import Settings

STORED_RATE: Final = "MiB/s"
"""The unit in which growth of logs is stored, and the only one that is converted."""


class Rate(StrEnum):
    """Unit of the growth of logs."""

    mb_per_hour = "mb_per_hour"
    """The unit of planners; 1 MB is 1 048 576 bytes, as MQ's own messages say."""
    mib_per_s = "mib_per_s"
    cylinders_per_hour = "cylinders_per_hour"
    """3390 cylinders of 4 KiB control intervals, 737 280 bytes each."""


class Clock(StrEnum):
    """Clock on which instants are displayed. Days are always those of the sysplex."""

    utc = "utc"
    local = "local"


class Scale(NamedTuple):
    """Factor and unit in which a stored figure is shown."""

    factor: float
    unit: str


_RATES: Final = {
    Rate.mb_per_hour: Scale(SECONDS_PER_HOUR, "MB/hour"),
    Rate.mib_per_s: Scale(1.0, STORED_RATE),
    Rate.cylinders_per_hour: Scale(
        SECONDS_PER_HOUR * MIB_BYTES / CYLINDER_3390_BYTES, "cylinders/hour"
    ),
}


class DisplayPreferences(BaseModel, frozen=True):
    """Preferences of a reader; the defaults are MB/hour and local time."""

    rate: Rate = Rate.mb_per_hour
    clock: Clock = Clock.local
    local_zone: str = "UTC"
    """The zone of ``Clock.local``: that of the site."""
    sysplex_zones: Mapping[str, str] = {}
    """The zone of each sysplex, in which ``Clock.local`` shows instants about its subjects."""

    @property
    def zone(self) -> str:
        """The zone of the tz database in which instants are read."""
        return "UTC" if self.clock is Clock.utc else self.local_zone

    def about(self, subject: str) -> DisplayPreferences:
        """Return the preferences in which the local zone is that of a subject's sysplex.

        Days are those of the sysplex, so that day and hour of an instant agree.
        """
        zone = self.sysplex_zones.get(sysplex_of(subject))
        return self if zone is None else self.model_copy(update={"local_zone": zone})

    def scale(self, unit: str) -> Scale:
        """Return factor and unit of display for a stored unit."""
        return _RATES[self.rate] if unit == STORED_RATE else Scale(1.0, unit)

    def other_rate(self) -> Scale:
        """Return the second unit of a rate: MiB/s, or MB/hour where MiB/s is the first."""
        beside = Rate.mb_per_hour if self.rate is Rate.mib_per_s else Rate.mib_per_s
        return _RATES[beside]

    def at(self, moment: datetime) -> datetime:
        """Return the same instant on the reader's clock."""
        return moment.astimezone(UTC if self.zone == "UTC" else ZoneInfo(self.zone))


_IN_REPORTS: Final = DisplayPreferences()
_CURRENT: Final[ContextVar[DisplayPreferences]] = ContextVar(
    "display preferences", default=_IN_REPORTS
)


def current() -> DisplayPreferences:
    """Return the preferences of the current context."""
    return _CURRENT.get()


def choose(preferences: DisplayPreferences) -> None:
    """Set the preferences for the rest of the current context, such as a request."""
    _CURRENT.set(preferences)


def use_zones_of(settings: Settings) -> None:
    """Use the time zones of this site and of its sysplexes, for the rest of this context."""
    zones = settings.zones()
    site = {"local_zone": settings.site.timezone, "sysplex_zones": zones}
    _CURRENT.set(current().model_copy(update=site))


def use_zone_of_subject(subject: str) -> None:
    """Use the time zone of the subject's sysplex, for the rest of this context."""
    _CURRENT.set(current().about(subject))


@contextmanager
def as_in_reports() -> Iterator[None]:
    """Use the defaults within the block, whatever the reader has chosen."""
    token = _CURRENT.set(_IN_REPORTS)
    try:
        yield
    finally:
        _CURRENT.reset(token)
