"""Probabilities of simulated paths, corrected by what became of stated ones.

Paths know the errors of one series at its past origins, but not all that happens: what they state
below 0.1 comes true more often, what they state from 0.6 to 0.9 less often, and near days less
often than far ones. So the log odds are drawn towards one half, by two figures in
``correction.csv``; ``python -m devtools.benchmarks.forecast.promises DATA`` fits them and prints
what they do to series that they have not seen. What became of a site's own probabilities adds a
shift (``forecasting.site_shift``).
"""

from __future__ import annotations

import csv
import importlib.resources
from functools import cache, lru_cache
from typing import Final, NamedTuple

import numpy as np

from forecasting.arrays import FloatArray

LEAST_PROBABILITY: Final = 0.004
"""A probability is held so far from 0 and from 1: about two of 600 paths (ours)."""
USUAL_DAYS: Final = 90.0
"""Time ahead at which ``per_log_days`` has no effect."""
DAYS: Final = (7.0, 120.0)
"""Times ahead before and after which the correction stays the same (ours)."""


class Correction(NamedTuple):
    """Log odds after correction: those of the paths by ``slope``, and a term of the days ahead.

    ``per_log_days`` is multiplied by the logarithm of the days ahead by ``USUAL_DAYS``.
    """

    slope: float
    per_log_days: float


def corrected_curve(
    probability: FloatArray, first_ahead: int, site_shift: float = 0.0
) -> FloatArray:
    """Return the probability of having passed a limit by each day ahead, after correction.

    The first element is of the day that is ``first_ahead`` days ahead. It never falls.
    ``site_shift`` is added to the log odds of all days.
    """
    return _curve(probability.tobytes(), first_ahead, site_shift)


@lru_cache(maxsize=512)
def _curve(probability: bytes, first_ahead: int, site_shift: float) -> FloatArray:
    """Return the curve; kept, since a search asks for the same limits in many states."""
    stated = np.frombuffer(probability)
    days_ahead = first_ahead + np.arange(len(stated), dtype=np.float64)
    curve = np.maximum.accumulate(corrected(stated, days_ahead, shipped(), site_shift))
    curve.flags.writeable = False
    return curve


def corrected(
    probability: FloatArray, days_ahead: FloatArray, figures: Correction, site_shift: float = 0.0
) -> FloatArray:
    """Return probabilities of so many days ahead after correction.

    One of 0 or 1 stays as it is: what no path does, or every path, is no matter of degree.
    """
    odds = terms(probability, days_ahead) @ np.array(figures) + site_shift
    degree = np.where(probability > 0, 1 / (1 + np.exp(-odds)), 0.0)
    return np.where(probability < 1, degree, 1.0)


def terms(probability: FloatArray, days_ahead: FloatArray) -> FloatArray:
    """Return the terms that the figures multiply, in their order: one row per probability."""
    held = np.clip(probability, LEAST_PROBABILITY, 1 - LEAST_PROBABILITY)
    ahead = np.clip(days_ahead, *DAYS) / USUAL_DAYS
    return np.column_stack([np.log(held / (1 - held)), np.log(ahead)])


@cache
def shipped() -> Correction:
    """The figures of the table."""
    text = importlib.resources.files(__package__).joinpath("correction.csv").read_text("utf-8")
    figures = {row["figure"]: float(row["value"]) for row in csv.DictReader(text.splitlines())}
    return Correction(**figures)
