"""Dates of threshold crossings for a file of daily series, calibrated on its own backtests."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np
import pandas as pd

from forecasting.arrays import BoolArray, FloatArray
from forecasting.engine.candidates import NAIVE, SIMPLE_COUNT, Series, forecasts
from forecasting.engine.passage import WINDOW, Passage, first_passage, rolling_week
from forecasting.engine.recalibration import HISTORY_DAYS, USUAL_HISTORY_DAYS
from forecasting.engine.selection import Choice, past_origins
from forecasting.prepare import MAD_TO_SIGMA

HORIZON_DAYS: Final = 365
ORIGIN_DAYS: Final = 15
ORIGIN_COUNT: Final = 20
LONGEST_BACKTEST: Final = 180
"""Days ahead that are compared at most."""
LEAST: Final = 1e-6
"""Smallest value that is put on the log scale."""
OWN_WEIGHT: Final = 12.0
CLASS_WEIGHT: Final = 6.0
"""Weight of the class, in independent origins, beside those of the series (ours)."""
CHI_SQUARE_MEDIAN: Final = 0.455
"""Median of a squared standard normal: an upgrade during one origin is not the series' noise."""
DISAGREEMENT: Final = 1.0
"""Share of the candidates' variance that is added to the error variance (ours)."""
SHARP_SPREAD: Final = 0.5
"""Share of the spread with which sharp paths are simulated (ours)."""
NOISE_REPEATED: Final = 0.6
"""Share of the noise that is drawn anew along a path; the calendar explains the rest (ours)."""
NOISE_WINDOW: Final = 43
"""Days of the centred median that is the level of a 7-day mean (ours)."""
GROWTH_FROM_DAYS: Final = 60
"""After the horizon of the back-test the spread grows by the power law seen from here on."""
WEIGHT_POWER: Final = 3.0
"""Weights of candidates fall with this power of their error (ours)."""
RECENT_DAYS: Final = 35
"""Days of the highest week that a limit is compared with: the last month-end is among them."""
HISTORY_POWER: Final = 0.65
"""Errors fall with this power of the length of the history (ours).

The errors themselves say 0.48 to 0.74: 1,350 simulated metrics of three seeds, and the histories of
``crossing_dev``."""
LEAST_ERRORS: Final = 70
"""Errors without which a day of the class profile is not known: about those of four series
(ours)."""
TRIM: Final = 0.02
"""Share of the largest squared errors left out of the class profile."""


@dataclass(frozen=True)
class Outlook:
    """Expected path of a series: log of the 7-day mean, with its past errors.

    ``errors`` has one row per origin and one column per day ahead, NaN where unknown, made
    with weights chosen without that origin. ``disagreement`` is the weighted variance of the
    mixed candidates. ``noise`` is the deviation of the 7-day mean from its level in calm times,
    ``highest`` the log of its largest value in the last five weeks, ``history_days`` the length
    of the history. ``flat`` is the same without growth, ``None`` where the history is long enough
    to tell growth from the season of the year.
    """

    centre: FloatArray
    errors: FloatArray
    disagreement: FloatArray
    choice: Choice
    noise: float = 0.0
    highest: float = 0.0
    history_days: int = 0
    flat: Outlook | None = None

    def after(self, days: int) -> Outlook:
        """The same outlook, seen ``days`` later without a new value."""
        return replace(
            self,
            centre=self.centre[days:],
            disagreement=self.disagreement[days:],
            flat=self.flat and self.flat.after(days),
        )

    @property
    def sharp(self) -> Outlook:
        """The one that sharp paths follow: without growth where there is such a one."""
        return self.flat or self


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
    logs = _log_weeks(series.values, paths)
    recent = _log_week(series.values[:WINDOW], series.values[WINDOW:])[-RECENT_DAYS:]
    usable = np.asarray(np.isfinite(paths).all(axis=1))
    usable[:SIMPLE_COUNT] = False  # references here, never part of the mix
    if not usable.any():
        usable[NAIVE] = True
    naive = np.arange(len(usable)) == NAIVE
    noise = _week_noise(series.values)
    return replace(
        _mixed(logs, gaps, usable, noise, size),
        highest=float(np.nanmax(recent)),
        flat=None if series.has_year else _mixed(logs, gaps, naive, noise, size),
    )


def _mixed(
    logs: FloatArray, gaps: list[FloatArray], usable: BoolArray, noise: float, history_days: int
) -> Outlook:
    """Return the mix of the ``usable`` methods, with its past errors.

    ``logs`` and ``gaps`` (one for each origin) have one row per method.
    """
    squares = [_mean_square(gap) for gap in gaps]
    choice = _weighted(squares, usable)
    errors = np.full((len(gaps), LONGEST_BACKTEST), np.nan)
    for index, gap in enumerate(gaps):
        others = squares[:index] + squares[index + 1 :]
        errors[index, : gap.shape[1]] = -_weighted(others, usable).mix(gap)
    used = choice.weights > 0
    centre = choice.mix(logs)
    spread = choice.weights[used] @ np.square(logs[used] - centre)
    return Outlook(centre, errors, np.asarray(spread), choice, noise, history_days=history_days)


class Profiles(NamedTuple):
    """Class profiles of the mixes and of what sharp paths follow."""

    mixed: FloatArray
    sharp: FloatArray


def class_profiles(outlooks: list[Outlook], horizon: int = HORIZON_DAYS) -> Profiles:
    """Return the profiles of all mixes and of all that sharp paths follow."""
    sharp = [item.sharp for item in outlooks]
    return Profiles(class_profile(outlooks, horizon), class_profile(sharp, horizon))


