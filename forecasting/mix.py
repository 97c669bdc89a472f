"""Mix of the candidates of one series: the middle of their lines, by weight."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist
from typing import Final

import numpy as np

from forecasting.arrays import FloatArray
from forecasting.interval import PredictionInterval

LEFT_OUT_SHARE: Final = 0.125
"""Share of the weight that is left out of each day's mean at the low end and at the high one: a
stiff trend on the wrong scale is far off, always in one direction (ours, from planted growths and
the moves of dates from night to night)."""


def mixed_intervals(
    intervals: Sequence[PredictionInterval], weights: Sequence[float], width: float
) -> PredictionInterval:
    """Return the mix of intervals of the probability ``width``.

    The expected value is the weighted mean without ``LEFT_OUT_SHARE`` of the weight at both ends;
    the half widths are weighted means, widened by the disagreement of the expected lines. A weight
    of zero leaves its interval out.
    """
    used = [
        (interval, weight)
        for interval, weight in zip(intervals, weights, strict=True)
        if weight > 0
    ]
    share = np.array([weight for _, weight in used])[:, None] / sum(weight for _, weight in used)
    lower, middle, upper = (
        np.array([np.asarray(bounds[line]) for bounds, _ in used]) for line in range(3)
    )
    expected = middle_mean(middle, share)
    below, above, spread = (
        (share * part).sum(axis=0)
        for part in (middle - lower, upper - middle, np.square(middle - expected))
    )
    apart = NormalDist().inv_cdf(0.5 + width / 2) ** 2 * spread
    return PredictionInterval(
        expected - np.sqrt(np.square(below) + apart),
        expected,
        expected + np.sqrt(np.square(above) + apart),
    )


def middle_mean(lines: FloatArray, share: FloatArray) -> FloatArray:
    """Return each day's weighted mean of ``lines`` (rows) without ``LEFT_OUT_SHARE`` at both ends.

    ``share`` has one row per line and one column; its sum is one.
    """
    order = np.argsort(lines, axis=0, kind="stable")
    ordered = np.take_along_axis(np.broadcast_to(share, lines.shape), order, axis=0)
    ends = ordered.cumsum(axis=0)
    inside = np.minimum(ends, 1 - LEFT_OUT_SHARE) - np.maximum(ends - ordered, LEFT_OUT_SHARE)
    kept = np.maximum(inside, 0.0)
    total = (kept * np.take_along_axis(lines, order, axis=0)).sum(axis=0)
    return np.asarray(total / kept.sum(axis=0))
