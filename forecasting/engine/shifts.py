"""Sharp changes of level: an upgrade, a new application, a moved workload."""

from __future__ import annotations

from typing import Final

import numpy as np

from forecasting.history import FloatArray, IndexArray

SIDE: Final = 21
"""Values on each side whose medians are compared."""
NEAR: Final = 5
"""Values on each side that must confirm the step."""
DEVIATIONS: Final = 5.0
"""Step size in robust standard deviations of a single value (ours)."""
LARGEST_COUNT: Final = 5
"""More steps than this are not steps but a pattern (ours)."""


def level_shifts(values: FloatArray, period: int) -> list[int]:
    """Positions of the first value on a new level, largest step first.

    Medians of 21 values before and after are compared, and 5 values on either side must show
    at least half of the step. NaN is a missing value. A slope is taken out beforehand.
    """
    count = len(values)
    if count < 4 * SIDE:
        return []
    filled = _filled(values)
    windows = np.lib.stride_tricks.sliding_window_view(filled, SIDE)
    medians = np.median(windows, axis=1)
    drift = np.median(filled[SIDE:] - filled[:-SIDE])
    jump = medians[SIDE:] - medians[:-SIDE] - drift
    near = np.median(np.lib.stride_tricks.sliding_window_view(filled, NEAR), axis=1)
    starts = np.arange(SIDE, count - SIDE + 1)
    close = near[starts] - near[starts - NEAR]
    confirmed = (np.sign(close) == np.sign(jump)) & (np.abs(close) >= 0.5 * np.abs(jump))
    season = filled[period:] - filled[:-period]
    noise = 1.4826 * np.median(np.abs(season - np.median(season))) / np.sqrt(2)
    size = np.where(confirmed, np.abs(jump), 0.0)
    return _peaks(size, starts, DEVIATIONS * max(float(noise), 1e-9))


def step_columns(positions: list[int], total: int) -> FloatArray:
    """One column per shift: 0 before it, 1 from it on."""
    steps = np.arange(total)[:, None] >= np.asarray(positions, dtype=np.int64)[None, :]
    return steps.astype(np.float64)


def _filled(values: FloatArray) -> FloatArray:
    seen = np.flatnonzero(np.isfinite(values))
    return np.asarray(np.interp(np.arange(len(values)), seen, values[seen]))


def _peaks(size: FloatArray, starts: IndexArray, least: float) -> list[int]:
    left = size.copy()
    found: list[int] = []
    while len(found) < LARGEST_COUNT and left.size:
        best = int(left.argmax())
        if left[best] < least:
            break
        found.append(int(starts[best]))
        left[max(best - SIDE, 0) : best + SIDE + 1] = 0.0
    return found
