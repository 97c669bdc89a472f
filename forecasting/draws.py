"""Random paths of a forecast's error, drawn once for all series.

All series share the same draws, so that equal forecasts give equal dates in every run, on every
machine and in any batch. Each path has its mirror image: a symmetric error moves no median.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np

from forecasting.history import FloatArray

PATHS: Final = 600
TAIL_FREEDOM: Final = 5.0
"""Degrees of freedom of the slope's Student distribution."""
SEED: Final = 20_260_101


@lru_cache(maxsize=4)
def draws(days: int, slope_share: float) -> tuple[FloatArray, FloatArray]:
    """Unit-variance paths of the lasting error and independent noise, one path per row.

    ``slope_share`` is the share of the lasting error's variance that is a misjudged slope, one
    heavy-tailed draw per path; the rest is a random walk. The second half of the rows mirrors
    the first.
    """
    rng = np.random.default_rng(SEED)
    half = PATHS // 2
    slope = rng.standard_t(TAIL_FREEDOM, half) / np.sqrt(TAIL_FREEDOM / (TAIL_FREEDOM - 2))
    walk = rng.standard_normal((half, days)).cumsum(axis=1) / np.sqrt(np.arange(1, days + 1))
    lasting = np.sqrt(slope_share) * slope[:, None] + np.sqrt(1 - slope_share) * walk
    noise = rng.standard_normal((half, days))
    return np.vstack([lasting, -lasting]), np.vstack([noise, -noise])
