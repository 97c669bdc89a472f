"""When a path first reaches a threshold: a distribution from simulated paths.

The event is that of the protocol: the first day on which the mean of the last seven calendar
days reaches the threshold. The error of that mean, on the log scale, is simulated as a slope
that was misjudged (one heavy-tailed draw per path) and a random walk; all series share the
same draws, so that equal forecasts give equal dates in every run.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from forecasting.history import FloatArray

PATHS: Final = 600
SLOPE_SHARE: Final = 0.8
"""Share of the error variance that belongs to the misjudged slope; the rest is a random walk.

Noise that is gone within a week is left out: the backtest errors contain it once, but its
repeated draws would make every long path cross sooner or later.
"""
TAIL_FREEDOM: Final = 5.0
"""Degrees of freedom of the slope's Student distribution."""
WINDOW: Final = 7
SEED: Final = 20_260_101


@dataclass(frozen=True)
class Passage:
    """``probability[d]`` is that of a crossing on day 1 to ``d + 1`` after the origin."""

    probability: FloatArray

    def quantile_day(self, share: float) -> int | None:
        """First day by which crossing has happened with that probability; ``None`` if never."""
        reached = self.probability >= share
        return int(reached.argmax()) + 1 if reached.any() else None

    def within(self, days: int) -> float:
        """Probability of a crossing on day 1 to ``days``."""
        return float(self.probability[min(days, len(self.probability)) - 1])


def first_passage(
    centre: FloatArray, spread: FloatArray, log_threshold: float, *, upward: bool = True
) -> Passage:
    """Distribution of the first day beyond the threshold.

    Args:
        centre: Expected log of the 7-day mean, per day after the origin.
        spread: Standard deviation of its error, per day.
        log_threshold: Logarithm of the threshold.
        upward: Whether reaching it from below is the event.
    """
    paths = centre + spread * _draws(len(centre))
    beyond = paths >= log_threshold if upward else paths <= log_threshold
    crossed = beyond.any(axis=1)
    first = beyond.argmax(axis=1)[crossed]
    counts = np.bincount(first, minlength=len(centre))
    return Passage(np.cumsum(counts) / PATHS)


def rolling_week(before: FloatArray, after: FloatArray) -> FloatArray:
    """Mean of the last seven days for each element of ``after``; ``before`` fills the window.

    NaN days are left out of the mean.
    """
    lead = np.concatenate([np.full(WINDOW, np.nan), before])[-(WINDOW - 1) :]
    joined = np.concatenate([lead, after])
    known = np.isfinite(joined)
    sums = np.concatenate([[0.0], np.cumsum(np.where(known, joined, 0.0))])
    counts = np.concatenate([[0], np.cumsum(known)])
    total = sums[WINDOW:] - sums[:-WINDOW]
    number = counts[WINDOW:] - counts[:-WINDOW]
    empty = np.full(len(after), np.nan)
    return np.asarray(np.divide(total, number, out=empty, where=number > 0), dtype=np.float64)


@lru_cache(maxsize=4)
def _draws(days: int) -> FloatArray:
    """Unit-variance error paths, one per row."""
    rng = np.random.default_rng(SEED)
    half = PATHS // 2
    slope = rng.standard_t(TAIL_FREEDOM, half) / np.sqrt(TAIL_FREEDOM / (TAIL_FREEDOM - 2))
    walk = rng.standard_normal((half, days)).cumsum(axis=1) / np.sqrt(np.arange(1, days + 1))
    one_side = np.sqrt(SLOPE_SHARE) * slope[:, None] + np.sqrt(1 - SLOPE_SHARE) * walk
    return np.asarray(np.vstack([one_side, -one_side]), dtype=np.float64)
