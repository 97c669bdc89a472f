"""Series for which no model can be fitted, and values of sizes that arithmetic cannot square."""

from __future__ import annotations

from typing import Final

import numpy as np

from forecasting.arrays import FloatArray
from forecasting.engine.smoothing import seasonal_naive
from forecasting.prepare import POSITIVE_SHARE

LARGEST_EXPONENT: Final = 200
"""Series between 2 to the power of minus this and of this stay in their unit: 1e-60 to 1e60."""
UNKNOWN_SHARE: Final = 0.5
"""Least margin beside the values of a series without a model, as a share of its largest (ours)."""
UNIT: Final = 1.0
"""That margin for a series of zeros, of which no size is known (ours)."""


def exponent_of(values: FloatArray) -> int:
    """Return the power of two that brings a usual value near 1; 0 for sizes that are usual."""
    exponent = _usual_exponent(values)
    return exponent if abs(exponent) > LARGEST_EXPONENT else 0


def in_unit(values: FloatArray, exponent: int) -> FloatArray:
    """Values times 2 to the power ``exponent``, as far as a float goes."""
    largest = np.finfo(np.float64).max
    with np.errstate(over="ignore", under="ignore"):
        return np.asarray(np.clip(np.ldexp(values, exponent), -largest, largest))


def without_impossible(values: FloatArray) -> FloatArray:
    """The values with missing ones for those that cannot be.

    They are values of another order than all others, and values below zero where nine in ten
    are above it: such a metric has no sign.
    """
    seen = np.isfinite(values)
    if not seen.any():
        return values
    known = np.where(seen, values, 0.0)
    odd = np.frexp(known)[1] - _usual_exponent(values) > LARGEST_EXPONENT
    if (values[seen] > 0).mean() >= POSITIVE_SHARE:
        odd |= known < 0
    return np.where(odd, np.nan, values)


def _usual_exponent(values: FloatArray) -> int:
    sizes = np.abs(values[np.isfinite(values) & (values != 0)])
    return int(np.frexp(np.median(sizes))[1]) if sizes.size else 0


def simple_answer(
    values: FloatArray, period: int, horizon: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The last cycle again, with an interval wide enough for how little is known.

    It reaches beyond the values seen by their range, and by half of the largest at least. NaN
    without any value.
    """
    seen = values[np.isfinite(values)]
    if not seen.size:
        empty = np.full(horizon, np.nan)
        return empty, empty, empty
    low, high = float(seen.min()), float(seen.max())
    margin = max(high - low, UNKNOWN_SHARE * max(abs(low), abs(high))) or UNIT
    floor = 0.0 if low >= 0 else -np.inf
    expected = seasonal_naive(values, period, horizon)
    return expected, np.full(horizon, max(low - margin, floor)), np.full(horizon, high + margin)
