"""Random paths of a forecast's error, drawn once for all series.

All series share the same draws, so that equal forecasts give equal dates in every run, on every
machine and in any batch. Each path has its mirror image: a symmetric error moves no median.
"""

from functools import lru_cache
from typing import Final

import numpy as np

from forecasting.arrays import FloatArray

PATHS: Final = 600
TAIL_FREEDOM: Final = 5.0
"""Degrees of freedom of the slope's Student distribution."""
SEED: Final = 20_260_101
CYCLE_DAYS: Final = 1_024
"""Days after which the draws of the calendar begin anew: more than any forecast has."""


@lru_cache(maxsize=4)
def calendar_draws(first_day: int, days: int, slope_share: float) -> tuple[FloatArray, FloatArray]:
    """Unit-variance paths of the lasting error and independent noise, one path per row.

    ``slope_share`` is the share of the lasting error's variance that is a misjudged slope, one
    heavy-tailed draw per path; the rest is a random walk. The second half of the rows mirrors the
    first. Draws belong to days of the calendar, from ``first_day`` (``date.toordinal``) on, so that
    no date moves because of other ones.
    """
    slope, steps, noise = _of_calendar()
    places = (first_day + np.arange(days)) % CYCLE_DAYS
    walk = steps[:, places].cumsum(axis=1) / np.sqrt(np.arange(1, days + 1))
    lasting = np.sqrt(slope_share) * slope[:, None] + np.sqrt(1 - slope_share) * walk
    noise = noise[:, places]
    return np.vstack([lasting, -lasting]), np.vstack([noise, -noise])


@lru_cache(maxsize=1)
def _of_calendar() -> tuple[FloatArray, FloatArray, FloatArray]:
    """Slope of each path, and its steps and noise for each day of the cycle."""
    rng = np.random.default_rng(SEED)
    slope = rng.standard_t(TAIL_FREEDOM, PATHS // 2) / np.sqrt(TAIL_FREEDOM / (TAIL_FREEDOM - 2))
    steps, noise = rng.standard_normal((2, PATHS // 2, CYCLE_DAYS))
    return slope, steps, noise


@lru_cache(maxsize=4)
def largest_draws(first_day: int, days: int, slope_share: float) -> tuple[FloatArray, FloatArray]:
    """Return the largest lasting error and noise of each day; the smallest are their mirrors."""
    lasting, noise = calendar_draws(first_day, days, slope_share)
    return lasting.max(axis=0), noise.max(axis=0)
