"""Distribution of the time at which a path first reaches a threshold, from simulated paths.

The event is that of the protocol: the first day on which the mean of the last seven calendar
days reaches the threshold. The error of that mean, on the log scale, is simulated as a slope
that was misjudged (one heavy-tailed draw per path), a random walk, and noise that comes and
goes within weeks and makes a path touch the threshold before its mean does; all series share
the same draws, so that equal forecasts give equal dates in every run.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from forecasting.arrays import FloatArray
from forecasting.draws import PATHS, draws
from forecasting.engine.smoothing import recursion

SLOPE_SHARE: Final = 0.8
"""Share of the level's error variance that is a misjudged slope; the rest is a random walk."""
NOISE_MEMORY_DAYS: Final = 10.0
"""Time in which the noise of a 7-day mean is forgotten by a factor e (ours)."""
LEVEL_SHARE: Final = 0.2
"""Least share of the error variance that belongs to the level, however large the noise."""
WINDOW: Final = 7


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
    centre: FloatArray,
    spread: FloatArray,
    log_threshold: float | FloatArray,
    *,
    noise: float = 0.0,
    upward: bool = True,
) -> Passage:
    """Distribution of the first day over the threshold.

    Args:
        centre: Expected log of the 7-day mean, per day after the origin.
        spread: Standard deviation of its error, per day, noise included.
        log_threshold: Logarithm of the threshold, one for all days or one per day.
        noise: Standard deviation of what comes and goes within weeks.
        upward: Whether reaching it from below is the event.
    """
    days = len(centre)
    levels, noises = _draws(days)
    grown = np.square(noise) * np.minimum(np.arange(1, days + 1) / WINDOW, 1.0)
    variance = np.square(spread)
    level = np.sqrt(np.maximum(variance - grown, LEVEL_SHARE * variance))
    paths = centre + level * levels + np.sqrt(grown) * noises
    is_reached = paths >= log_threshold if upward else paths <= log_threshold
    crossed = is_reached.any(axis=1)
    first = is_reached.argmax(axis=1)[crossed]
    counts = np.bincount(first, minlength=days)
    return Passage(np.cumsum(counts) / PATHS)


def rolling_week(before: FloatArray, after: FloatArray) -> FloatArray:
    """Mean of the last seven days for each element of ``after``; ``before`` fills the window.

    NaN days are left out of the mean.
    """
    lead = np.concatenate([np.full(WINDOW, np.nan), before])[-(WINDOW - 1) :]
    joined = np.concatenate([lead, after])
    is_finite = np.isfinite(joined)
    sums = np.concatenate([[0.0], np.cumsum(np.where(is_finite, joined, 0.0))])
    counts = np.concatenate([[0], np.cumsum(is_finite)])
    total = sums[WINDOW:] - sums[:-WINDOW]
    number = counts[WINDOW:] - counts[:-WINDOW]
    empty = np.full(len(after), np.nan)
    return np.asarray(np.divide(total, number, out=empty, where=number > 0), dtype=np.float64)


@lru_cache(maxsize=4)
def _draws(days: int) -> tuple[FloatArray, FloatArray]:
    """Unit-variance paths of the level and of the noise that is forgotten within weeks."""
    level, shocks = draws(days, SLOPE_SHARE)
    memory = np.exp(-1.0 / NOISE_MEMORY_DAYS)
    shocks = shocks.copy()
    shocks[:, 1:] *= np.sqrt(1 - memory**2)
    return level, recursion(np.array([memory]), shocks.T).T
