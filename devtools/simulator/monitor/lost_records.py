"""Times of a queue manager of which no SMF record arrives."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from devtools.simulator.mq_statistics import Slice
from devtools.simulator.queue_manager import SimulatedQueueManager


def is_recorded(qmgr: SimulatedQueueManager) -> NDArray[np.bool_]:
    """Return False for the intervals that a lost time touches."""
    intervals = qmgr.grid.intervals
    found = np.ones(len(qmgr.grid), dtype=np.bool_)
    for begin_us, end_us in qmgr.lost_us:
        found &= (intervals.end_us <= begin_us) | (intervals.start_us >= end_us)
    return found


def recorded_slices(part: Slice) -> Iterator[Slice]:
    """Yield the parts of a slice between lost times."""
    places = part.low + np.flatnonzero(is_recorded(part.qmgr)[part.low : part.high])
    for run in np.split(places, np.flatnonzero(np.diff(places) > 1) + 1):
        if len(run):
            yield Slice(part.qmgr, int(run[0]), int(run[-1]) + 1)
