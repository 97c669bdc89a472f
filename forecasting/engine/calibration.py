"""Prediction intervals from the errors that the same procedure made in the past."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from forecasting.arrays import FloatArray
from forecasting.engine.mixing import Mixed
from forecasting.engine.pooled import PooledFigures, pooled_figures, untested_figures

NAIVE_SHARE: Final = 0.3
"""Weight of the scale of the naive error in the scale of a series, a geometric mean (ours)."""
SMOOTHING_STEPS: Final = 5
"""Width of the moving mean over the error profile."""
TAIL: Final = 0.025
"""Share of the errors beyond either end of a 95 % interval."""
FEWEST_ORIGINS: Final = 39
"""Fewer origins in all hold no such share (``tails``): the table of pooled figures counts."""
LEAST_SCALE: Final = 0.1
"""A series is never taken for calmer than this share of its naive error (ours)."""


@dataclass(frozen=True)
class Calibration:
    """Error profile over the horizon and both tail quantiles, shared by a class of series."""

    profile: FloatArray
    lower: float
    upper: float
    own_to_naive: float


def calibrate(items: list[Mixed], horizon: int) -> Calibration:
    """Pool the errors of all series of one kind, each standardised by its other origins.

    Series with few origins in all take the pooled figures of the table instead. Those without any
    count for nothing here (``calibration_of``).
    """
    scored = [item for item in items if item.has_backtest and item.naive_scale > 0]
    origins = sum(int(np.isfinite(item.errors).any(axis=1).sum()) for item in scored)
    if origins < FEWEST_ORIGINS:
        return pooled_calibration(pooled_figures(items[0].kind.step), horizon)
    own = np.array([own_scale(item.errors) / item.naive_scale for item in scored])
    ratio = float(np.median(own))
    pooled = np.vstack([standardised(item, ratio) for item in scored])
    profile = _profile(pooled)
    flat = (pooled / profile).ravel()
    lower, upper = tails(flat[np.isfinite(flat)], origins)
    return Calibration(profile, lower, upper, ratio)


def pooled_calibration(row: PooledFigures, horizon: int) -> Calibration:
    """Return what the pooled figures of a step say of ``horizon`` steps."""
    growth = np.arange(1.0, horizon + 1.0) ** row.growth_power
    return Calibration(growth, row.lower, row.upper, row.own_to_naive)


def calibrations(items: list[Mixed], horizon: int) -> dict[str, Calibration]:
    """What ``calibrate`` returns for each kind of series, by its name."""
    names = sorted({item.kind.name for item in items})
    return {
        name: calibrate([item for item in items if item.kind.name == name], horizon)
        for name in names
    }


def calibration_of(item: Mixed, shared: Mapping[str, Calibration]) -> Calibration:
    """Return what ``shared`` (``calibrations``) has for the kind of a series.

    A series whose history is too short for a back-test repeats its last cycle: by day and by week
    it has that of the errors of such forecasts, whatever is known of series with a back-test.
    """
    untested = None if item.has_backtest else untested_figures(item.kind.step)
    if untested is None:
        return shared[item.kind.name]
    return pooled_calibration(untested, len(item.path))


def tails(errors: FloatArray, origins: int, tail: float = TAIL) -> tuple[float, float]:
    """Lower and upper end beyond which a share of ``tail`` of further errors is, at either end.

    Errors of one origin move together: it counts as one. Of so many equal draws the quantile of
    level (1 - a)(1 + 1/n) holds the share 1 - a of the next one (split conformal prediction).
    """
    level = min((1 - tail) * (1 + 1 / origins), 1.0)
    lower, upper = np.quantile(errors, [1 - level, level])
    return min(float(lower), 0.0), max(float(upper), 0.0)


def interval(item: Mixed, shared: Calibration) -> tuple[FloatArray, FloatArray]:
    """Lower and upper end of the central 95 % interval."""
    spread = _scale(item, item.errors, shared.own_to_naive) * shared.profile
    ends = (item.path + shared.lower * spread, item.path + shared.upper * spread)
    lower, upper = (np.clip(end, item.low, max(item.low, item.high)) for end in ends)
    least, most = item.seen
    return (
        np.minimum(np.minimum(lower, item.path), least),
        np.maximum(np.maximum(upper, item.path), most),
    )


def standardised(item: Mixed, ratio: float) -> FloatArray:
    """Errors of a series, each origin in units of the scale that the others give it."""
    result = np.full_like(item.errors, np.nan)
    for index in range(len(item.errors)):
        others = np.delete(item.errors, index, axis=0)
        scale = _scale(item, others, ratio)
        if scale > 0:
            result[index] = item.errors[index] / scale
    return result


def _scale(item: Mixed, errors: FloatArray, ratio: float) -> float:
    naive = ratio * item.naive_scale
    if not np.isfinite(errors).any():
        return naive
    own = max(own_scale(errors), LEAST_SCALE * naive)
    return float(own ** (1 - NAIVE_SHARE) * naive**NAIVE_SHARE)


def own_scale(errors: FloatArray) -> float:
    """Scale between mean absolute and root mean square error: rare large errors make tails."""
    absolute = float(np.nanmean(np.abs(errors)))
    return 0.5 * (absolute + float(np.sqrt(np.nanmean(np.square(errors)))))


def _profile(pooled: FloatArray) -> FloatArray:
    """Typical standardised error per step, smoothed; steps never seen repeat the last one."""
    counts = np.isfinite(pooled).sum(axis=0)
    sums = np.nansum(np.minimum(np.abs(pooled), 20.0), axis=0)
    typical = np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)
    seen = np.flatnonzero(counts > 0)
    if not seen.size:
        return np.asarray(np.sqrt(np.arange(1.0, len(typical) + 1.0)))
    typical = np.interp(np.arange(len(typical)), seen, typical[seen])
    width = min(SMOOTHING_STEPS, len(typical))
    padded = np.pad(typical, width // 2, mode="edge")
    smooth = np.convolve(padded, np.ones(width) / width, mode="valid")[: len(typical)]
    return np.asarray(np.maximum(smooth, 1e-9))
