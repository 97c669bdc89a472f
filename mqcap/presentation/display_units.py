"""Units and time zones in which figures are displayed: all conversions of stored units are here.

Instants are read in the zone of the sysplex that they are about, else in that of the site; the
option ``--utc`` of the command line asks for UTC.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from pydantic import BaseModel

from mqcap.domain.subject import Subject
from mqcap.domain.units import SECONDS_PER_HOUR
from mqcap.settings import Settings

STORED_RATE: Final = "MiB/s"
"""The unit in which growth of logs is stored, and the only one that is converted."""


class Scale(NamedTuple):
    """Factor and unit in which a stored figure is shown."""

    factor: float
    unit: str


_RATE: Final = Scale(SECONDS_PER_HOUR, "MB/hour")
"""The unit of planners; 1 MB is 1 048 576 bytes, as MQ's own messages say."""


def scale(unit: str) -> Scale:
    """Return factor and unit of display for a stored unit."""
    return _RATE if unit == STORED_RATE else Scale(1.0, unit)


class DisplayZones(BaseModel, frozen=True):
    """The time zones in which instants are read. Days are always those of the sysplex."""

    zone: str = "UTC"
    """A zone of the tz database: that of the site."""
    sysplex_zones: Mapping[str, str] = {}
    """The zone of each sysplex, in which instants about its subjects are read."""
    always_utc: bool = False

    def about(self, subject: str) -> DisplayZones:
        """Return the zones in which that of the site is that of a subject's sysplex.

        Days are those of the sysplex, so that day and hour of an instant agree.
        """
        zone = self.sysplex_zones.get(Subject(subject).sysplex)
        return self if zone is None else self.model_copy(update={"zone": zone})

    def at(self, moment: datetime) -> datetime:
        """Return the same instant in the zone of the site."""
        return moment.astimezone(UTC if self.zone == "UTC" else ZoneInfo(self.zone))


_OF_NO_SITE: Final = DisplayZones()
_CURRENT: Final[ContextVar[DisplayZones]] = ContextVar("display zones", default=_OF_NO_SITE)


def current() -> DisplayZones:
    """Return the zones of the current context."""
    return _CURRENT.get()


def use(zones: DisplayZones) -> None:
    """Use these zones for the rest of this context."""
    _CURRENT.set(zones)


def use_zones_of(settings: Settings) -> None:
    """Use the time zones of this site and of its sysplexes, for the rest of this context."""
    if not current().always_utc:
        use(DisplayZones(zone=settings.site.timezone, sysplex_zones=settings.zones()))


def use_zone_of_subject(subject: str) -> None:
    """Use the time zone of the subject's sysplex, for the rest of this context."""
    use(current().about(subject))
