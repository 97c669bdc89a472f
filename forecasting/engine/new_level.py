"""A level that a short series has reached lately: what was before it is moved onto it."""

from __future__ import annotations

from typing import Final

import numpy as np

from forecasting.engine.smoothing import filled_forward
from forecasting.history import FloatArray

LEAST_STEPS: Final = 3
MOST_STEPS: Final = 24
"""Values that must lie on a new level, and from how many on nothing is moved: the candidates know
it by then (ours)."""
BEFORE_STEPS: Final = 72
"""Values before it whose range they must all have left (ours)."""
DEVIATIONS: Final = 5.0
"""Least step in robust deviations of the values before it (ours)."""
MAD_TO_SIGMA: Final = 1.4826


def on_new_level(values: FloatArray) -> FloatArray | None:
    """The history with what lies before its newest level moved onto it; ``None`` without one.

    A new level is a run of values up to the end, none of which lies in the range of the values
    before it. Deviations from a former level are kept, smaller where the level has fallen.
    """
    level = filled_forward(values)
    start = _start(level)
    if start is None:
        return None
    before, after = float(np.median(level[start - BEFORE_STEPS : start])), float(np.median(level[start:]))
    share = min(1.0, after / before) if before > 0 and after >= 0 else 1.0
    moved = values.copy()
    moved[:start] = after + share * (values[:start] - before)
    return np.maximum(moved, 0.0) if np.nanmin(values) >= 0 else moved


def _start(level: FloatArray) -> int | None:
    """First value of the newest level, the latest that fits."""
    lows, highs = (
        np.asarray(pick.accumulate(level[::-1])[::-1]) for pick in (np.minimum, np.maximum)
    )
    earliest = max(len(level) - MOST_STEPS, BEFORE_STEPS)
    for start in range(len(level) - LEAST_STEPS, earliest - 1, -1):
        before = level[start - BEFORE_STEPS : start]
        if lows[start] <= before.max() and highs[start] >= before.min():
            continue
        middle = np.median(before)
        noise = MAD_TO_SIGMA * float(np.median(np.abs(before - middle)))
        if abs(float(np.median(level[start:]) - middle)) > DEVIATIONS * noise:
            return start
    return None