def class_profile(outlooks: list[Outlook], horizon: int = HORIZON_DAYS) -> FloatArray:
    """Standard deviation of the error per day ahead, over all series; longer days by power law.

    It is that of a history of ``USUAL_HISTORY_DAYS``; errors of the others count by
    ``history_factor``.
    """
    usual = [item.errors / history_factor(item.history_days) for item in outlooks]
    pooled = np.vstack([np.empty((0, LONGEST_BACKTEST)), *usual])
    deviation = np.array([_trimmed_deviation(column) for column in pooled.T])
    is_finite = np.isfinite(deviation)
    if is_finite.sum() < GROWTH_FROM_DAYS:
        return np.asarray(0.03 + 0.015 * np.sqrt(np.arange(1, horizon + 1)))
    days = np.arange(1, len(deviation) + 1)
    late = is_finite & (days >= GROWTH_FROM_DAYS)
    power = 0.5
    if late.sum() > 10:
        power = float(np.polyfit(np.log(days[late]), np.log(deviation[late]), 1)[0])
    last = int(days[is_finite].max())
    level = float(np.mean(deviation[is_finite][-15:]))
    filled = np.interp(np.arange(1, horizon + 1), days[is_finite], deviation[is_finite])
    is_extrapolated = np.arange(1, horizon + 1) > last
    grown = level * (np.arange(1, horizon + 1) / last) ** np.clip(power, 0.5, 1.0)
    return np.asarray(np.maximum.accumulate(np.where(is_extrapolated, grown, filled)))


def history_factor(history_days: int) -> float:
    """Return the usual error of a history of that length by that of ``USUAL_HISTORY_DAYS``."""
    return float((np.clip(history_days, *HISTORY_DAYS) / USUAL_HISTORY_DAYS) ** -HISTORY_POWER)


def passages(item: Outlook, profiles: Profiles, threshold: float) -> tuple[Passage, Passage]:
    """Return the distribution as simulated, and that of sharp paths."""
    sharp = passage(item.sharp, profiles.sharp, threshold, spread_share=SHARP_SPREAD)
    return passage(item, profiles.mixed, threshold), sharp


def passage(
    item: Outlook,
    profile: FloatArray,
    threshold: float | FloatArray,
    *,
    upward: bool = True,
    spread_share: float = 1.0,
) -> Passage:
    """Distribution of the first day on which the 7-day mean is at the threshold.

    ``threshold`` is one figure or, for a limit that will change, one per day ahead. ``profile`` is
    that of the class (``class_profile``).
    """
    profile = profile * history_factor(item.history_days)
    factor = _own_factor(item.errors, profile)
    variance = np.square(profile * factor) + DISAGREEMENT * item.disagreement
    spread = spread_share * np.sqrt(variance)
    limit = np.log(np.maximum(threshold, LEAST))
    noise = NOISE_REPEATED * item.noise
    return first_passage(item.centre, spread, limit, noise=noise, upward=upward)


def distance(item: Outlook, threshold: float) -> float:
    """Logarithm of a threshold by the highest week of the last five."""
    return float(np.log(max(threshold, LEAST))) - item.highest


def _own_factor(errors: FloatArray, profile: FloatArray) -> float:
    """The series' error relative to its class, from its usual origin, shrunk to 1."""
    ratio = np.square(errors / profile[: errors.shape[1]])
    seen = np.isfinite(ratio).any(axis=1) if ratio.size else np.zeros(0, dtype=bool)
    if not seen.any():
        return 1.0
    per_origin = np.nanmean(ratio[seen], axis=1)
    weight = OWN_WEIGHT * len(per_origin) / ORIGIN_COUNT
    own = float(np.median(per_origin)) / CHI_SQUARE_MEDIAN
    return float(np.sqrt((weight * own + CLASS_WEIGHT) / (weight + CLASS_WEIGHT)))


def _weighted(squares: list[FloatArray], usable: BoolArray) -> Choice:
    """The usable candidates, weighted by a power of their error; equally without origins."""
    error = np.sqrt(np.mean(squares, axis=0)) if squares else np.ones(len(usable))
    known = np.nan_to_num(error, nan=np.inf)
    weights = np.where(usable, np.maximum(known, LEAST) ** -WEIGHT_POWER, 0.0)
    return Choice(weights / weights.sum())


def _mean_square(gap: FloatArray) -> FloatArray:
    seen = np.isfinite(gap[NAIVE])
    return np.asarray(np.square(gap[:, seen]).mean(axis=1))


def _log_week(before: FloatArray, after: FloatArray) -> FloatArray:
    return np.asarray(np.log(np.maximum(rolling_week(before, after), LEAST)))


def _log_weeks(before: FloatArray, paths: FloatArray) -> FloatArray:
    return np.array([_log_week(before, path) for path in paths])


def _week_noise(values: FloatArray) -> float:
    """Robust deviation of the log 7-day mean from its centred median over six weeks.

    What moves more slowly than that is no noise here but an error of the level: the median follows
    it. Of independent days the result is so about a tenth below the deviation of the 7-day mean;
    ``first_passage`` gives the difference to the level, whose variance is what noise leaves.
    """
    week = pd.Series(_log_week(values[:WINDOW], values[WINDOW:]))
    level = week.rolling(NOISE_WINDOW, center=True, min_periods=NOISE_WINDOW // 2).median()
    gap = np.abs((week - level).to_numpy(dtype=np.float64))
    finite_gap = gap[np.isfinite(gap)]
    return MAD_TO_SIGMA * float(np.median(finite_gap)) if finite_gap.size else 0.0


def _trimmed_deviation(column: FloatArray) -> float:
    seen = np.square(column[np.isfinite(column)])
    if seen.size < LEAST_ERRORS:
        return float("nan")
    trimmed = np.sort(seen)[: int(np.ceil(seen.size * (1 - TRIM)))]
    return float(np.sqrt(trimmed.mean()))
