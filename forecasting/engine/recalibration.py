"""Probabilities of crossings, corrected by what became of stated ones.

The simulated paths of ``passage`` know the errors of the past, but not all that is common to many
series. A logistic regression of outcomes on two simulated probabilities has six figures, in
``recalibration.csv``; ``python -m devtools.benchmarks.forecast.recalibrate DATA`` computes them
from simulated metrics and ``crossing_dev``, and prints what they do to series that it has not seen.
"""

from __future__ import annotations

import csv
import importlib.resources
from functools import cache
from typing import Final, NamedTuple

import numpy as np

from forecasting.arrays import FloatArray
from forecasting.engine.passage import Passage

LEAST_PROBABILITY: Final = 0.004
"""A stated probability is held so far from 0 and from 1: about two of 600 paths (ours)."""
USUAL_DAYS: Final = 90.0
"""Time ahead at which ``per_log_days`` has no effect."""
FIRST_DAYS: Final = 7.0
"""Earlier days are corrected like this one: none of them was fitted (ours)."""
DISTANCES: Final = (-0.1, 0.5)
"""Logarithms of limit by highest week beyond which the correction stays the same (ours)."""
HISTORY_DAYS: Final = (240, 900)
"""Lengths of history beyond which the correction stays the same: those that were fitted."""
USUAL_HISTORY_DAYS: Final = 540.0
"""Length of history at which ``per_log_history`` has no effect."""


class Recalibration(NamedTuple):
    """Log odds after correction: a sum of two simulated ones, each with a slope, and four terms.

    ``slope`` belongs to those with the spread seen, ``sharp_slope`` to those of half of it, which
    have no growth where the history is too short to tell it from the season of the year.
    ``level`` is one of all, ``per_log_days`` is multiplied by the logarithm of the days ahead by
    ``USUAL_DAYS``, ``per_distance`` by the logarithm of the limit by the highest 7-day mean of the
    last five weeks, ``per_log_history`` by that of the days of history by ``USUAL_HISTORY_DAYS``.
    """

    slope: float
    sharp_slope: float
    level: float
    per_log_days: float
    per_distance: float
    per_log_history: float


def recalibrated(
    stated: Passage,
    sharp: Passage,
    distance: float,
    history_days: int,
    figures: Recalibration | None = None,
) -> Passage:
    """Return the distribution after correction; it never falls.

    ``distance`` is the logarithm of the limit by the highest week; without ``figures`` those of
    the table are taken.
    """
    days = np.arange(1.0, len(stated.probability) + 1.0)
    columns = terms(
        stated.probability,
        sharp.probability,
        days,
        np.full(len(days), distance),
        np.full(len(days), float(history_days)),
    )
    odds = columns @ np.array(figures or shipped())
    return Passage(np.maximum.accumulate(1 / (1 + np.exp(-odds))))


def terms(
    stated: FloatArray,
    sharp: FloatArray,
    days: FloatArray,
    distances: FloatArray,
    history_days: FloatArray,
) -> FloatArray:
    """Return the terms that the figures multiply, in their order: one row per case."""
    return np.column_stack(
        [
            log_odds(stated),
            log_odds(sharp),
            np.ones(len(stated)),
            np.log(np.maximum(days, FIRST_DAYS) / USUAL_DAYS),
            np.clip(distances, *DISTANCES),
            np.log(np.clip(history_days, *HISTORY_DAYS) / USUAL_HISTORY_DAYS),
        ]
    )


def log_odds(probability: FloatArray) -> FloatArray:
    """Return log odds of probabilities, which are held off 0 and 1 by ``LEAST_PROBABILITY``."""
    held = np.clip(probability, LEAST_PROBABILITY, 1 - LEAST_PROBABILITY)
    return np.asarray(np.log(held / (1 - held)))


@cache
def shipped() -> Recalibration:
    """The figures of the table."""
    text = importlib.resources.files(__package__).joinpath("recalibration.csv").read_text("utf-8")
    figures = {row["figure"]: float(row["value"]) for row in csv.DictReader(text.splitlines())}
    return Recalibration(**figures)
