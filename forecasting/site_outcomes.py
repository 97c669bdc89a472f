"""Level and slope of log odds that a site's own outcomes ask for."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from forecasting.probability import AS_SHIPPED, OutcomeFigures
from mqcap.domain.score import StatedOutcome

PRIOR: Final = (0.1, 0.3, 0.5, 0.7, 0.9)
"""Probabilities of the cases that count beside the outcomes, each of which came as stated."""
LEVELS: Final = (-1.5, 1.5)
SLOPES: Final = (0.3, 1.5)
"""Least and largest level and slope (ours)."""
DIGITS: Final = 2
"""Both are multiples of 0.01, so that dates do not move for less (ours)."""
ROUNDS: Final = 50
SETTLED: Final = 1e-6


def site_figures(outcomes: Sequence[StatedOutcome], prior_cases: int) -> OutcomeFigures:
    """Return the likeliest level and slope of the log odds, within ``LEVELS`` and ``SLOPES``.

    ``prior_cases`` further cases that came as stated draw level and slope to 0 and 1.
    """
    stated = np.array([outcome.probability for outcome in outcomes], dtype=np.float64)
    level = np.array([outcome.shift for outcome in outcomes], dtype=np.float64)
    slope = np.array([outcome.slope for outcome in outcomes], dtype=np.float64)
    prior = np.array(PRIOR)
    came = np.concatenate([[outcome.came for outcome in outcomes], prior])
    weights = np.concatenate([np.ones(len(stated)), np.full(len(prior), prior_cases / len(prior))])
    odds = np.concatenate([(_odds(stated) - level) / slope, _odds(prior)])
    terms = np.column_stack([np.ones(len(odds)), odds])
    found = np.array(AS_SHIPPED)
    for _ in range(ROUNDS):
        likely = 1 / (1 + np.exp(-terms @ found))
        curvature = (terms.T * (weights * likely * (1 - likely))) @ terms
        step = np.linalg.lstsq(curvature, terms.T @ (weights * (came - likely)), rcond=None)[0]
        found = np.clip(found + np.clip(step, -1, 1), *np.transpose([LEVELS, SLOPES]))
        if np.abs(step).max() < SETTLED:
            break
    return OutcomeFigures(*(round(float(figure), DIGITS) for figure in found))


def _odds(probability: np.ndarray) -> np.ndarray:
    return np.asarray(np.log(probability / (1 - probability)))
