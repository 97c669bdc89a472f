"""MQ version behind a feed, and its changes, as stated in the records."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mqcap.domain.feed import VersionChange
from mqcap.domain.units import US_PER_S

Instants = NDArray[np.int64]
"""Microseconds since 1970, UTC."""


class VersionHistory(NamedTuple):
    """MQ versions in order of time, each with the first instant at which it was stated."""

    since_us: Instants
    names: tuple[str, ...]

    def at(self, end_us: int) -> str:
        """Return the version last stated before an instant; empty when none was."""
        place = int(np.searchsorted(self.since_us, end_us))
        return self.names[place - 1] if place else ""

    def changes(self, begin_us: int, end_us: int) -> tuple[VersionChange, ...]:
        """Return the changes in a span; the first version ever stated is no change."""
        low, high = (int(place) for place in np.searchsorted(self.since_us, [begin_us, end_us]))
        return tuple(
            VersionChange(
                at_utc=instant_of(int(self.since_us[place])),
                before=self.names[place - 1],
                after=self.names[place],
            )
            for place in range(max(low, 1), high)
        )


def version_history(start_us: Instants, mq_versions: NDArray[np.object_]) -> VersionHistory:
    """Return the history of intervals in order of start; those without a version are skipped."""
    has_version = mq_versions.astype(bool)
    names, starts = mq_versions[has_version], start_us[has_version]
    if not len(names):
        return VersionHistory(starts, ())
    new = np.concatenate([[True], names[1:] != names[:-1]])
    return VersionHistory(starts[new], tuple(str(name) for name in names[new]))


def instant_of(instant_us: int) -> datetime:
    """Return microseconds since 1970 as an instant in UTC."""
    return datetime.fromtimestamp(instant_us // US_PER_S, UTC).replace(
        microsecond=instant_us % US_PER_S
    )
