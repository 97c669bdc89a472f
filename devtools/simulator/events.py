"""Events of a simulated system on a day: outage, lost records, full logs, upgrade.

Days are counted from the anchor, as in ``spec``.
"""

from datetime import date, time
from typing import Annotated

import numpy as np
from pydantic import AfterValidator, BaseModel, Field

from devtools.simulator.timeline import Float64s, Int64s, day_number


def _divides_the_hour(value: int) -> int:
    if 60 % value:
        raise ValueError("a number of minutes that divides the hour")
    return value


IntervalMinutes = Annotated[int, Field(ge=1, le=60), AfterValidator(_divides_the_hour)]


class Model(BaseModel, frozen=True, extra="forbid"):
    """Base of all parts: immutable, and an unknown key is an error."""


class Owned(Model):
    """What has a name, and for ``alerts.owners`` of the settings file who changes it."""

    name: str
    owner: str = ""
    """Empty: nobody is named."""


class Outage(Model):
    """Some time on a day."""

    day_offset: int
    """Days after the anchor (negative: before)."""
    start_local: time = time(3, 10)
    minutes: Annotated[int, Field(ge=1, le=7 * 24 * 60)] = 20


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


def changed(change: LoadChange | None, days: Int64s, anchor: date) -> Float64s:
    """Return the ratio of each day number to the anchor; 1 without a change."""
    if change is None:
        return np.ones(len(days))
    since = days - (day_number(anchor) + change.day_offset)
    length = -change.day_offset if change.gradual else 0
    progress = np.clip((since + 1) / (length + 1), 0.0, 1.0)
    result: Float64s = change.before + (1 - change.before) * progress
    return result
