"""Shift of log odds that a site's own outcomes ask for."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

import numpy as np

from forecasting.arrays import FloatArray
from mqcap.domain.score import StatedOutcome

STEPS_PER_UNIT: Final = 100
"""A shift is a multiple of 0.01, so that dates do not move for less (ours)."""
STEPS_MAX: Final = 50
"""Largest shift, up or down: log odds of 0.5, so that 50 % becomes 62 or 38 % (ours)."""


def site_shift(outcomes: Sequence[StatedOutcome], prior_cases: int) -> float:
    """Return the likeliest shift of log odds, at most ``STEPS_MAX`` steps up or down.

    Each outcome counts by what would have been stated without a shift. ``prior_cases`` further
    cases that were stated with 50 %, half of which came true, draw it towards 0.
    """
    stated = np.array([each.probability for each in outcomes], dtype=np.float64)
    shifts = np.array([each.shift for each in outcomes], dtype=np.float64)
    odds = np.log(stated / (1 - stated)) - shifts
    came = sum(each.came for each in outcomes)

    def is_reached(step: int) -> bool:
        """Return true if no more came than half a step further up says; true from one step on."""
        shift = (step + 0.5) / STEPS_PER_UNIT
        prior = prior_cases * (float(_probability(np.array(shift))) - 0.5)
        return came <= float(_probability(odds + shift).sum()) + prior

    steps = range(-STEPS_MAX, STEPS_MAX)
    return (bisect_left(steps, True, key=is_reached) - STEPS_MAX) / STEPS_PER_UNIT


def _probability(odds: FloatArray) -> FloatArray:
    return 1 / (1 + np.exp(-odds))
