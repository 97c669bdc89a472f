"""Forecasts of every candidate for one series from one origin."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from forecasting.arrays import FloatArray
from forecasting.engine.design import Design, changepoints, design
from forecasting.engine.gram import gram_of
from forecasting.engine.kinds import Candidate, Reference, SeriesKind
from forecasting.engine.levels import adjusted_naive, median_cycle, recent_median, walk
from forecasting.engine.shifts import level_shifts, step_columns
from forecasting.engine.smoothing import residual_path, seasonal_naive, smoothed_profile
from forecasting.engine.solver import Fit, solve

CHANGEPOINT_COUNT: Final = 25
STEP_PRIOR: Final = 1.0
FLAT_GROWTH_PRIOR: Final = 1e-4
"""Prior deviation that holds the slope of flat growth at zero."""
NOISE_TOLERANCE: Final = 1e-2
"""Relative change of the noise at which a candidate's fit ends."""
SHRINK: Final = 0.25
"""The forecast stays above this share of the smallest value of the last periods (ours)."""
GROW: Final = 4.0
"""... and below this multiple of the largest one (ours)."""
NAIVE: Final = 0
"""Index of seasonal naive among the forecasts."""
REFERENCE: Final = 3
"""Index of the reference of the kind."""
SIMPLE_COUNT: Final = 4
"""Methods of every kind that know no calendar: naive, two smoothed profiles and the reference."""


@dataclass(frozen=True)
class Features:
    """Season and event columns over history and horizon, with their prior deviations."""

    columns: FloatArray
    priors: FloatArray


@dataclass(frozen=True)
class Series:
    """A series on its grid, with everything that its candidates share.

    ``values`` is cleaned, NaN where missing. ``low`` and ``high`` bound every forecast.
    """

    values: FloatArray
    kind: SeriesKind
    plain: Features
    rich: Features
    low: float = 0.0
    high: float = np.inf

    @property
    def log_possible(self) -> bool:
        """True if every value is above zero, as the log scale needs."""
        return bool(np.nanmin(self.values) > 0)

    @property
    def has_year(self) -> bool:
        """True if the history is long enough for more than the plain seasons."""
        return self.rich.columns.shape != self.plain.columns.shape


def method_count(kind: SeriesKind) -> int:
    """Number of forecasts that ``forecasts`` returns."""
    return _first_model(kind) + len(kind.candidates)


def method_names(kind: SeriesKind) -> tuple[str, ...]:
    """Names of the rows of ``forecasts``."""
    models = tuple(f"prophet[{_words(candidate)}]" for candidate in kind.candidates)
    return (
        *("seasonal_naive", "smoothed_profile", "smoothed_log_profile", kind.reference or "none"),
        *(f"median[{width}]" for width in kind.levels),
        *(f"median_cycle[{cycles}]" for cycles in kind.cycles),
        *models,
    )


def _first_model(kind: SeriesKind) -> int:
    return SIMPLE_COUNT + len(kind.levels) + len(kind.cycles)


def forecasts(series: Series, origin: int, horizon: int) -> FloatArray:
    """Forecasts for the ``horizon`` steps after the first ``origin``, one row per method.

    Row ``NAIVE`` is seasonal naive. Candidates on the log scale are NaN for a series that is
    not positive, rich ones where the history is too short for more than the plain seasons, the
    reference and the smoothed profiles where the kind has none.
    """
    history = series.values[:origin]
    result = np.full((method_count(series.kind), horizon), np.nan)
    kind = series.kind
    result[0] = seasonal_naive(history, kind.period, horizon)
    scales = {False: _Scaled.of(history)}
    logs = np.log(history) if series.log_possible else None
    if logs is not None:
        scales[True] = _Scaled.of(logs)
    if kind.smoothed:
        result[1:3] = _smoothed(history, logs, kind.profile, horizon)
    if kind.reference is Reference.walk:
        result[REFERENCE] = walk(history, kind.lags, horizon)
    elif kind.reference is Reference.adjusted_naive:
        result[REFERENCE] = adjusted_naive(history, kind.period, horizon)
    for row, width in enumerate(kind.levels, SIMPLE_COUNT):
        result[row] = recent_median(history, width, horizon)
    for row, cycles in enumerate(kind.cycles, SIMPLE_COUNT + len(kind.levels)):
        result[row] = median_cycle(history, kind.period, cycles, horizon)
    usual = history if logs is None else logs
    shifts = tuple(level_shifts(usual, kind.profile)) if kind.shifts else ()
    for members in _groups(kind).values():
        _forecast_group(series, scales, members, shifts, result)
    return _bounded(result, series, history)


def _smoothed(
    history: FloatArray, logs: FloatArray | None, profile: int, horizon: int
) -> FloatArray:
    """Both smoothed profiles; that of the logarithms is NaN without ``logs``."""
    linear = smoothed_profile(history, profile, horizon)
    if logs is None:
        return np.array([linear, np.full(horizon, np.nan)])
    return np.array([linear, np.exp(smoothed_profile(logs, profile, horizon))])


