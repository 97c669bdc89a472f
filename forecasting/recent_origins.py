"""Carry-over from night to night: the forecast is the mean of those of four nights of the week.

What a single day adds to level, growth and interval moves the first day over a limit by a week, or
by a month where the limit is passed at the turn of a month. The forecasts of the nights before are
made again from the same cleaned history with the weights of tonight, so that a night needs no other
night's result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from forecasting.arrays import FloatArray
from forecasting.history import History
from forecasting.interval import PredictionInterval
from forecasting.model import ModelFailure, Prediction, with_usual_scale
from forecasting.specification import specification

DAYS_BACK: Final = (2, 4, 6)
"""Days back of the nights in the mean beside tonight: every other one of a week (ours)."""
REACH_DAYS: Final = max(DAYS_BACK)
"""Days beyond tonight's that every night is predicted for, tonight too: so a night's prediction is
the same one on each later night that it is in the mean of."""
FULL_LEAD_DAYS: Final = 14
"""Days ahead from which all nights count alike; before, the newest one knows more (ours)."""


def alike_origins(history: History, days: int) -> list[tuple[int, History]]:
    """Return the nights before whose description of the series is that of tonight.

    Each is the days back, one of ``DAYS_BACK``, and the history as it was then. A night before a
    level shift was found, or with other calendar events or seasons, does not count: what has
    changed since is a reason to move.
    """
    history = with_usual_scale(history)
    try:
        now = specification(history, days)
    except ModelFailure:
        return []
    origins = []
    for back in DAYS_BACK:
        earlier = history.until(len(history.values) - back)
        then = specification(earlier, days)
        same = then.yearly == now.yearly and then.regressors == now.regressors
        if same:
            origins.append((back, earlier))
    return origins


def as_of_tonight(earlier: Prediction, back: int, days: int) -> Prediction:
    """Return tonight's ``days`` of a prediction made ``back`` days earlier; 0 is tonight's own.

    A day's error is that of as many days ahead as it is tonight: the mean of nights is of tonight.
    """
    return replace(
        earlier,
        expected=earlier.expected[back : back + days],
        variance=earlier.variance[:days],
        excess=earlier.excess[:days],
    )


def carried_over(
    tonight: PredictionInterval, before: Sequence[PredictionInterval]
) -> PredictionInterval:
    """Return the mean of the expected lines and the median of the half widths of all nights.

    All are for the same days. The width of one night in which a bend of the trend is found, or is
    not, is left out by the median.
    """
    if not before:
        return tonight
    nights = [tonight, *before]
    lead = np.arange(1, len(tonight.expected) + 1)
    share = np.minimum(lead / FULL_LEAD_DAYS, 1.0)
    older = np.sum([night.expected for night in before], axis=0)
    expected = (tonight.expected + share * older) / (1.0 + len(before) * share)

    def half(widths: Sequence[FloatArray]) -> FloatArray:
        return np.asarray((1 - share) * widths[0] + share * np.median(widths, axis=0))

    return PredictionInterval(
        expected - half([night.expected - night.lower for night in nights]),
        expected,
        expected + half([night.upper - night.expected for night in nights]),
    )
