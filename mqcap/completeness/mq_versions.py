"""Which level of MQ sends a feed, and when it became another, as the records themselves state."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mqcap.domain.feed import VersionChange

Instants = NDArray[np.int64]
"""Microseconds since 1970, UTC."""
SECOND_US: Final = 1_000_000


class Levels(NamedTuple):
    """From which instant on which level was stated, in order of time."""

    since_us: Instants
    names: tuple[str, ...]

    def at(self, end_us: int) -> str:
        """The level that was last stated before an instant; empty when none was."""
        place = int(np.searchsorted(self.since_us, end_us))
        return self.names[place - 1] if place else ""

    def changes(self, begin_us: int, end_us: int) -> tuple[VersionChange, ...]:
        """The changes in a span; the first level that is known changes nothing."""
        low, high = (int(place) for place in np.searchsorted(self.since_us, [begin_us, end_us]))
        return tuple(
            VersionChange(
                at_utc=instant_of(int(self.since_us[place])),
                before=self.names[place - 1],
                after=self.names[place],
            )
            for place in range(max(low, 1), high)
        )


def levels_of(start_us: Instants, stated: NDArray[np.object_]) -> Levels:
    """The levels of intervals in order of their start; those that state none are passed over."""
    told = stated.astype(bool)
    names, starts = stated[told], start_us[told]
    if not len(names):
        return Levels(starts, ())
    new = np.concatenate([[True], names[1:] != names[:-1]])
    return Levels(starts[new], tuple(str(name) for name in names[new]))


def instant_of(instant_us: int) -> datetime:
    """Microseconds since 1970 as an instant."""
    return datetime.fromtimestamp(instant_us // SECOND_US, UTC).replace(
        microsecond=instant_us % SECOND_US
    )
