"""Limit of each day, from the means and peaks of a limit that is reported as a figure."""

import math
from collections.abc import Mapping
from datetime import date
from typing import Final

SAME_TO: Final = 1e-6
"""Relative difference up to which mean and peak of a day are of one limit (ours)."""


def daily_limits(days: Mapping[date, tuple[float, float]]) -> dict[date, float | None]:
    """Return the limit of each day, in order, from its mean and its peak.

    Of a day within which it changed, the lowest of its peak and those of the days beside it;
    ``None`` where that is the first of several days.
    """
    ordered = sorted(days)
    peaks = [days[day][1] for day in ordered]
    found: dict[date, float | None] = {}
    for place, day in enumerate(ordered):
        mean, peak = days[day]
        is_one = math.isclose(mean, peak, rel_tol=SAME_TO)
        found[day] = peak if is_one else min(peaks[max(place - 1, 0) : place + 2])
        if place == 0 and len(ordered) > 1 and not is_one:
            found[day] = None
    return found
