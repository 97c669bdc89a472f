"""Mix of the candidates of one series: the middle of their lines, by weight."""

from collections.abc import Sequence
from statistics import NormalDist
from typing import Final, NamedTuple

import numpy as np

from forecasting.arrays import BoolArray, FloatArray, IndexArray
from forecasting.interval import PredictionInterval

LEFT_OUT_SHARE: Final = 0.125
"""Share of the weight that is left out of each day's mean at the low end and at the high one: a
stiff trend on the wrong scale is far off, always in one direction (ours, from planted growths and
the moves of dates from night to night). In the width a scale with so little takes no part."""
NEAR_DAYS: Final = 28.0
"""Days in which what is left of the weight of nearness falls to 1/e (ours)."""


class CandidateInterval(NamedTuple):
    """The interval of a candidate, its scale, and a factor of its weight on the first day."""

    interval: PredictionInterval
    log_scale: bool
    near_weight: float = 1.0


def mixed_intervals(
    candidates: Sequence[CandidateInterval],
    weights: Sequence[float],
    width: float,
    day_index: IndexArray | None = None,
) -> PredictionInterval:
    """Return the mix of intervals of the probability ``width``.

    The expected value is the weighted mean without ``LEFT_OUT_SHARE`` of the weight at both ends;
    the half widths are means by ``_width_shares``, widened by the disagreement of the expected
    lines. ``day_index`` counts the days from the first one, and is without gaps by default.
    """
    total = sum(weights)
    pairs = zip(candidates, weights, strict=True)
    used = [(candidate, weight / total) for candidate, weight in pairs if weight > 0]
    if day_index is None:
        day_index = np.arange(len(used[0][0].interval.expected))
    nearness = np.exp(-day_index / NEAR_DAYS)
    share = np.array(
        [weight * (1 + (candidate.near_weight - 1) * nearness) for candidate, weight in used]
    )
    share /= share.sum(axis=0)
    lower, middle, upper = (
        np.array([np.asarray(candidate.interval[line]) for candidate, _ in used])
        for line in range(3)
    )
    expected = middle_mean(middle, share)
    width_share = _width_shares(share, np.array([candidate.log_scale for candidate, _ in used]))
    below, above, spread = (
        (width_share * part).sum(axis=0)
        for part in (middle - lower, upper - middle, np.square(middle - expected))
    )
    apart = NormalDist().inv_cdf(0.5 + width / 2) ** 2 * spread
    return PredictionInterval(
        expected - np.sqrt(np.square(below) + apart),
        expected,
        expected + np.sqrt(np.square(above) + apart),
    )


def _width_shares(share: FloatArray, log_scale: BoolArray) -> FloatArray:
    """Return the shares in the width: those of the mix, times the largest one of the same scale.

    What grows fast is on one scale only: candidates on the other one miss by several times as much,
    which is not the error of the mix. So the two scales count by the inverse square of their
    errors, and ``LEFT_OUT_SHARE`` at either end does not count, the scales being the ends.
    Candidates of one scale differ in how a course may change, which the past does not tell.
    """
    log = log_scale[:, None]
    best = np.where(
        log,
        share.max(axis=0, where=log, initial=0.0),
        share.max(axis=0, where=~log, initial=0.0),
    )
    product = share * best
    product /= product.sum(axis=0)
    of_scale = np.where(log, product[log_scale].sum(axis=0), product[~log_scale].sum(axis=0))
    kept = np.clip((of_scale - LEFT_OUT_SHARE) / (1 - 2 * LEFT_OUT_SHARE), 0.0, 1.0)
    return np.asarray(product * (kept / of_scale))


def middle_mean(lines: FloatArray, share: FloatArray) -> FloatArray:
    """Return days' means of ``lines`` (rows) by ``share``, without ``LEFT_OUT_SHARE`` at the ends.

    Shares sum to one, in one column or one per day.
    """
    order = np.argsort(lines, axis=0, kind="stable")
    ordered = np.take_along_axis(np.broadcast_to(share, lines.shape), order, axis=0)
    ends = ordered.cumsum(axis=0)
    inside = np.minimum(ends, 1 - LEFT_OUT_SHARE) - np.maximum(ends - ordered, LEFT_OUT_SHARE)
    kept = np.maximum(inside, 0.0)
    total = (kept * np.take_along_axis(lines, order, axis=0)).sum(axis=0)
    return np.asarray(total / kept.sum(axis=0))
