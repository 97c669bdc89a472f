"""Rolling origins: which candidates did best, and how wrong their mix was."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from forecasting.arrays import FloatArray
from forecasting.engine.candidates import NAIVE, REFERENCE, Series, forecasts
from forecasting.engine.kinds import SeriesKind

MIXED: Final = 4
"""Candidates in the mix."""
MIXED_WITH_FEW_ORIGINS: Final = 3
MIN_ORIGINS: Final = 3
MIN_SCORED: Final = 3
"""Observed values that make an origin usable."""


@dataclass(frozen=True)
class Origin:
    """Forecasts of all methods from one past origin with what came; NaN where unknown."""

    paths: FloatArray
    actual: FloatArray


@dataclass(frozen=True)
class Choice:
    """Weights of the methods, summing to one, and whether a median is taken instead."""

    weights: FloatArray
    median: bool = False

    def mix(self, paths: FloatArray) -> FloatArray:
        """Return the path that combines those of all methods."""
        used = np.flatnonzero(self.weights)
        if self.median:
            return np.asarray(np.median(paths[used], axis=0))
        return np.asarray(self.weights[used] @ paths[used])

    def cautious_mix(self, paths: FloatArray) -> FloatArray:
        """Return the median of the methods in the mix and of the reference, which counts twice.

        With three methods it leaves the reference where all of them are on one side of it, and as
        far as the nearest of them.
        """
        rows = [*np.flatnonzero(self.weights), REFERENCE, REFERENCE]
        return np.asarray(np.median(paths[rows], axis=0))


def past_origins(
    series: Series, horizon: int, count: int, spacing: int | None = None
) -> list[Origin]:
    """Forecasts from up to ``count`` origins, ``spacing`` steps apart, latest first.

    The first is one spacing before the end. Each forecast runs to the end of the history or
    ``horizon`` steps, whichever is shorter; origins that leave too little history are skipped.
    """
    apart = spacing or horizon
    size = len(series.values)
    origins = []
    for back in range(1, count + 1):
        start = size - back * apart
        if start < series.kind.shortest or np.isfinite(series.values[:start]).sum() < 20:
            break
        ahead = min(horizon, size - start)
        actual = series.values[start : start + ahead]
        if np.isfinite(actual).sum() >= MIN_SCORED and _varies(series.values[:start]):
            origins.append(Origin(forecasts(series, start, ahead), actual))
    return origins


def scores(origins: list[Origin]) -> FloatArray:
    """Error of each method: sqrt(relative sMAPE x relative MAE), relative to the naive one."""
    smape, error = [], []
    for origin in origins:
        seen = np.isfinite(origin.actual)
        actual, paths = origin.actual[seen], origin.paths[:, seen]
        gap = np.abs(paths - actual)
        total = np.abs(paths) + np.abs(actual)
        smape.append(np.divide(gap, total, out=np.zeros_like(gap), where=total > 0).mean(axis=1))
        error.append(gap.mean(axis=1))
    means = [np.mean(part, axis=0) for part in (smape, error)]
    ratio = [part / max(float(part[NAIVE]), 1e-12) for part in means]
    return np.asarray(np.sqrt(ratio[0] * ratio[1]))


def choose(
    method_scores: FloatArray, origins: int, kind: SeriesKind, *, median: bool = False
) -> Choice:
    """The best few methods, weighted by the inverse score to the power of the kind.

    With few origins, or if ``median`` or the kind wants it, the median of the best three. The
    naive one competes, so that a mix of methods that are all worse is never made.
    """
    usable = np.where(np.isfinite(method_scores), method_scores, np.inf)
    order = np.argsort(usable, kind="stable")
    few = median or kind.median or origins < MIN_ORIGINS
    best = order[: MIXED_WITH_FEW_ORIGINS if few else MIXED]
    best = best[np.isfinite(usable[best])]
    weights = np.zeros(len(method_scores))
    weights[best] = np.maximum(usable[best], 1e-6) ** -kind.power
    return Choice(weights / weights.sum(), median=few)


def _varies(values: FloatArray) -> bool:
    seen = values[np.isfinite(values)]
    return bool(seen.size and np.ptp(seen) > 0)
