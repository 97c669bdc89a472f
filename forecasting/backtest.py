"""Back-test: the accuracy of the model from past origins of the same history (hold-out)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from forecasting.arrays import FloatArray, IndexArray
from forecasting.history import History
from forecasting.interval import PredictionInterval, prediction_interval
from forecasting.mix import CandidateInterval, mixed_intervals
from forecasting.model import ForecastModel, ModelFailure, with_usual_scale
from forecasting.options import ForecastOptions

MIN_TRAINING_DAYS: Final = 28
"""Four weeks: fewer show no week twice over (ours)."""
MIN_SCORED_DAYS: Final = 5
"""Fewer hold-out values give no meaningful figure (ours)."""
ORIGIN_GRID_DAYS: Final = 7
"""An origin is the last Sunday on or before its stretch begins: it is the same on each night of a
week, and its forecasts are made once for all of them (ours)."""
_FIRST_SUNDAY: Final = np.datetime64("1970-01-04", "D")
LARGEST_SHARE: Final = 0.5
"""Largest share of the history in the hold-out (ours)."""
SMALLEST_ERROR: Final = 1e-3
"""Least error relative to the usual variant that counts: no variant is perfect (ours)."""
WIDEST: Final = 3.0
"""Largest factor by which a backtest may widen the interval (ours)."""
UNTRIED: Final = 1.5
"""Factor for an interval that no backtest has tried: it assumes a known season and independent
errors, and an interval meant for 80 % then holds about 60 % (ours)."""


@dataclass(frozen=True)
class Backtest:
    """Accuracy on the hold-out; ``None`` where there was too little history.

    ``widening`` is the factor that would have given the interval its stated width, never below
    1, and ``UNTRIED`` without a backtest; ``coverage_ratio`` is that of the interval as it is
    shown, each origin widened by what the others demand. ``weights`` are those of the variants
    in the forecast, summing to one; without a backtest all alike.
    """

    smape_pct: float | None = None
    coverage_ratio: float | None = None
    widening: float = 1.0
    weights: tuple[float, ...] = (1.0,)


def backtest(
    variants: Sequence[ForecastModel], history: History, options: ForecastOptions
) -> Backtest:
    """Forecast from past origins with what was known there, and compare with the observed values.

    Origins are on fixed days (``held_out_days``). Error and width are those of the mix, its weights
    chosen at every origin by the others. The usual scale is that of the whole history at every
    origin, so that a weight earned by the logarithm is the logarithm's.

    Raises:
        ModelFailure: The usual variant found no solution.
    """
    history = with_usual_scale(history)
    origins = [
        origin_trials
        for count in range(1, options.backtest_origins + 1)
        if (origin_trials := _origin(variants, history, count, options))
    ]
    if not origins:
        return Backtest(widening=UNTRIED, weights=(1 / len(variants),) * len(variants))
    trials = [
        _mixed(
            origin,
            _weights(origins[:index] + origins[index + 1 :] or [origin]),
            options.interval_width,
        )
        for index, origin in enumerate(origins)
    ]
    width = options.interval_width
    inside = [
        trial.inside(_widening(trials[:index] + trials[index + 1 :], width))
        for index, trial in enumerate(trials)
    ]
    return Backtest(
        smape_pct=float(np.mean([smape_pct(t.actual, t.lines.expected) for t in trials])),
        coverage_ratio=float(np.concatenate(inside).mean()),
        widening=_widening(trials, width),
        weights=_weights(origins),
    )


def held_out_days(history: History, count: int, options: ForecastOptions) -> int:
    """Return the days from an origin, the ``count``-th one back, to the end of the history.

    They are so many stretches and up to six days more, back to a Sunday; of a history that is too
    short for these, the stretches alone.
    """
    stretches = count * options.backtest_days
    since = int((history.days[-1] - stretches - _FIRST_SUNDAY).astype(np.int64))
    moved = stretches + since % ORIGIN_GRID_DAYS
    return moved if _is_long_enough(history, moved) else stretches


def smape_pct(actual: FloatArray, forecast: FloatArray) -> float:
    """Symmetric mean absolute percentage error, 0 to 200; two zeros are no error."""
    size = np.abs(actual) + np.abs(forecast)
    error = np.divide(
        200 * np.abs(actual - forecast), size, out=np.zeros_like(size), where=size > 0
    )
    return float(error.mean())


@dataclass(frozen=True)
class _Trial:
    """Observed hold-out values and the forecast for them.

    ``day_index`` counts their days from the origin; ``log_scale`` and ``near_weight`` are those of
    a candidate.
    """

    actual: FloatArray
    lines: PredictionInterval
    day_index: IndexArray
    log_scale: bool = False
    near_weight: float = 1.0

    def ratios(self) -> FloatArray:
        """Distance from the expected value per half width of the interval on that side."""
        lower, expected, upper = self.lines
        error = self.actual - expected
        half = np.where(error > 0, upper - expected, expected - lower)
        size = np.abs(error)
        return np.divide(size, half, out=np.where(size > 0, np.inf, 0.0), where=half > 0)

    def inside(self, widening: float) -> FloatArray:
        """Indicator (1) of each value inside the widened interval."""
        return np.asarray(self.ratios() <= widening, dtype=np.float64)


def _is_long_enough(history: History, held_out: int) -> bool:
    length = len(history.values)
    return (
        held_out <= LARGEST_SHARE * length
        and history.until(length - held_out).observed_count >= MIN_TRAINING_DAYS
    )


def _origin(
    variants: Sequence[ForecastModel], history: History, count: int, options: ForecastOptions
) -> list[_Trial | None]:
    """Return a trial per variant, ``None`` where unsolved; empty if the history is too short.

    Each is asked for as many days as on any night of the week.
    """
    if not len(history.values):
        return []
    held_out = held_out_days(history, count, options)
    origin = len(history.values) - held_out
    actual = history.values[origin:]
    seen = np.isfinite(actual)
    if not _is_long_enough(history, held_out) or seen.sum() < MIN_SCORED_DAYS:
        return []
    training = history.until(origin)
    reach = count * options.backtest_days + ORIGIN_GRID_DAYS - 1
    trials: list[_Trial | None] = []
    for index, variant in enumerate(variants):
        try:
            prediction = variant.predict(training, reach).until(held_out)
            full = prediction_interval(prediction, training, options.interval_width)
        except ModelFailure:
            if not index:
                raise
            trials.append(None)
        else:
            lines = PredictionInterval(*(line[seen] for line in full))
            trials.append(
                _Trial(
                    actual[seen],
                    lines,
                    np.flatnonzero(seen),
                    prediction.log_scale,
                    prediction.near_weight,
                )
            )
    return trials


def _weights(origins: Sequence[Sequence[_Trial | None]]) -> tuple[float, ...]:
    """Inverse errors of the variants.

    All of them stay in the mix: the winner of a few origins is another one every other night.
    """
    count = len(origins[0])
    errors = np.array([_error([origin[index] for origin in origins]) for index in range(count)])
    if errors[0] > 0:
        weights = 1 / np.maximum(errors / errors[0], SMALLEST_ERROR)
    else:
        weights = np.where(errors > 0, 0.0, 1.0)
    return tuple((weights / weights.sum()).tolist())


def _error(trials: Sequence[_Trial | None]) -> float:
    """Root of the mean squared error over all days of the origins; infinite where unsolved."""
    solved = [trial for trial in trials if trial is not None]
    if len(solved) < len(trials):
        return np.inf
    errors = np.concatenate([trial.actual - trial.lines.expected for trial in solved])
    return float(np.sqrt(np.square(errors).mean()))


def _mixed(origin: Sequence[_Trial | None], weights: Sequence[float], width: float) -> _Trial:
    usable = [
        (trial, weight)
        for trial, weight in zip(origin, weights, strict=True)
        if trial is not None and weight > 0
    ] or [(trial, 1.0) for trial in origin[:1] if trial is not None]
    total = sum(weight for _, weight in usable)
    candidates = [
        CandidateInterval(trial.lines, weight / total, trial.log_scale, trial.near_weight)
        for trial, weight in usable
    ]
    first = usable[0][0]
    lines = mixed_intervals(candidates, width, first.day_index)
    return _Trial(first.actual, lines, first.day_index)


def _widening(trials: list[_Trial], probability: float) -> float:
    if not trials:
        return UNTRIED
    ratios = np.concatenate([trial.ratios() for trial in trials])
    return float(np.clip(np.quantile(ratios, probability, method="higher"), 1.0, WIDEST))
