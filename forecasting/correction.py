"""Probabilities of simulated paths, corrected by what became of stated ones.

Paths know the errors of one series at its past origins, but not all that happens: what they state
below 0.1 comes true more often, what they state from 0.6 to 0.9 less often, and near days less
often than far ones. An interval that one bad past origin has widened says too much, growth goes
on less steeply than before, and a limit that is far off is passed less often. So the log odds are
corrected by six figures in ``correction.csv``;
``python -m devtools.benchmarks.forecast.promises DATA`` fits them and prints what they do to
series that they have not seen. What became of a site's own probabilities adds a shift
(``forecasting.site_shift``).
"""

from __future__ import annotations

import csv
import importlib.resources
from functools import cache, lru_cache
from statistics import NormalDist
from typing import Final, NamedTuple

import numpy as np

from forecasting.arrays import FloatArray
from forecasting.lines import ForecastLines
from mqcap.domain.metric import Direction

LEAST_PROBABILITY: Final = 0.004
"""A probability is held so far from 0 and from 1: about two of 600 paths (ours)."""
USUAL_DAYS: Final = 90.0
"""Time ahead at which ``per_log_days`` has no effect."""
DAYS: Final = (7.0, 365.0)
"""Times ahead before and after which the correction stays the same (ours)."""
FIRST_DAYS: Final = 28
"""Days whose width and distance from the limit count: four weeks hold each weekday and a turn of
a month (ours)."""
WIDTHS: Final = (0.12, 0.3)
"""Ratios of deviation to expected value below and above which the width has the same effect
(ours). Below it has none; of ten forecasts two or three are above."""
MONTH_DAYS: Final = 30
GROWTH_DAYS: Final = 180
GROWTHS: Final = (-0.1, 0.3)
"""Growth from the first to the sixth month outside of which it has the same effect (ours)."""
DISTANCES: Final = (0.0, 6.0)
"""Deviations between forecast and limit outside of which they have the same effect (ours)."""


class ForecastShape(NamedTuple):
    """What a forecast looks like to a limit, one figure for all days, never NaN.

    ``width`` is the standard deviation of the first days by their expected value, ``growth`` the
    expected rise from the first to the sixth month, towards the limit, by that of the first;
    ``distance`` is the least of the first days from the limit, in standard deviations.
    Deviations are those on the side of the limit.
    """

    width: float
    growth: float
    distance: float


class Correction(NamedTuple):
    """Log odds after correction: those of the paths by ``slope``, and five terms.

    ``per_log_days`` is multiplied by the logarithm of the days ahead by ``USUAL_DAYS``, ``level``
    is one of all, ``per_log_width`` is multiplied by the logarithm of the width by the first of
    ``WIDTHS``, ``per_growth`` and ``per_distance`` by growth and distance.
    """

    slope: float
    per_log_days: float
    level: float
    per_log_width: float
    per_growth: float
    per_distance: float


def shape_of(
    lines: ForecastLines, limits: FloatArray, interval_width: float, direction: Direction
) -> ForecastShape:
    """Return the shape of a forecast to ``limits``, one for each of its days.

    Growth is zero where the forecast has fewer than three months, or expects nothing.
    """
    is_upward = direction is Direction.upward
    sign = 1.0 if is_upward else -1.0
    bound = lines.upper if is_upward else lines.lower
    z = NormalDist().inv_cdf(0.5 + interval_width / 2)
    deviation = np.maximum(sign * (bound - lines.expected)[:FIRST_DAYS], 0.0) / z
    gap = sign * (limits - lines.expected)[:FIRST_DAYS]
    far = np.where(gap > 0, DISTANCES[1], DISTANCES[0])
    distance = np.divide(gap, deviation, out=far, where=deviation > 0)
    half_year = lines.expected[:GROWTH_DAYS]
    first, last = (float(part.mean()) for part in (half_year[:MONTH_DAYS], half_year[-MONTH_DAYS:]))
    apart = len(half_year) - MONTH_DAYS
    months = (GROWTH_DAYS - MONTH_DAYS) / max(apart, 1)
    growth = (
        sign * (last - first) * months / abs(first) if first and apart >= 2 * MONTH_DAYS else 0.0
    )
    usual = abs(float(lines.expected[:FIRST_DAYS].mean()))
    width = float(deviation.mean())
    return ForecastShape(
        width=float(np.clip(width / usual if usual else np.sign(width), *WIDTHS)),
        growth=float(np.clip(growth, *GROWTHS)),
        distance=float(np.clip(distance.min(), *DISTANCES)),
    )


def corrected_curve(
    probability: FloatArray, first_ahead: int, shape: ForecastShape, site_shift: float = 0.0
) -> FloatArray:
    """Return the probability of having passed a limit by each day ahead, after correction.

    The first element is of the day that is ``first_ahead`` days ahead. It never falls.
    ``site_shift`` is added to the log odds of all days.
    """
    return _curve(probability.tobytes(), first_ahead, shape, site_shift)


@lru_cache(maxsize=512)
def _curve(
    probability: bytes, first_ahead: int, shape: ForecastShape, site_shift: float
) -> FloatArray:
    """Return the curve; kept, since a search asks for the same limits in many states."""
    stated = np.frombuffer(probability)
    days_ahead = first_ahead + np.arange(len(stated), dtype=np.float64)
    shapes = np.tile(shape, (len(stated), 1))
    curve = np.maximum.accumulate(corrected(stated, days_ahead, shapes, shipped(), site_shift))
    curve.flags.writeable = False
    return curve


def corrected(
    probability: FloatArray,
    days_ahead: FloatArray,
    shapes: FloatArray,
    figures: Correction,
    site_shift: float = 0.0,
) -> FloatArray:
    """Return probabilities of so many days ahead after correction; ``shapes`` has a row for each.

    One of 0 or 1 stays as it is: what no path does, or every path, is no matter of degree.
    """
    odds = terms(probability, days_ahead, shapes) @ np.array(figures) + site_shift
    degree = np.where(probability > 0, 1 / (1 + np.exp(-odds)), 0.0)
    return np.where(probability < 1, degree, 1.0)


def terms(probability: FloatArray, days_ahead: FloatArray, shapes: FloatArray) -> FloatArray:
    """Return the terms that the figures multiply, in their order: one row per probability."""
    held = np.clip(probability, LEAST_PROBABILITY, 1 - LEAST_PROBABILITY)
    ahead = np.clip(days_ahead, *DAYS) / USUAL_DAYS
    width, growth, distance = shapes.T
    return np.column_stack(
        [
            np.log(held / (1 - held)),
            np.log(ahead),
            np.ones(len(held)),
            np.log(width / WIDTHS[0]),
            growth,
            distance,
        ]
    )


@cache
def shipped() -> Correction:
    """The figures of the table."""
    text = importlib.resources.files(__package__).joinpath("correction.csv").read_text("utf-8")
    figures = {row["figure"]: float(row["value"]) for row in csv.DictReader(text.splitlines())}
    return Correction(**figures)
