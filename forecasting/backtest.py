"""How well the model would have done from past origins of the same history."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from forecasting.history import FloatArray, History
from forecasting.interval import Band, band
from forecasting.model import Model
from forecasting.options import ForecastOptions

MIN_TRAINING_DAYS: Final = 28
"""Four weeks: fewer show no week twice over (ours)."""
MIN_SCORED_DAYS: Final = 5
"""Fewer held-out values give no figure worth stating (ours)."""
LARGEST_SHARE: Final = 0.5
"""At most this share of the history is held out (ours)."""
WIDEST: Final = 3.0
"""Largest factor by which a backtest may widen the interval (ours)."""


@dataclass(frozen=True)
class Backtest:
    """Accuracy on the held-out days; ``None`` where there was too little history.

    ``widening`` is the factor that would have given the interval its stated width, never below
    1; ``coverage_ratio`` is that of the interval as it is shown, each origin widened by what
    the others demand.
    """

    smape_pct: float | None = None
    coverage_ratio: float | None = None
    widening: float = 1.0


def backtest(model: Model, history: History, options: ForecastOptions) -> Backtest:
    """Forecast from past origins with what was known there, and compare with what came.

    Raises:
        ModelFailure: As ``Model.predict``.
    """
    trials = [
        trial
        for count in range(1, options.backtest_origins + 1)
        if (trial := _trial(model, history, count * options.backtest_days, options)) is not None
    ]
    if not trials:
        return Backtest()
    width = options.interval_width
    inside = [
        trial.inside(_widening(trials[:index] + trials[index + 1 :] or [trial], width))
        for index, trial in enumerate(trials)
    ]
    return Backtest(
        smape_pct=float(np.mean([smape_pct(t.actual, t.lines.expected) for t in trials])),
        coverage_ratio=float(np.concatenate(inside).mean()),
        widening=_widening(trials, width),
    )


def smape_pct(actual: FloatArray, forecast: FloatArray) -> float:
    """Symmetric mean absolute percentage error, 0 to 200; two zeros are no error."""
    size = np.abs(actual) + np.abs(forecast)
    error = np.divide(
        200 * np.abs(actual - forecast), size, out=np.zeros_like(size), where=size > 0
    )
    return float(error.mean())


@dataclass(frozen=True)
class _Trial:
    """Observed held-out values and what was forecast for them."""

    actual: FloatArray
    lines: Band

    def ratios(self) -> FloatArray:
        """Distance from the expected value per half width of the band on that side."""
        lower, expected, upper = self.lines
        error = self.actual - expected
        half = np.where(error > 0, upper - expected, expected - lower)
        size = np.abs(error)
        return np.divide(size, half, out=np.where(size > 0, np.inf, 0.0), where=half > 0)

    def inside(self, widening: float) -> FloatArray:
        """1 for each value inside the widened band."""
        return np.asarray(self.ratios() <= widening, dtype=np.float64)


def _trial(
    model: Model, history: History, held_out: int, options: ForecastOptions
) -> _Trial | None:
    length = len(history.values)
    if held_out > LARGEST_SHARE * length:
        return None
    training = history.until(length - held_out)
    actual = history.values[length - held_out :]
    seen = np.isfinite(actual)
    if training.observed_count < MIN_TRAINING_DAYS or seen.sum() < MIN_SCORED_DAYS:
        return None
    found = band(model.predict(training, held_out), training, options.interval_width)
    return _Trial(actual[seen], Band(*(line[seen] for line in found)))


def _widening(trials: list[_Trial], probability: float) -> float:
    ratios = np.concatenate([trial.ratios() for trial in trials])
    return float(np.clip(np.quantile(ratios, probability, method="higher"), 1.0, WIDEST))
