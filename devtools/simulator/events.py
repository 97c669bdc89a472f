"""Events of a simulated system on a day: outage, lost records, full logs, upgrade.

Days are counted from the anchor, as in ``spec``.
"""

from datetime import date
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, Field, field_validator

from devtools.simulator.timeline import Int64s, day_number


class Model(BaseModel, frozen=True, extra="forbid"):
    """Base of all parts: immutable, and an unknown key is an error."""


class Owned(Model):
    """What has a name, and for ``alerts.owners`` of the settings file who changes it."""

    name: str
    owner: str = ""
    """Empty: nobody is named."""


class Outage(Model):
    """A time without records: the queue manager is down, nothing is logged."""

    day_offset: int
    """Days after the anchor (negative: before)."""
    start_local: str = "03:10"
    minutes: Annotated[int, Field(ge=1, le=7 * 24 * 60)] = 20

    @field_validator("start_local")
    @classmethod
    def _time_of_day(cls, value: str) -> str:
        hour, _, minute = value.partition(":")
        if not (0 <= int(hour) < 24 and 0 <= int(minute) < 60):
            raise ValueError("a local time of day, such as 03:10")
        return value


class ArchivingFailure(Outage):
    """A time from which no log is archived until all are full, and ``minutes`` without space."""


class LostRecords(Outage):
    """A time of which the SMF records never arrive, while the queue manager runs."""


class Upgrade(Model):
    """A move to the level that the queue manager has today."""

    day_offset: int
    """It comes with the first start on or after this day, counted from the anchor."""
    from_level: str
    """Version.release.modification before."""


class LoadChange(Model):
    """A change of something from a day on: at once, or growing until the anchor."""

    day_offset: int
    """First day of the change, counted from the anchor."""
    before: Annotated[float, Field(ge=0)]
    """What it was before, as a ratio of what it is at the anchor."""
    gradual: bool = False

    def ratio(self, days: Int64s, anchor: date) -> NDArray[np.float64]:
        """Return the ratio of each day number to the anchor."""
        since = days - (day_number(anchor) + self.day_offset)
        length = -self.day_offset if self.gradual else 0
        progress = np.clip((since + 1) / (length + 1), 0.0, 1.0)
        result: NDArray[np.float64] = self.before + (1 - self.before) * progress
        return result


def changed(change: LoadChange | None, days: Int64s, anchor: date) -> NDArray[np.float64]:
    """Return the ratio of each day number to the anchor; 1 without a change."""
    return np.ones(len(days)) if change is None else change.ratio(days, anchor)
