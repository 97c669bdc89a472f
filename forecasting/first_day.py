"""On which day a series is first beyond its limit: a distribution, from simulated paths.

Every day of a path lies in the band as often as the band says. What is wrong on one day is partly
wrong on all (a level and a slope that were misjudged) and partly comes and goes from day to day.
The second part is why a limit is passed before the middle line reaches it: one day is enough, and
there are many. All series share the same draws, so that equal forecasts give equal dates.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist
from typing import Final

import numpy as np

from forecasting.draws import PATHS, draws
from forecasting.history import FloatArray
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import Direction

SLOPE_SHARE: Final = 0.7
"""Share of the lasting error's variance that is a misjudged slope; the rest is a random walk."""
NOISE_SHARE: Final = 0.7
"""Share of the first days' error variance that is drawn anew every day. On past limits of
simulated metrics it gives probabilities that come true (ours)."""
FIRST_WEEKS: Final = 2
"""The noise of a weekday is that of its narrowest band in so many weeks (ours)."""


def first_day_probability(
    forecast: Forecast, limits: Sequence[float], direction: Direction, *, strict: bool
) -> FloatArray:
    """Probability that a day from the first one up to each day of ``forecast`` is beyond its limit.

    ``limits`` has one value per day of ``forecast.every_day``, in the unit of the series.
    """
    if not forecast.every_day:
        return np.empty(0)
    paths = _paths(forecast)
    limit = np.asarray(limits, dtype=np.float64)
    if direction is Direction.downward:
        paths, limit = -paths, -limit
    beyond = paths > limit if strict else paths >= limit
    first = beyond.argmax(axis=1)[beyond.any(axis=1)]
    return np.asarray(np.cumsum(np.bincount(first, minlength=len(limit))) / PATHS)


def _paths(forecast: Forecast) -> FloatArray:
    """Simulated days, one path per row; half of the band's width differs between its sides."""
    lower, expected, upper = np.array(
        [(one.lower, one.expected, one.upper) for one in forecast.every_day]
    ).T
    z = NormalDist().inv_cdf(0.5 + forecast.interval_width / 2)
    above, below = (np.maximum(side, 0.0) / z for side in (upper - expected, expected - lower))
    lasting, noise = draws(len(expected), SLOPE_SHARE)
    share = _noise_share((above + below) / 2)
    error = np.sqrt(1 - share) * lasting + np.sqrt(share) * noise
    return np.asarray(expected + np.where(error > 0, above, below) * error)


def _noise_share(deviation: FloatArray) -> FloatArray:
    """Share of each day's variance that is noise of that day alone."""
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
