"""Growth of a series of daily values: how much more it is a month later."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from statistics import median
from typing import Final, NamedTuple

MONTH_DAYS: Final = 30
WEEK_DAYS: Final = 7


class Growth(NamedTuple):
    """A straight line through daily values."""

    a_month: float
    """In the unit of the values, in 30 days."""
    share: float | None
    """The same as a share of where the line begins; ``None`` when that is zero or less."""


def growth_of(daily: Sequence[float]) -> Growth | None:
    """Return the line of Theil and Sen through the medians of complete weeks.

    The result is ``None`` below two weeks.

    A week's median is a working day's whatever its weekend; the median of the slopes between all
    pairs of weeks does not hang on a week with holidays, were it the first or the last.
    """
    weeks = [
        median(daily[start : start + WEEK_DAYS])
        for start in range(0, len(daily) - WEEK_DAYS + 1, WEEK_DAYS)
    ]
    if len(weeks) < 2:
        return None
    slope = median(
        (later - earlier) / (number - before)
        for (before, earlier), (number, later) in combinations(enumerate(weeks), 2)
    )
    start = median(value - slope * number for number, value in enumerate(weeks))
    a_month = slope * MONTH_DAYS / WEEK_DAYS
    return Growth(a_month, a_month / start if start > 0 else None)
