"""Dates of threshold crossings for a file of daily series, calibrated on its own backtests."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from forecasting.engine.candidates import NAIVE, Series, forecasts
from forecasting.engine.passage import Passage, first_passage, rolling_week
from forecasting.engine.selection import Choice, choose, past_origins
from forecasting.history import FloatArray

HORIZON_DAYS: Final = 365
ORIGIN_DAYS: Final = 30
ORIGIN_COUNT: Final = 6
LONGEST_BACKTEST: Final = ORIGIN_DAYS * ORIGIN_COUNT
SMOOTHERS: Final = 3
"""The first methods know no calendar: references here, never part of the mix."""
LEAST: Final = 1e-6
"""Smallest value that is put on the log scale."""
OWN_WEIGHT: Final = 3.0
CLASS_WEIGHT: Final = 3.0
"""How many independent origins the class is worth beside those of the series (ours)."""
DISAGREEMENT: Final = 0.5
"""Share of the candidates' variance that is added to the error variance (ours)."""
GROWTH_FROM_DAYS: Final = 60
"""Beyond the backtest the spread grows by the power law seen from here on."""
TRIM: Final = 0.02
"""Share of the largest squared errors left out of the class profile."""


@dataclass(frozen=True)
class Outlook:
    """What one series expects: log of the 7-day mean, and how wrong it was in the past.

    ``errors`` has one row per origin and one column per day ahead, NaN where unknown, made
    with weights chosen without that origin. ``disagreement`` is the weighted variance of the
    mixed candidates.
    """

    centre: FloatArray
    errors: FloatArray
    disagreement: FloatArray
    choice: Choice

    def after(self, days: int) -> Outlook:
        """The same outlook, seen ``days`` later without a new value."""
        return replace(self, centre=self.centre[days:], disagreement=self.disagreement[days:])


def outlook(series: Series, horizon: int = HORIZON_DAYS) -> Outlook:
    """Backtest, choose and forecast one daily series."""
    origins = past_origins(series, LONGEST_BACKTEST, ORIGIN_COUNT, ORIGIN_DAYS)
    size = len(series.values)
    paths = forecasts(series, size, horizon)
    starts = [size - len(origin.actual) for origin in origins]
    weeks = [
        _log_weeks(series.values[:start], o.paths) for start, o in zip(starts, origins, strict=True)
    ]
    truths = [
        _log_week(series.values[:start], o.actual) for start, o in zip(starts, origins, strict=True)
    ]
    gaps = [week - truth for week, truth in zip(weeks, truths, strict=True)]
    squares = [_mean_square(gap) for gap in gaps]
    choice = _best(squares, paths)
    errors = np.full((len(origins), LONGEST_BACKTEST), np.nan)
    for index, gap in enumerate(gaps):
        others = squares[:index] + squares[index + 1 :]
        errors[index, : gap.shape[1]] = -_best(others, paths).mix(gap)
    logs = _log_weeks(series.values, paths)
    used = choice.weights > 0
    centre = choice.mix(logs)
    spread = choice.weights[used] @ np.square(logs[used] - centre)
    return Outlook(centre, errors, np.asarray(spread), choice)


def class_profile(outlooks: list[Outlook], horizon: int = HORIZON_DAYS) -> FloatArray:
    """Standard deviation of the error per day ahead, over all series; longer days by power law."""
    pooled = np.vstack([np.empty((0, LONGEST_BACKTEST)), *(item.errors for item in outlooks)])
    deviation = np.array([_trimmed_deviation(column) for column in pooled.T])
    known = np.isfinite(deviation)
    if known.sum() < GROWTH_FROM_DAYS:
        return np.asarray(0.05 + 0.02 * np.sqrt(np.arange(1, horizon + 1)))
    days = np.arange(1, len(deviation) + 1)
    late = known & (days >= GROWTH_FROM_DAYS)
    power = 0.5
    if late.sum() > 10:
        power = float(np.polyfit(np.log(days[late]), np.log(deviation[late]), 1)[0])
    last = int(days[known].max())
    level = float(np.mean(deviation[known][-15:]))
    filled = np.interp(np.arange(1, horizon + 1), days[known], deviation[known])
    beyond = np.arange(1, horizon + 1) > last
    grown = level * (np.arange(1, horizon + 1) / last) ** np.clip(power, 0.5, 1.0)
    return np.asarray(np.maximum.accumulate(np.where(beyond, grown, filled)))


def passage(
    item: Outlook, profile: FloatArray, threshold: float, *, upward: bool = True
) -> Passage:
    """Distribution of the first day on which the 7-day mean is at the threshold."""
    factor = _own_factor(item.errors, profile)
    variance = np.square(profile * factor) + DISAGREEMENT * item.disagreement
    return first_passage(
        item.centre, np.sqrt(variance), float(np.log(max(threshold, LEAST))), upward=upward
    )


def _own_factor(errors: FloatArray, profile: FloatArray) -> float:
    """The series' error relative to its class, shrunk to 1."""
    ratio = np.square(errors / profile[: errors.shape[1]])
    seen = np.isfinite(ratio).any(axis=1) if ratio.size else np.zeros(0, dtype=bool)
    if not seen.any():
        return 1.0
    per_origin = np.nanmean(ratio[seen], axis=1)
    weight = OWN_WEIGHT * len(per_origin) / ORIGIN_COUNT
    own = float(np.mean(per_origin))
    return float(np.sqrt((weight * own + CLASS_WEIGHT) / (weight + CLASS_WEIGHT)))


def _best(squares: list[FloatArray], paths: FloatArray) -> Choice:
    usable = np.asarray(np.isfinite(paths).all(axis=1))
    usable[:SMOOTHERS] = False
    if not squares:
        found = np.where(usable, 1.0, np.inf)
        return choose(found, 0)
    found = np.sqrt(np.mean(squares, axis=0))
    found = found / max(float(found[NAIVE]), 1e-12)
    return choose(np.where(usable, found, np.inf), len(squares))


def _mean_square(gap: FloatArray) -> FloatArray:
    seen = np.isfinite(gap[NAIVE])
    return np.asarray(np.square(gap[:, seen]).mean(axis=1))


def _log_week(before: FloatArray, after: FloatArray) -> FloatArray:
    return np.asarray(np.log(np.maximum(rolling_week(before, after), LEAST)))


def _log_weeks(before: FloatArray, paths: FloatArray) -> FloatArray:
    return np.array([_log_week(before, path) for path in paths])


def _trimmed_deviation(column: FloatArray) -> float:
    seen = np.square(column[np.isfinite(column)])
    if seen.size < 20:
        return float("nan")
    kept = np.sort(seen)[: int(np.ceil(seen.size * (1 - TRIM)))]
    return float(np.sqrt(kept.mean()))
