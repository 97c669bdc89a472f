"""What is modelled of one daily series: scale, seasons, calendar events, level shifts.

One description serves Prophet and the exact solver of the same model, so that a backtest by
the fast one says something about the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from forecasting.calendars import event_columns, taught
from forecasting.engine.shifts import level_shifts, step_columns
from forecasting.history import FloatArray, History
from forecasting.model import log_scale_fits

CHANGEPOINT_COUNT: Final = 25
CHANGEPOINT_RANGE: Final = 0.9
"""Share of the history in which the trend may bend; Prophet's 0.8 is blind for 146 of 730 days."""
CHANGEPOINT_PRIOR: Final = 0.05
WEEKLY_ORDER: Final = 3
YEARLY_ORDER: Final = 10
SEASON_PRIOR: Final = 10.0
REGRESSOR_PRIOR: Final = 10.0
YEARLY_ABOVE_DAYS: Final = 731
"""Span from which a yearly season is estimated: two of each day."""
RESIDUAL_LAGS: Final = (1, 2, 3, 7, 14)
"""Lags of the autoregression that carries the last level into the forecast."""


@dataclass(frozen=True)
class Specification:
    """One series ready to be fitted.

    ``values`` is on the model's scale, one per day of the history; ``regressors`` has one
    column per name over history and horizon.
    """

    values: FloatArray
    log_scale: bool
    names: tuple[str, ...]
    regressors: FloatArray
    yearly: bool


def specification(history: History, days: int) -> Specification:
    """Describe ``history`` for a forecast of the ``days`` days behind it."""
    log_scale = log_scale_fits(history)
    values = np.log(history.values) if log_scale else history.values
    total = len(values) + days
    events = event_columns(history.first_day + np.arange(total), history.country)
    known = taught(events, history.observed)
    shifts = level_shifts(values, 7)
    columns = [events[name].astype(np.float64)[:, None] for name in known]
    seen = np.flatnonzero(history.observed)
    return Specification(
        values=values,
        log_scale=log_scale,
        names=(*known, *(f"level_shift_{index + 1}" for index in range(len(shifts)))),
        regressors=np.hstack([*columns, step_columns(shifts, total)]),
        yearly=int(seen[-1] - seen[0]) + 1 >= YEARLY_ABOVE_DAYS,
    )