@dataclass(frozen=True)
class _Scaled:
    """Values as Prophet scales them with ``scaling='minmax'``."""

    values: FloatArray
    offset: float
    size: float

    @classmethod
    def of(cls, values: FloatArray) -> _Scaled:
        low, high = float(np.nanmin(values)), float(np.nanmax(values))
        size = high - low if high > low else 1.0
        return cls((values - low) / size, low, size)


def _groups(kind: SeriesKind) -> dict[tuple[bool, float, bool, float | None], list[int]]:
    groups: dict[tuple[bool, float, bool, float | None], list[int]] = defaultdict(list)
    for index, candidate in enumerate(kind.candidates):
        groups[candidate.group].append(index)
    return groups


def _forecast_group(
    series: Series,
    scales: dict[bool, _Scaled],
    members: list[int],
    shifts: tuple[int, ...],
    result: FloatArray,
) -> None:
    """Fill the rows of candidates that share columns and weights."""
    candidates = series.kind.candidates
    fitted = [
        index
        for index in members
        if candidates[index].log in scales and not _has_twin(series, candidates[index])
    ]
    if not fitted:
        return
    first_model = _first_model(series.kind)
    horizon = result.shape[1]
    origin = len(scales[False].values)
    observed = np.isfinite(scales[False].values)
    positions = np.flatnonzero(observed).astype(np.float64)
    plan = _plan(series, candidates[members[0]], positions, origin + horizon, shifts)
    shared = gram_of(plan, observed, candidates[members[0]].half_life)
    for index in fitted:
        candidate = candidates[index]
        scaled = scales[candidate.log]
        data = shared.moments(scaled.values[observed])
        fit = solve(plan, data, candidate.tau, tolerance=NOISE_TOLERANCE)
        path = _path(series.kind, plan, fit, scaled, horizon, candidate.damping)
        path = path * scaled.size + scaled.offset
        result[first_model + index] = np.exp(np.minimum(path, 700.0)) if candidate.log else path


def _has_twin(series: Series, candidate: Candidate) -> bool:
    """Return true if a rich candidate equals its plain one: its seasons have too little history."""
    if not candidate.rich or series.has_year:
        return False
    return replace(candidate, rich=False) in series.kind.candidates


def _plan(
    series: Series,
    candidate: Candidate,
    positions: FloatArray,
    total: int,
    shifts: tuple[int, ...],
) -> Design:
    features = series.rich if candidate.rich else series.plain
    columns, priors = features.columns[:total], features.priors
    if shifts:
        columns = np.hstack([columns, step_columns(list(shifts), total)])
        priors = np.concatenate([priors, np.full(len(shifts), STEP_PRIOR)])
    times = (positions - positions[0]) / max(float(positions[-1] - positions[0]), 1.0)
    count = 0 if candidate.flat else CHANGEPOINT_COUNT
    plan = design(positions, total, changepoints(times, count, candidate.share), columns, priors)
    if not candidate.flat:
        return plan
    precision = plan.precision.copy()
    precision[0] = FLAT_GROWTH_PRIOR**-2.0
    return replace(plan, precision=precision)


def _path(
    kind: SeriesKind, plan: Design, fit: Fit, scaled: _Scaled, horizon: int, damping: float
) -> FloatArray:
    """Scaled forecast: the model's line, its slope damped, plus the expected residuals."""
    line = plan.columns @ fit.coefficients
    origin = len(scaled.values)
    ahead = line[origin:].copy()
    if damping < 1.0:
        ramps = fit.coefficients[2 : 2 + plan.ramp_count]
        slope = (fit.coefficients[0] + ramps.sum()) * (plan.columns[1, 0] - plan.columns[0, 0])
        steps = np.arange(1, horizon + 1)
        ahead += slope * (np.cumsum(damping**steps) - steps)
    return ahead + residual_path(scaled.values - line[:origin], kind.lags, horizon)


def _bounded(result: FloatArray, series: Series, history: FloatArray) -> FloatArray:
    recent = history[-max(4 * series.kind.period, 60) :]
    recent = recent[np.isfinite(recent)]
    if not recent.size:
        recent = history[np.isfinite(history)]
    low, high = series.low, series.high
    if recent.min() > 0:
        low, high = max(low, SHRINK * recent.min()), min(high, GROW * recent.max())
    return np.asarray(np.clip(result, low, max(low, high)))


def _words(candidate: Candidate) -> str:
    parts = [
        "log" if candidate.log else "linear",
        "flat" if candidate.flat else f"tau={candidate.tau:g},range={candidate.share:g}",
    ]
    if candidate.rich:
        parts.append("rich")
    if candidate.damping < 1:
        parts.append(f"damped={candidate.damping:g}")
    if candidate.half_life is not None:
        parts.append(f"half_life={candidate.half_life:g}")
    return ",".join(parts)
