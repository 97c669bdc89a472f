"""Methods for series of which little is known: medians of the last values, and the random walk."""

from __future__ import annotations

from itertools import product
from typing import Final

import numpy as np

from forecasting.arrays import FloatArray
from forecasting.engine.smoothing import filled_forward, recursion, residual_path

SEASON_QUANTILE: Final = 1.645
"""Of the normal distribution, at which M4 tests for a season."""
DRIFT_STEPS: Final = (20, 80)
"""Steps over which a drift is read off, a short and a long one (ours)."""
DRIFT_DAMPING: Final = 0.9
"""Share of a drift that is left after each step (ours)."""
CHANGE_STEPS: Final = 400
"""Changes from which an autoregression is estimated (ours)."""
TREND_STEPS: Final = 300
TREND_DAMPING: Final = 0.95
LEVEL_GAINS: Final = (0.6, 0.9, 1.0)
TREND_GAINS: Final = (0.05, 0.2, 0.4)
"""Smoothing constants of the damped trend of which the best is taken (ours)."""


def recent_median(values: FloatArray, width: int, horizon: int) -> FloatArray:
    """The median of the last ``width`` values; the last value itself for a width of 1."""
    return np.full(horizon, np.median(filled_forward(values)[-width:]))


def median_cycle(values: FloatArray, period: int, cycles: int, horizon: int) -> FloatArray:
    """The median of the last ``cycles`` cycles, slot by slot; of fewer in a shorter history."""
    level = filled_forward(values)
    used = min(cycles, len(level) // period)
    if not used:
        return np.full(horizon, np.median(level))
    table = level[len(level) - used * period :].reshape(used, period)
    return np.resize(np.median(table, axis=0), horizon)


def adjusted_naive(values: FloatArray, period: int, horizon: int) -> FloatArray:
    """The last value, seasonally adjusted where there is a season: the reference of M4 (Naive2).

    A season is there if the autocorrelation at lag ``period`` passes the test at 90 %; its
    indexes are those of the multiplicative classical decomposition. The last value itself where
    they are not defined, as for zeros.
    """
    level = filled_forward(values)
    index = _seasonal_index(level, period) if _has_season(level, period) else None
    if index is None:
        return np.full(horizon, level[-1])
    last = level[-1] / index[(len(level) - 1) % period]
    return np.asarray(last * np.resize(np.roll(index, -(len(level) % period)), horizon))


def _has_season(values: FloatArray, period: int) -> bool:
    if period == 1 or len(values) < 3 * period or np.ptp(values) == 0:
        return False
    centred = values - values.mean()
    lags = [centred[lag:] @ centred[:-lag] for lag in range(1, period + 1)]
    correlation = np.array(lags) / (centred @ centred)
    limit = SEASON_QUANTILE * np.sqrt((1 + 2 * np.square(correlation[:-1]).sum()) / len(values))
    return bool(np.abs(correlation[-1]) > limit)


def _seasonal_index(values: FloatArray, period: int) -> FloatArray | None:
    """Mean ratio of each slot to the centred moving mean, 1 on average; ``None`` if undefined."""
    kernel = np.ones(period) / period
    if period % 2 == 0:
        kernel = np.concatenate([[0.5], np.ones(period - 1), [0.5]]) / period
    trend = np.convolve(values, kernel, "valid")
    offset = (len(values) - len(trend)) // 2
    if (trend == 0).any():
        return None
    slots = (np.arange(len(trend)) + offset) % period
    ratios = values[offset : offset + len(trend)] / trend
    index = np.bincount(slots, ratios, period) / np.bincount(slots, minlength=period)
    if not np.isfinite(index).all() or (index == 0).any():
        return None
    return np.asarray(index / index.mean(), dtype=np.float64)


def walk(values: FloatArray, lags: tuple[int, ...], horizon: int) -> FloatArray:
    """A random walk, the median of five of its kind, step by step.

    They are the last value, a damped drift over few and over many steps, the autoregression of
    the changes around their mean, and exponential smoothing with a damped trend.
    """
    level = filled_forward(values)
    fading = np.cumsum(DRIFT_DAMPING ** np.arange(1, horizon + 1))
    last = float(level[-1])
    drifts = [last + _drift(level, steps) * fading for steps in DRIFT_STEPS]
    paths = [np.full(horizon, last), *drifts, _changes(level, lags, horizon)]
    return np.asarray(np.median([*paths, damped_trend(level, horizon)], axis=0))


def damped_trend(level: FloatArray, horizon: int) -> FloatArray:
    """Exponential smoothing with a damped additive trend, of the least one-step errors.

    The errors follow from the changes by the recursion of the equal ARIMA(1,1,2) model.
    """
    recent = level[-TREND_STEPS:]
    changes = np.diff(recent, prepend=recent[0])
    driven = changes.copy()
    driven[1:] -= TREND_DAMPING * changes[:-1]
    least, best = np.inf, (0.0, 0.0)
    for gain, share in product(LEVEL_GAINS, TREND_GAINS):
        slope_gain = gain * share
        first = 1 + TREND_DAMPING - gain - TREND_DAMPING * slope_gain
        errors = recursion(np.array([first, TREND_DAMPING * (gain - 1)]), driven)
        square = float(errors @ errors)
        if square < least:
            slope = recursion(np.array([TREND_DAMPING]), slope_gain * errors)
            least, best = square, (float((1 - gain) * errors[-1]), float(slope[-1]))
    fading = np.cumsum(TREND_DAMPING ** np.arange(1, horizon + 1))
    return np.asarray(recent[-1] - best[0] + best[1] * fading)


def _drift(level: FloatArray, steps: int) -> float:
    """Change per step over the last ``steps``, or over the history where it is shorter."""
    reach = min(steps, len(level) - 1)
    return float(level[-1] - level[-1 - reach]) / reach if reach else 0.0


def _changes(level: FloatArray, lags: tuple[int, ...], horizon: int) -> FloatArray:
    changes = np.diff(level[-CHANGE_STEPS - 1 :])
    if not changes.size:
        return np.full(horizon, level[-1])
    mean = float(changes.mean())
    ahead = residual_path(changes - mean, lags, horizon) + mean
    return np.asarray(level[-1] + np.cumsum(ahead))
