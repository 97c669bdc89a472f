"""Methods without a fit: seasonal naive, exponential smoothing, autoregression of residuals."""

from __future__ import annotations

from typing import Final

import numpy as np
from scipy.linalg.lapack import dtbtrs

from forecasting.arrays import FloatArray

ALPHAS: Final = (0.05, 0.1, 0.2, 0.4, 0.7)
PROFILE_CYCLES: Final = 8
"""Cycles of which the seasonal profile is the median."""
RIDGE: Final = 1e-3
"""Shrinkage of the autoregression, as a share of the residual variance."""
MAX_AMPLIFICATION: Final = 1.5
"""An autoregression that exceeds its largest start value by more is damped (ours)."""
DAMPING: Final = 0.97


def filled_forward(values: FloatArray) -> FloatArray:
    """NaN replaced by the value before it; leading ones by the first value."""
    seen = np.isfinite(values)
    if seen.all():
        return values
    last = np.maximum.accumulate(np.where(seen, np.arange(len(values)), -1))
    first = int(seen.argmax())
    return np.asarray(values[np.where(last < 0, first, last)])


def seasonal_naive(values: FloatArray, period: int, horizon: int) -> FloatArray:
    """The last cycle again; a missing value is taken from the cycle before."""
    count = len(values)
    if count < period:
        return np.full(horizon, filled_forward(values)[-1])
    cycle = values[-period:].copy()
    for back in range(2, count // period + 1):
        missing = ~np.isfinite(cycle)
        if not missing.any():
            break
        cycle[missing] = values[count - back * period :][:period][missing]
    cycle = np.where(np.isfinite(cycle), cycle, np.nanmedian(values))
    return np.asarray(np.resize(cycle, horizon))


def smoothed_profile(values: FloatArray, period: int, horizon: int) -> FloatArray:
    """Simple exponential smoothing of what a median seasonal profile leaves over.

    The smoothing constant is the one with the least squared one-step error.
    """
    level = filled_forward(values)
    count = len(level)
    profile = _profile(level, period)
    left = level - np.resize(profile, count)
    start = float(np.median(left[: min(max(2 * period, 10), count)]))
    best, final = np.inf, start
    for alpha in ALPHAS:
        driven = alpha * left
        driven[0] += (1.0 - alpha) * start
        path = recursion(np.array([1.0 - alpha]), driven)
        error = float(np.square(left[1:] - path[:-1])[count // 3 :].mean()) if count > 3 else 0.0
        if error < best:
            best, final = error, float(path[-1])
    ahead = np.resize(np.roll(profile, -(count % period)), horizon)
    return np.asarray(final + ahead)


def _profile(level: FloatArray, period: int) -> FloatArray:
    cycles = len(level) // period
    if period < 2 or cycles < 3:
        return np.zeros(max(period, 1))
    used_cycles = min(cycles, PROFILE_CYCLES)
    offset = len(level) - used_cycles * period
    table = level[offset:].reshape(used_cycles, period)
    profile = np.median(table - table.mean(axis=1, keepdims=True), axis=0)
    return np.asarray(np.roll(profile, offset % period))


def residual_path(residuals: FloatArray, lags: tuple[int, ...], horizon: int) -> FloatArray:
    """Return the residuals expected after the history, by ridge autoregression on ``lags``.

    Missing residuals count as zero. Too short a history expects none.
    """
    finite = np.where(np.isfinite(residuals), residuals, 0.0)
    usable = tuple(lag for lag in lags if 4 * lag <= len(finite))
    if not usable or not finite.any():
        return np.zeros(horizon)
    longest = max(usable)
    rows = np.column_stack([finite[longest - lag : len(finite) - lag] for lag in usable])
    target = finite[longest:]
    gram = rows.T @ rows
    gram[np.diag_indices(len(usable))] += RIDGE * float(finite @ finite) + 1e-12
    weights = np.asarray(np.linalg.solve(gram, rows.T @ target), dtype=np.float64)
    bound = MAX_AMPLIFICATION * float(np.abs(finite[-longest:]).max())
    for _ in range(4):
        path = _continued(finite, usable, weights, horizon)
        if np.abs(path).max() <= bound:
            return path
        weights = np.asarray(weights * DAMPING ** np.asarray(usable) * 0.9, dtype=np.float64)
    return np.clip(path, -bound, bound)


def _continued(
    past: FloatArray, lags: tuple[int, ...], weights: FloatArray, horizon: int
) -> FloatArray:
    longest = max(lags)
    kernel = np.zeros(longest)
    kernel[np.asarray(lags) - 1] = weights
    driven = np.zeros(horizon)  # what the known values add to the first steps
    for lag, weight in zip(lags, weights, strict=True):
        reach = min(lag, horizon)
        driven[:reach] += weight * past[len(past) - lag :][:reach]
    return recursion(kernel, driven)


def recursion(kernel: FloatArray, driven: FloatArray) -> FloatArray:
    """``y[n] = driven[n] + sum of kernel[k] y[n - 1 - k]``, along the first axis, from nothing.

    As a banded triangular system: ``scipy.signal`` has the same as a filter, and takes a second
    to import.
    """
    count = len(driven)
    banded = np.zeros((min(len(kernel), count - 1) + 1, count))
    banded[1:] = -kernel[: len(banded) - 1, None]
    solution, failed = dtbtrs(banded, driven, uplo="L", diag="U")
    if failed:
        raise ValueError(f"dtbtrs found argument {-failed} wrong")
    return np.asarray(solution, dtype=np.float64)
