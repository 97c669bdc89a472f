"""From values on a grid to a series with the features of its kind."""

from __future__ import annotations

from typing import Final

import numpy as np

from forecasting.calendars import event_columns, taught
from forecasting.engine.candidates import Features, Series
from forecasting.engine.design import Season, fourier
from forecasting.engine.kinds import Kind
from forecasting.history import BoolArray, FloatArray

EVENT_PRIOR: Final = 1.0
LONG_SEASON_STEPS: Final = 40
"""From this period in steps a season must be seen over whole cycles to be estimated."""


def series_of(
    values: FloatArray,
    first: np.datetime64,
    kind: Kind,
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
    steps = _steps(first, kind) + np.arange(total, dtype=np.float64)
    events = _events(first, total, np.isfinite(values), kind, country)
    return Series(
        values=values,
        kind=kind,
        plain=_features(steps, _known(kind.plain, kind, len(values)), events),
        rich=_features(steps, _known(kind.rich, kind, len(values)), events),
        low=0.0 if np.nanmin(values) >= 0 else -np.inf,
        high=high,
    )


def _steps(first: np.datetime64, kind: Kind) -> float:
    """Position of the first step since the epoch, as Prophet counts its seasons."""
    hours = first.astype("datetime64[h]").astype(np.int64)
    return float(hours) / kind.step_hours


def _events(
    first: np.datetime64, total: int, observed: BoolArray, kind: Kind, country: str | None
) -> FloatArray:
    if not kind.events:
        return np.empty((total, 0))
    days = first.astype("datetime64[D]") + np.arange(total)
    columns = event_columns(days, country)
    names = taught(columns, observed)
    if not names:
        return np.empty((total, 0))
    return np.column_stack([columns[name] for name in names]).astype(np.float64)


def _known(seasons: tuple[Season, ...], kind: Kind, count: int) -> tuple[Season, ...]:
    """Those seasons that ``count`` steps of history show often enough."""
    return tuple(
        season
        for season in seasons
        if season.period < LONG_SEASON_STEPS or count >= kind.yearly_cycles * season.period
    )


def _features(steps: FloatArray, seasons: tuple[Season, ...], events: FloatArray) -> Features:
    blocks = [fourier(steps, season) for season in seasons]
    priors = [np.full(2 * season.order, season.prior) for season in seasons]
    return Features(
        columns=np.hstack([*blocks, events]),
        priors=np.concatenate([*priors, np.full(events.shape[1], EVENT_PRIOR)]),
    )
