"""Construction of a series with the features of its kind from values on a grid."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np

from forecasting.arrays import BoolArray, FloatArray
from forecasting.calendars import frequent_events, shared_event_columns
from forecasting.engine.candidates import Features, Series
from forecasting.engine.design import Season, fourier
from forecasting.engine.kinds import SeriesKind

EVENT_PRIOR: Final = 1.0
LONG_SEASON_STEPS: Final = 40
"""From this period in steps complete cycles of a season must be observed for it to be estimated."""


def series_of(
    values: FloatArray,
    first: np.datetime64,
    kind: SeriesKind,
    horizon: int,
    *,
    country: str | None = None,
    high: float = np.inf,
) -> Series:
    """A series with its columns up to ``horizon`` steps behind the history.

    Args:
        values: One per grid step, cleaned, NaN where missing.
        first: Time of the first step.
        kind: Class of the series.
        horizon: Steps to forecast at most.
        country: Selects public holidays (daily kinds).
        high: Largest value that can exist.
    """
    total = len(values) + horizon
    start = _steps(first, kind)
    events = _events(first, total, np.isfinite(values), kind, country)
    plain, rich = (
        _features(start, total, _known(seasons, kind, len(values)), events)
        for seasons in (kind.plain, kind.rich)
    )
    return Series(
        values=values,
        kind=kind,
        plain=plain,
        rich=rich,
        low=0.0 if np.nanmin(values) >= 0 else -np.inf,
        high=high,
    )


def _steps(first: np.datetime64, kind: SeriesKind) -> float:
    """Position of the first step since the epoch, as Prophet counts its seasons."""
    hours = first.astype("datetime64[h]").astype(np.int64)
    return float(hours) / kind.step_hours


def _events(
    first: np.datetime64, total: int, observed: BoolArray, kind: SeriesKind, country: str | None
) -> FloatArray:
    if not kind.events:
        return np.empty((total, 0))
    columns = shared_event_columns(first.astype("datetime64[D]"), total, country)
    names = frequent_events(columns, observed)
    if not names:
        return np.empty((total, 0))
    return np.column_stack([columns[name] for name in names]).astype(np.float64)


def _known(seasons: tuple[Season, ...], kind: SeriesKind, count: int) -> tuple[Season, ...]:
    """Those seasons that ``count`` steps of history show often enough."""
    return tuple(
        season
        for season in seasons
        if season.period < LONG_SEASON_STEPS or count >= kind.yearly_cycles * season.period
    )


def _features(
    start: float, total: int, seasons: tuple[Season, ...], events: FloatArray
) -> Features:
    priors = [np.full(2 * season.order, season.prior) for season in seasons]
    return Features(
        columns=np.hstack([_season_columns(start, total, seasons), events]),
        priors=np.concatenate([*priors, np.full(events.shape[1], EVENT_PRIOR)]),
    )


@lru_cache(maxsize=32)
def _season_columns(start: float, total: int, seasons: tuple[Season, ...]) -> FloatArray:
    """Fourier columns of all series on one grid; not to be written to."""
    steps = start + np.arange(total, dtype=np.float64)
    return np.hstack([np.empty((total, 0)), *(fourier(steps, season) for season in seasons)])
