"""The most that was logged in any so many consecutive hours: a curve over the number of hours.

It is closed under growth, so that a forecast or a scenario needs no hours.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Annotated, Final

from pydantic import BaseModel, Field, NonNegativeFloat

from mqcap.domain.numbers import figure
from mqcap.domain.units import SECONDS_PER_HOUR

BUSIEST_LENGTHS_H: Final[tuple[int, ...]] = (*range(1, 49), 72, 96, 120, 144, 168)
"""Ours: every hour of two days, then every day of a week."""
_SHOWN_LENGTHS_H: Final[tuple[int, ...]] = (1, 12, 24, 168)


class BusiestHours(BaseModel, frozen=True):
    """Volumes in MiB of the busiest 1, 2, ... consecutive hours of a window.

    Longer runs are the last known one again and again, and the busiest shorter one for the rest:
    never less than measured. Between known lengths the curve is linear.
    """

    volumes_mib: Annotated[
        tuple[NonNegativeFloat, ...], Field(min_length=1, max_length=len(BUSIEST_LENGTHS_H))
    ]
    """One for each of the first ``BUSIEST_LENGTHS_H``; none falls below the one before."""

    @classmethod
    def at_rate(cls, mib_per_s: float) -> BusiestHours:
        """Return the curve of one rate at all hours."""
        return cls(volumes_mib=(mib_per_s * SECONDS_PER_HOUR,))

    @property
    def longest_h(self) -> int:
        """Hours of the longest run that is known."""
        return self._last[0]

    def volume_mib(self, hours: float) -> float:
        """Return what is logged in the busiest ``hours``; linear between the known lengths."""
        last_h, last_mib = self._last
        repeats, rest_h = divmod(hours, last_h)
        return repeats * last_mib + self._inside(rest_h)

    def hours_to_fill(self, capacity_mib: float) -> float | None:
        """Return hours from the worst start until so much is logged; ``None``: nothing is."""
        last_h, last_mib = self._last
        if last_mib <= 0:
            return None
        repeats, rest_mib = divmod(capacity_mib, last_mib)
        for (from_h, from_mib), (to_h, to_mib) in pairwise(self._points()):
            if rest_mib <= to_mib and to_mib > from_mib:
                part = max(rest_mib - from_mib, 0.0) / (to_mib - from_mib)
                return repeats * last_h + from_h + part * (to_h - from_h)
        return (repeats + 1) * last_h

    def grown(self, ratio: float, added_mib_per_s: float = 0.0) -> BusiestHours:
        """Return the curve times a ratio, plus a rate at all hours; not below 0."""
        return BusiestHours(
            volumes_mib=tuple(
                max(mib * ratio + added_mib_per_s * SECONDS_PER_HOUR * hours, 0.0)
                for hours, mib in zip(BUSIEST_LENGTHS_H, self.volumes_mib, strict=False)
            )
        )

    def __str__(self) -> str:
        """Return the volumes of an hour, half a day, a day and a week, as far as known."""
        points = {hours: mib for hours, mib in self._points() if hours}
        shown = [hours for hours in _SHOWN_LENGTHS_H if hours in points] or [self._last[0]]
        return ", ".join(f"{figure(round(points[hours]))} MiB in {hours} h" for hours in shown)

    @property
    def _last(self) -> tuple[int, float]:
        return BUSIEST_LENGTHS_H[len(self.volumes_mib) - 1], self.volumes_mib[-1]

    def _points(self) -> Iterator[tuple[int, float]]:
        yield 0, 0.0
        yield from zip(BUSIEST_LENGTHS_H, self.volumes_mib, strict=False)

    def _inside(self, hours: float) -> float:
        for (from_h, from_mib), (to_h, to_mib) in pairwise(self._points()):
            if hours <= to_h:
                return from_mib + (hours - from_h) / (to_h - from_h) * (to_mib - from_mib)
        return self.volumes_mib[-1]
