"""Sharp changes of level: an upgrade, a new application, a moved workload."""

from typing import Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from forecasting.arrays import BoolArray, FloatArray

SIDE: Final = 21
"""Values on each side whose medians are compared; fewer behind near the end."""
NEAR: Final = 5
"""Values on each side that must confirm the step."""
BEHIND: Final = 10
"""Fewest values behind a step: less could be the turn of a month (ours)."""
NOISE_DEVIATIONS: Final = 2.5
"""Least step in robust standard deviations of a single value (ours)."""
DRIFT_MULTIPLE: Final = 4.0
"""Least step as a multiple of the usual change between neighbouring windows (ours)."""
LARGEST_COUNT: Final = 6
"""The largest steps are taken; more are not steps but a pattern (ours)."""


def level_shifts(values: FloatArray, period: int) -> list[int]:
    """Positions of the first value on a new level, ascending.

    Medians of 21 values before and after are compared, without the season of ``period`` steps, and
    5 values on either side must show at least half of the step. NaN is a missing value.
    """
    count = len(values)
    if np.isfinite(values).sum() < 4 * SIDE:
        return []
    seen = np.flatnonzero(np.isfinite(values))
    filled = np.asarray(np.interp(np.arange(count), seen, values[seen]))
    level = _deseasonalised(filled, period)
    starts = np.arange(SIDE, count - BEHIND + 1)
    sides = _medians(level, SIDE)
    before = sides[starts - SIDE]
    complete = starts[starts <= count - SIDE]
    behind = [np.median(level[start:]) for start in starts[len(complete) :]]
    after = np.concatenate([sides[complete], behind])
    jump = after - before
    near = _medians(level, NEAR)
    close = near[starts] - near[starts - NEAR]
    confirmed = (np.sign(close) == np.sign(jump)) & (np.abs(close) >= 0.5 * np.abs(jump))
    noise = 1.4826 * float(np.median(np.abs(np.diff(level)))) / np.sqrt(2)
    usual = float(np.median(np.abs(jump)))
    least = max(NOISE_DEVIATIONS * noise, DRIFT_MULTIPLE * usual, 1e-9)
    peaks = _peaks(np.where(confirmed, np.abs(jump), 0.0), least)
    return sorted({_refined(level, peak) for peak in peaks})


def with_known(detected: list[int], known: tuple[int, ...], observed: BoolArray) -> list[int]:
    """Return shifts found and known ones amid observed steps, which have the better date."""
    usable = [
        day
        for day in sorted(set(known))
        if 0 < day < len(observed) and observed[:day].any() and observed[day:].any()
    ]
    own = [day for day in detected if all(abs(day - other) > BEHIND for other in usable)]
    return sorted({*own, *usable})


def step_columns(positions: list[int], total: int) -> FloatArray:
    """Return one column per shift: 0 before it, 1 from it on."""
    steps = np.arange(total)[:, None] >= np.asarray(positions, dtype=np.int64)[None, :]
    return steps.astype(np.float64)


def _deseasonalised(level: FloatArray, period: int) -> FloatArray:
    if period < 2 or len(level) < 4 * period:
        return level
    smooth = np.convolve(level, np.ones(period) / period, mode="same")
    left = level - smooth
    cycles, extra = divmod(len(left), period)
    table = left[: cycles * period].reshape(cycles, period)
    longer = np.median(table[1:, :extra], axis=0)  # of slots that the last, incomplete cycle has
    profile = np.concatenate([longer, np.median(table[1:-1, extra:], axis=0)])
    return np.asarray(level - np.resize(profile, len(level)))


def _medians(level: FloatArray, width: int) -> FloatArray:
    """Median of every ``width`` values in succession."""
    return np.asarray(np.median(sliding_window_view(level, width), axis=1))


def _peaks(size: FloatArray, least: float) -> list[int]:
    """Positions of the largest local maxima above ``least``, in steps of the series."""
    left = size.copy()
    positions: list[int] = []
    while len(positions) < LARGEST_COUNT:
        best = int(left.argmax())
        if left[best] < least:
            break
        positions.append(best + SIDE)
        left[max(best - SIDE, 0) : best + SIDE + 1] = 0.0
    return positions


def _refined(level: FloatArray, position: int) -> int:
    """The split near ``position`` that two constant levels explain best."""
    start, stop = max(position - SIDE, 0), min(position + SIDE, len(level))
    part = level[start:stop]
    low, high = np.median(level[start:position]), np.median(level[position:stop])
    gain = np.cumsum(np.abs(part - low) - np.abs(part - high))
    inner = gain[2:-2]
    return start + 2 + int(inner.argmin()) + 1
