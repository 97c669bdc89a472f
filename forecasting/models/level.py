"""The last level: what the week and the calendar do to it, without a trend.

Exponential smoothing of the history without these effects, those of Prophet's fit: of a random walk
the last value, of a restless level around a mean that mean. Any trend has to beat it.
"""

from typing import Final

import numpy as np

from forecasting.arrays import FloatArray, IndexArray
from forecasting.engine.exact import exact_fit
from forecasting.history import History
from forecasting.model import ForecastModel, Prediction
from forecasting.specification import CONFIGURATIONS

SHARES: Final = (0.03, 0.1, 0.3, 0.6, 1.0)
"""Shares of the newest value in the level; the one with the least error of the next day is used."""
REMEMBERED_DAYS: Final = 120
"""Older values are not in the level (ours)."""
NEAR_WEIGHT: Final = 6.0
"""Ours, from real futures: less is worse than the last value on random walks, and as much for weeks
ahead delays the dates of what grows steadily."""
AHEAD_DAYS: Final = (1, 3, 7, 14, 28, 56, 112, 224)
"""Days ahead whose errors are measured; between them they are interpolated."""
FIRST_DAYS: Final = 14
"""Days whose errors do not count, their level being of few values (ours)."""


def predict(history: History, days: int) -> Prediction:
    """The level goes on, with the error that it had so many days later in the past."""
    fitted = exact_fit(history, days, CONFIGURATIONS[0])
    count = len(fitted.spec.values)
    rest = fitted.spec.values - fitted.effects[:count]
    levels = [_levels(rest, share) for share in SHARES]
    errors = [_mean_square(rest[1:] - level[:-1]) for level in levels]
    best = int(np.argmin(errors))
    ahead = count - 1 - history.last + np.arange(1, days + 1)
    return Prediction(
        expected=levels[best][-1] + fitted.effects[count:],
        variance=_variance(rest, levels[best], ahead),
        excess=np.zeros(days),
        log_scale=fitted.spec.log_scale,
        near_weight=NEAR_WEIGHT,
    )


LEVEL: Final = ForecastModel("level", lambda _: "last level", predict)
"""For any history that Prophet's model can be fitted to."""


def _levels(values: FloatArray, share: float) -> FloatArray:
    """Return the level as of each day: the exponentially weighted mean of the known values."""
    known = np.isfinite(values)
    weights = (1 - share) ** np.arange(REMEMBERED_DAYS)
    total, held = (
        np.convolve(part, weights)[: len(values)]
        for part in (np.where(known, values, 0.0), known.astype(np.float64))
    )
    last = np.maximum.accumulate(np.where(held > 0, np.arange(len(values)), 0))
    held = held[last]
    return np.asarray(
        np.divide(total[last], held, out=np.full(len(values), np.nan), where=held > 0)
    )


def _variance(values: FloatArray, levels: FloatArray, ahead: IndexArray) -> FloatArray:
    """Return the mean square of past errors so many days ahead, far ahead as of a random walk."""
    tried = [days for days in AHEAD_DAYS if days <= max(len(values) / 3, 1)]
    squares = np.asarray([_mean_square(values[days:] - levels[:-days]) for days in tried])
    if not np.isfinite(squares).any():
        return np.full(len(ahead), float(np.nanvar(values)))
    squares = np.where(np.isfinite(squares), squares, squares[np.isfinite(squares)].max())
    known: FloatArray = np.maximum.accumulate(np.interp(ahead, tried, squares))
    return np.asarray(known * np.maximum(ahead / tried[-1], 1.0))


def _mean_square(errors: FloatArray) -> float:
    some = errors[FIRST_DAYS:]
    some = some[np.isfinite(some)]
    return float(np.square(some).mean()) if len(some) else np.inf
