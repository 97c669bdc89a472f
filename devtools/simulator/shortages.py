"""Times without active log space: planted as such, or what follows when archiving fails."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from devtools.simulator.timeline import MINUTE_US, Grid, Int64s

_NEAR_US: Final = 3 * MINUTE_US
_NEAR_PCT: Final = 75
_STEP_PCT: Final = 5
"""CSQJ110E comes at 5 % of the last data set and after each further 5 %."""


class Shortage(NamedTuple):
    """A time without active log space; instants are microseconds since 1970."""

    failed_us: int
    """Archiving has failed since; the start where no reason is reported."""
    near: tuple[tuple[int, int], ...]
    """When the last log was so full, percent."""
    start_us: int
    end_us: int


def planted_shortage(start_us: int, end_us: int) -> Shortage:
    """Return a shortage without a reason."""
    return Shortage(start_us, ((start_us - _NEAR_US, _NEAR_PCT),), start_us, end_us)


def shortages_of_failures(
    failures: Iterator[tuple[int, int]], active_logs: int, size_bytes: int, grid: Grid, rba: Int64s
) -> Iterator[Shortage]:
    """Yield the shortage that follows from each failure of archiving, if the logs fill by then.

    Args:
        failures: When archiving failed, and the failure with the time without space added to it.
        active_logs: Of one copy; all but the current one are archived when the failure begins.
        size_bytes: Of one log.
        grid: The intervals of the queue manager.
        rba: Log RBA at the end of each interval, bytes.
    """
    ends = grid.intervals.end_us
    for failed_us, until_us in failures:
        current = int(np.interp(failed_us, ends, rba)) // size_bytes
        last = (current + active_logs - 1) * size_bytes
        if last + size_bytes > rba[-1]:
            continue
        percentages = range(_STEP_PCT, 100, _STEP_PCT)
        near = tuple(
            (int(np.interp(last + percent * size_bytes // 100, rba, ends)), percent)
            for percent in percentages
        )
        start_us = int(np.interp(last + size_bytes, rba, ends))
        yield Shortage(failed_us, near, start_us, start_us + until_us - failed_us)
