"""Back-test: the accuracy of the model from past origins of the same history (hold-out)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

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

    ``widening`` is the factor that would have given the interval its stated width, never below 1,
    and ``UNTRIED`` without a backtest; ``coverage_ratio`` is that of the interval as it is shown.
    ``weights`` are those of the variants in the forecast, summing to one.
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
    chosen at every origin by the others; the usual scale is that of the whole history. Raises
    ModelFailure when the usual variant finds no solution.
    """
    history = with_usual_scale(history)
    width = options.interval_width
    counts = range(1, options.backtest_origins + 1)
    origins = [made for count in counts if (made := _origin(variants, history, count, options))]
    if not origins:
        return Backtest(widening=UNTRIED, weights=(1 / len(variants),) * len(variants))
    mixes = [
        origin.mixed(_weights(origins[:place] + origins[place + 1 :] or [origin]), width)
        for place, origin in enumerate(origins)
    ]
    ratios = [origin.ratios(mix) for origin, mix in zip(origins, mixes, strict=True)]
    inside = [
        ratio <= _widening(ratios[:place] + ratios[place + 1 :], width)
        for place, ratio in enumerate(ratios)
    ]
    errors = [
        smape_pct(origin.actual, mix.expected) for origin, mix in zip(origins, mixes, strict=True)
    ]
    return Backtest(
        smape_pct=float(np.mean(errors)),
        coverage_ratio=float(np.concatenate(inside).mean()),
        widening=_widening(ratios, width),
        weights=_weights(origins),
    )


def held_out_days(history: History, count: int, options: ForecastOptions) -> int:
    """Return the days to the end from an origin so many stretches back, a Sunday if possible."""
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


class _Origin(NamedTuple):
    """Observed hold-out values after an origin, and what candidates said; ``None`` is nothing."""

    actual: FloatArray
    day_index: IndexArray
    candidates: Sequence[CandidateInterval | None]

    def mixed(self, weights: Sequence[float], width: float) -> PredictionInterval:
        """Return the mix of those with a solution; the usual one where they have no weight."""
        pairs = list(zip(self.candidates, weights, strict=True))
        used = [(score, weight) for score, weight in pairs if score is not None and weight > 0]
        used = used or [
            (candidate, 1.0) for candidate in self.candidates[:1] if candidate is not None
        ]
        candidates, shares = zip(*used, strict=True)
        return mixed_intervals(candidates, shares, width, self.day_index)

    def ratios(self, lines: PredictionInterval) -> FloatArray:
        """Distance from the expected value per half width of the interval on that side."""
        error = self.actual - lines.expected
        half = np.where(error > 0, lines.upper - lines.expected, lines.expected - lines.lower)
        size = np.abs(error)
        return np.divide(size, half, out=np.where(size > 0, np.inf, 0.0), where=half > 0)


def _is_long_enough(history: History, held_out: int) -> bool:
    length = len(history.values)
    return (
        held_out <= LARGEST_SHARE * length
        and history.until(length - held_out).observed_count >= MIN_TRAINING_DAYS
    )


def _origin(
    variants: Sequence[ForecastModel], history: History, count: int, options: ForecastOptions
) -> _Origin | None:
    """Return what the variants say at an origin; ``None`` if the history is too short for it."""
    if not len(history.values):
        return None
    held_out = held_out_days(history, count, options)
    origin = len(history.values) - held_out
    actual = history.values[origin:]
    seen = np.isfinite(actual)
    if not _is_long_enough(history, held_out) or seen.sum() < MIN_SCORED_DAYS:
        return None
    training = history.until(origin)
    reach = count * options.backtest_days + ORIGIN_GRID_DAYS - 1
    candidates: list[CandidateInterval | None] = []
    for index, variant in enumerate(variants):
        try:
            made = variant.predict(training, reach).until(held_out)
        except ModelFailure:
            if not index:
                raise
            candidates.append(None)
        else:
            full = prediction_interval(made, training, options.interval_width)
            lines = PredictionInterval(*(line[seen] for line in full))
            candidates.append(CandidateInterval(lines, made.log_scale, made.near_weight))
    return _Origin(actual[seen], np.flatnonzero(seen), candidates)


def _weights(origins: Sequence[_Origin]) -> tuple[float, ...]:
    """Inverse errors of the variants (roots of mean squares); all of them stay in the mix."""
    errors = np.full(len(origins[0].candidates), np.inf)
    for index in range(len(errors)):
        made = [(origin.actual, origin.candidates[index]) for origin in origins]
        gaps = [actual - one.interval.expected for actual, one in made if one is not None]
        if len(gaps) == len(origins):
            errors[index] = np.sqrt(np.square(np.concatenate(gaps)).mean())
    if errors[0] > 0:
        weights = 1 / np.maximum(errors / errors[0], SMALLEST_ERROR)
    else:
        weights = np.where(errors > 0, 0.0, 1.0)
    return tuple((weights / weights.sum()).tolist())


def _widening(ratios: Sequence[FloatArray], probability: float) -> float:
    if not ratios:
        return UNTRIED
    found = np.quantile(np.concatenate(ratios), probability, method="higher")
    return float(np.clip(found, 1.0, WIDEST))
