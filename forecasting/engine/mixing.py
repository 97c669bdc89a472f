"""The mix of one series: chosen and judged on its own past, and held to a reference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from forecasting.arrays import BoolArray, FloatArray
from forecasting.engine.candidates import NAIVE, REFERENCE, Series, forecasts
from forecasting.engine.kinds import Reference, SeriesKind
from forecasting.engine.selection import Choice, Origin, choose, past_origins, scores

ORIGIN_COUNT: Final = 5
RATIO_POWER: Final = 16.0
"""Steepness with which the share of the mix falls with its error (ours)."""


@dataclass(frozen=True)
class Mixed:
    """The chosen mix of one series and its past errors.

    ``errors`` is actual minus forecast, one row per origin, one column per step, made with
    weights chosen without that origin; NaN where unknown. ``naive_scale`` is the mean absolute
    seasonal difference of the history. ``seen`` are the smallest and largest value, which the
    interval of a series that mostly has one value must hold; elsewhere infinite.
    """

    kind: SeriesKind
    seen: tuple[float, float]
    path: FloatArray
    errors: FloatArray
    naive_scale: float
    low: float
    high: float

    @property
    def has_backtest(self) -> bool:
        """Return true if its history was long enough for an origin."""
        return bool(np.isfinite(self.errors).any())


def mixed(series: Series, horizon: int, behind: int = 0) -> Mixed:
    """Backtest, choose and forecast one series, for the steps after the first ``behind``."""
    kind = series.kind
    origins = past_origins(series, horizon, ORIGIN_COUNT, kind.spacing)
    paths = forecasts(series, len(series.values), behind + horizon)[:, behind:]
    usable = np.asarray(np.isfinite(paths).all(axis=1))
    median = _mostly_one_value(series.values)
    choice = _chosen(origins, usable, kind, median)
    past = [_chosen(_without(origins, row), usable, kind, median) for row in range(len(origins))]
    trials = [
        Origin(_by_caution(origin.paths, chosen, kind), origin.actual)
        for origin, chosen in zip(origins, past, strict=True)
    ]
    errors = np.full((len(origins), horizon), np.nan)
    for index, trial in enumerate(trials):
        forecast = _leaning(_without(trials, index), kind) @ trial.paths
        errors[index, : len(trial.actual)] = np.subtract(trial.actual, forecast)
    return Mixed(
        kind=kind,
        seen=_seen(series.values) if median else (np.inf, -np.inf),
        path=np.asarray(_leaning(trials, kind) @ _by_caution(paths, choice, kind)),
        errors=errors,
        naive_scale=_naive_scale(series),
        low=series.low,
        high=series.high,
    )


def _without(origins: list[Origin], index: int) -> list[Origin]:
    return origins[:index] + origins[index + 1 :]


def _by_caution(paths: FloatArray, choice: Choice, kind: SeriesKind) -> FloatArray:
    """Reference, cautious forecast and mix as rows; all three are the mix without a reference."""
    mix = choice.mix(paths)
    if kind.reference is None:
        return np.vstack([mix, mix, mix])
    reference = paths[REFERENCE]
    walks = kind.reference is Reference.walk
    return np.vstack([reference, reference if walks else choice.cautious_mix(paths), mix])


def _leaning(trials: list[Origin], kind: SeriesKind) -> FloatArray:
    """Shares of the rows of ``_by_caution``, from trials at origins that the mix did not see.

    The mix counts half where its error is ``kind.convincing_ratio`` of that of the reference, and
    all but all where it is clearly less; the cautious forecast is the rest. Of medians one is
    taken, since a mean of them is none. Without a trial the mix is all.
    """
    if not trials:
        return np.array([0.0, 0.0, 1.0])
    ratio = max(float(scores(trials)[-1]), 1e-6)
    share = 1.0 / (1.0 + (ratio / kind.convincing_ratio) ** RATIO_POWER)
    if kind.median:
        share = float(round(share))
    return np.array([0.0, 1.0 - share, share])


def _seen(values: FloatArray) -> tuple[float, float]:
    return float(np.nanmin(values)), float(np.nanmax(values))


def _mostly_one_value(values: FloatArray) -> bool:
    """Return true for what is mostly zero or stands still: a mean is never what is observed."""
    _, counts = np.unique(values[np.isfinite(values)], return_counts=True)
    return bool(counts.max() > 0.5 * counts.sum())


def _chosen(origins: list[Origin], usable: BoolArray, kind: SeriesKind, median: bool) -> Choice:
    if not origins:
        reference = np.where(np.arange(len(usable)) == NAIVE, 1.0, np.inf)
        return choose(reference, 0, kind)
    method_scores = np.where(usable, scores(origins), np.inf)
    return choose(method_scores, len(origins), kind, median=median)


def _naive_scale(series: Series) -> float:
    """Mean absolute seasonal difference; that of neighbours in a history of no two cycles."""
    for lag in (series.kind.period, 1):
        changes = np.abs(series.values[lag:] - series.values[:-lag])
        seen = changes[np.isfinite(changes)]
        if seen.size and seen.mean() > 0:
            return float(seen.mean())
    return float(np.nanmax(series.values) - np.nanmin(series.values))
