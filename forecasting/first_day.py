"""Distribution of the first day on which a series is over its limit, from simulated paths.

Every day of a path is inside the prediction interval with its stated probability. The error of one
day is partly that of all (a misjudged level and slope) and partly independent from day to day.
The second part is why a limit is passed before the middle line reaches it: one day is enough, and
there are many. A calendar day has the same draws for all series and on all nights, so that equal
forecasts give equal dates.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from statistics import NormalDist
from typing import Final

import numpy as np

from forecasting.draws import PATHS, calendar_draws
from forecasting.history import FloatArray
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import Direction

SLOPE_SHARE: Final = 0.7
"""Share of the lasting error's variance that is a misjudged slope; the rest is a random walk."""
NOISE_SHARE: Final = 0.7
"""Share of the first days' error variance that is drawn anew every day. On past limits of
simulated metrics it gives probabilities that come true (ours)."""
FIRST_WEEKS: Final = 2
"""The noise of a weekday is that of its narrowest interval in so many weeks (ours)."""


def first_day_probability(
    forecast: Forecast, limits: Sequence[float], direction: Direction, *, strict: bool
) -> FloatArray:
    """Return the probability that a day from the first one up to each day is over its limit.

    ``limits`` has one value per day of ``forecast.every_day``, in the unit of the series.
    """
    if not forecast.every_day:
        return np.empty(0)
    paths = _paths(forecast)
    limit = np.asarray(limits, dtype=np.float64)
    if direction is Direction.downward:
        paths, limit = -paths, -limit
    over = paths > limit if strict else paths >= limit
    first = over.argmax(axis=1)[over.any(axis=1)]
    return np.asarray(np.cumsum(np.bincount(first, minlength=len(limit))) / PATHS)


def _paths(forecast: Forecast) -> FloatArray:
    """Return simulated days, one path per row."""
    points = [(point.lower, point.expected, point.upper) for point in forecast.every_day]
    content = np.array(points, dtype=np.float64).tobytes()
    return _paths_of(content, forecast.interval_width, forecast.every_day[0].site_date.toordinal())


@lru_cache(maxsize=8)
def _paths_of(points: bytes, interval_width: float, first_day: int) -> FloatArray:
    """Return paths of lower, expected and upper values; the two halves of the interval differ.

    Kept for the last forecasts, since many limits of one forecast are dated in a row.
    """
    lower, expected, upper = np.frombuffer(points).reshape(-1, 3).T
    z = NormalDist().inv_cdf(0.5 + interval_width / 2)
    above, below = (np.maximum(side, 0.0) / z for side in (upper - expected, expected - lower))
    lasting, noise = calendar_draws(first_day, len(expected), SLOPE_SHARE)
    share = _noise_share((above + below) / 2)
    error = np.sqrt(1 - share) * lasting + np.sqrt(share) * noise
    return np.asarray(expected + np.where(error > 0, above, below) * error)


def _noise_share(deviation: FloatArray) -> FloatArray:
    """Return the share of each day's variance that is noise of that day only."""
    days = np.arange(len(deviation))
    least = np.array(
        [
            deviation[: 7 * FIRST_WEEKS][days[: 7 * FIRST_WEEKS] % 7 == slot].min(initial=np.inf)
            for slot in range(7)
        ]
    )
    quiet = np.minimum(least[days % 7], deviation)
    ratio = np.divide(quiet, deviation, out=np.ones_like(quiet), where=deviation > 0)
    return np.asarray(NOISE_SHARE * np.square(ratio))
