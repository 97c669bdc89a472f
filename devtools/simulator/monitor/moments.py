"""Moments at which a monitor samples a queue manager on z/OS."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from devtools.simulator.mq_statistics import Slice
from devtools.simulator.timeline import MINUTE_US

STEP_MINUTES: Final = 15


class Moment(NamedTuple):
    """A time, and the interval whose figures hold at it."""

    at_us: int
    offset_minutes: int
    place: int


def moments(part: Slice) -> Iterator[Moment]:
    """Yield the regular times of a slice; there are none while the queue manager is down."""
    step_us = STEP_MINUTES * MINUTE_US
    intervals = part.intervals
    each = zip(
        intervals.start_us.tolist(),
        intervals.end_us.tolist(),
        intervals.offset_minutes.tolist(),
        strict=True,
    )
    for place, (start_us, end_us, offset_minutes) in enumerate(each, start=part.low):
        first_us = start_us // step_us * step_us + step_us
        for at_us in range(first_us, end_us + 1, step_us):
            yield Moment(at_us, offset_minutes, place)
