"""How well the model would have done on the last stretch of the history."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from forecasting.history import FloatArray, History
from forecasting.interval import band
from forecasting.model import Model
from forecasting.options import ForecastOptions

MIN_TRAINING_DAYS: Final = 28
"""Four weeks: fewer show no week twice over (ours)."""
MIN_SCORED_DAYS: Final = 5
"""Fewer held-out values give no figure worth stating (ours)."""
WIDEST: Final = 3.0
"""Largest factor by which one backtest may widen the interval (ours)."""


@dataclass(frozen=True)
class Backtest:
    """Accuracy on the held-out days; ``None`` where there was too little history.

    ``coverage_ratio`` is that of the model's own interval; ``widening`` is the factor that
    would have given the interval its stated width, never below 1.
    """

    smape_pct: float | None = None
    coverage_ratio: float | None = None
    widening: float = 1.0


def backtest(model: Model, history: History, options: ForecastOptions) -> Backtest:
    """Fit the history without its last days and compare with them.

    Raises:
        ModelFailure: As ``Model.predict``.
    """
    held_out = min(options.backtest_days, len(history.values) // 4)
    training = history.until(len(history.values) - held_out)
    actual = history.values[len(training.values) :]
    seen = np.isfinite(actual)
    if training.observed_count < MIN_TRAINING_DAYS or seen.sum() < MIN_SCORED_DAYS:
        return Backtest()
    found = band(model.predict(training, held_out), training, options.interval_width)
    lower, expected, upper = (line[seen] for line in found)
    values = actual[seen]
    inside = (values >= lower) & (values <= upper)
    return Backtest(
        smape_pct=smape_pct(values, expected),
        coverage_ratio=float(inside.mean()),
        widening=_widening(values, expected, upper - lower, options.interval_width),
    )


def smape_pct(actual: FloatArray, forecast: FloatArray) -> float:
    """Symmetric mean absolute percentage error, 0 to 200; two zeros are no error."""
    size = np.abs(actual) + np.abs(forecast)
    error = np.divide(
        200 * np.abs(actual - forecast), size, out=np.zeros_like(size), where=size > 0
    )
    return float(error.mean())


def _widening(
    actual: FloatArray, expected: FloatArray, widths: FloatArray, probability: float
) -> float:
    errors = 2 * np.abs(actual - expected)
    ratios = np.divide(errors, widths, out=np.ones_like(errors), where=widths > 0)
    return float(np.clip(np.quantile(ratios, probability), 1.0, WIDEST))
