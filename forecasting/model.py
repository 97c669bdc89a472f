"""The port of a forecast model and what it returns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from forecasting.arrays import FloatArray
from forecasting.history import History


class ModelFailure(Exception):  # noqa: N818 - the series is at fault, not the program
    """The model found no solution for this series; the caller takes a simpler one."""


@dataclass(frozen=True)
class Prediction:
    """Days after the history, one element per day, on the model's own scale.

    ``variance`` and ``excess`` (fourth cumulant) describe the error of a single day.
    ``near_weight`` multiplies the weight in the mix on the first day (``mix.NEAR_DAYS``).
    """

    expected: FloatArray
    variance: FloatArray
    excess: FloatArray
    log_scale: bool
    near_weight: float = 1.0

    def __post_init__(self) -> None:
        """Forbid to write to what is kept for the next night."""
        for line in (self.expected, self.variance, self.excess):
            line.setflags(write=False)

    def until(self, days: int) -> Prediction:
        """The same with its first ``days`` days only."""
        lines = {name: getattr(self, name)[:days] for name in ("expected", "variance", "excess")}
        return replace(self, **lines)


class ForecastModel(NamedTuple):
    """A candidate: forecasts one prepared history."""

    name: str
    """The program that fits it."""
    candidate: Callable[[History], str]
    """What it extends a history by, in words: ``straight linear trend``."""
    predict: Callable[[History, int], Prediction]
    """Forecast so many days after the history. Raises ModelFailure where there is no solution."""


def with_usual_scale(history: History) -> History:
    """Return ``history`` with the scale that its own values choose, unless it has one."""
    if history.usual_scale_is_log is not None:
        return history
    is_log = log_scale_fits(history.values[history.observed])
    return replace(history, usual_scale_is_log=is_log)


def log_scale_fits(values: FloatArray) -> bool:
    """Return true if the observed ``values`` of a series are better modelled by their logarithm.

    Every value is above zero, the 28-day medians differ by more than 1.5 times, and the noise of
    the lower and the higher half of the levels differs less on the log scale than on the linear
    one.
    """
    if values.size < 56 or values.min() <= 0:
        return False
    count = values.size // 28
    blocks = values[-28 * count :].reshape(count, 28)
    levels = np.median(blocks, axis=1)
    if levels.max() < 1.5 * levels.min():
        return False
    return _noise_ratio(np.log(blocks), levels) < _noise_ratio(blocks, levels)


def _noise_ratio(blocks: FloatArray, levels: FloatArray) -> float:
    weekly = np.abs(blocks[:, 7:] - blocks[:, :-7])
    high = levels > np.median(levels)
    noises = np.array([np.median(weekly[high]), np.median(weekly[~high])])
    if noises.min() <= 0:
        return np.inf
    return float(np.abs(np.log(noises[0] / noises[1])))
