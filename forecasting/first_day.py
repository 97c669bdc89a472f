"""Distribution of the first day on which a series is over its limit, from simulated paths.

Every day of a path is inside the prediction interval with its stated probability. The error of one
day is partly that of all (a misjudged level and slope) and partly independent from day to day. The
second part is why a limit is passed before the middle line reaches it.
"""

from functools import cache, lru_cache
from statistics import NormalDist
from typing import Final, NamedTuple

import numpy as np

from forecasting.arrays import BoolArray, FloatArray
from forecasting.lines import lines_of
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import Direction

SLOPE_SHARE: Final = 0.7
"""Share of the lasting error's variance that is a misjudged slope; the rest is a random walk."""
NOISE_SHARE: Final = 0.7
"""Share of the first days' error variance that is drawn anew every day. On past limits of
simulated metrics it gives probabilities that come true (ours)."""
PATHS: Final = 600
TAIL_FREEDOM: Final = 5.0
"""Degrees of freedom of the slope's Student distribution."""
SEED: Final = 20_260_101
CYCLE_DAYS: Final = 1_024
"""Days after which the draws of the calendar begin anew: more than any forecast has."""
FIRST_WEEKS: Final = 2
"""The noise of a weekday is that of its narrowest interval in so many weeks (ours)."""


def first_day_probability(
    forecast: Forecast, limits: FloatArray, direction: Direction, *, strict: bool
) -> FloatArray:
    """Return the probability that a day up to each one of ``every_day`` is over its limit."""
    lines = lines_of(forecast)
    if not lines.days:
        return np.empty(0)
    return _probability(
        _ForecastOf(
            np.stack([lines.lower, lines.expected, lines.upper]).tobytes(),
            forecast.interval_width,
            lines.days[0].toordinal(),
        ),
        limits.tobytes(),
        direction,
        strict=strict,
    )


class _ForecastOf(NamedTuple):
    """Everything of a forecast that its paths depend on."""

    points: bytes
    """Lower, expected and upper values."""
    interval_width: float
    first_day: int


@lru_cache(maxsize=512)
def _probability(
    of: _ForecastOf, limits: bytes, direction: Direction, *, strict: bool
) -> FloatArray:
    """Return the probability; kept, since a search asks for the same limits in many states."""
    is_upward = direction is Direction.upward
    sign = 1.0 if is_upward else -1.0
    lowest, highest = extremes_of(*of)
    most, limit = sign * (highest if is_upward else lowest), sign * np.frombuffer(limits)
    possible = np.flatnonzero(_is_over(most, limit, strict=strict))
    if not len(possible):
        probability = np.zeros(len(limit))
    else:
        begin, end = int(possible[0]), int(possible[-1]) + 1
        over = _is_over(sign * paths_of(*of, begin, end), limit[begin:end], strict=strict)
        first = begin + over.argmax(axis=1)[over.any(axis=1)]
        probability = np.cumsum(np.bincount(first, minlength=len(limit))) / PATHS
    probability.flags.writeable = False
    return probability


def _is_over(values: FloatArray, limit: FloatArray, *, strict: bool) -> BoolArray:
    return values > limit if strict else values >= limit


class _Spread(NamedTuple):
    """A forecast's deviation on each side of its expected values, and how its error is divided."""

    expected: FloatArray
    above: FloatArray
    below: FloatArray
    lasting_share: FloatArray
    """Square root of the share of the lasting error."""
    noise_share: FloatArray
    """Square root of the share of the noise of one day."""

    def moved(self, lasting: FloatArray, noise: FloatArray) -> FloatArray:
        """Return values with an error, of as many paths as are given."""
        error = self.lasting_share * lasting
        error += self.noise_share * noise
        values = np.where(error > 0, self.above, self.below)
        values *= error
        values += self.expected
        return values


def _spread(points: bytes, interval_width: float) -> _Spread:
    """Return the deviations of lower, expected and upper values, whose halves differ."""
    lower, expected, upper = np.frombuffer(points).reshape(3, -1)
    z = NormalDist().inv_cdf(0.5 + interval_width / 2)
    above, below = (np.maximum(side, 0.0) / z for side in (upper - expected, expected - lower))
    share = _noise_share((above + below) / 2)
    return _Spread(expected, above, below, np.sqrt(1 - share), np.sqrt(share))


@lru_cache(maxsize=512)
def extremes_of(points: bytes, interval_width: float, first_day: int) -> FloatArray:
    """Return a lower and an upper bound of each day that no path passes.

    Most limits are farther away, so that no path has to be made. The bounds are computed as the
    paths are, with the largest draws of each day, so that rounding keeps them.
    """
    spread = _spread(points, interval_width)
    lasting, noise = (
        draws.max(axis=0) for draws in calendar_draws(first_day, len(spread.expected), SLOPE_SHARE)
    )
    return np.stack([spread.moved(-lasting, -noise), spread.moved(lasting, noise)])


@lru_cache(maxsize=8)
def paths_of(
    points: bytes, interval_width: float, first_day: int, begin: int = 0, end: int | None = None
) -> FloatArray:
    """Return simulated days from ``begin`` to before ``end``, one path per row; kept."""
    spread = _spread(points, interval_width)
    lasting, noise = calendar_draws(first_day, len(spread.expected), SLOPE_SHARE)
    part = _Spread(*(line[begin:end] for line in spread))
    return part.moved(lasting[:, begin:end], noise[:, begin:end])


def _noise_share(deviation: FloatArray) -> FloatArray:
    """Return the share of each day's variance that is noise of that day only."""
    first = deviation[: 7 * FIRST_WEEKS]
    least = [first[slot::7].min(initial=np.inf) for slot in range(7)]
    quiet = np.minimum(np.resize(least, len(deviation)), deviation)
    ratio = np.divide(quiet, deviation, out=np.ones_like(quiet), where=deviation > 0)
    return np.asarray(NOISE_SHARE * np.square(ratio))


@lru_cache(maxsize=4)
def calendar_draws(first_day: int, days: int, slope_share: float) -> tuple[FloatArray, FloatArray]:
    """Unit-variance paths of the lasting error and independent noise, one path per row.

    ``slope_share`` is the share of the lasting error's variance that is a misjudged slope, one
    heavy-tailed draw per path; the rest is a random walk. The second half of the rows mirrors the
    first. Draws belong to days of the calendar, from ``first_day`` (``date.toordinal``) on.
    """
    slope, steps, noise = _of_calendar()
    places = (first_day + np.arange(days)) % CYCLE_DAYS
    walk = steps[:, places].cumsum(axis=1) / np.sqrt(np.arange(1, days + 1))
    lasting = np.sqrt(slope_share) * slope[:, None] + np.sqrt(1 - slope_share) * walk
    noise = noise[:, places]
    return np.vstack([lasting, -lasting]), np.vstack([noise, -noise])


@cache
def _of_calendar() -> tuple[FloatArray, FloatArray, FloatArray]:
    """Slope of each path, and its steps and noise for each day of the cycle.

    All series share the draws, so that equal forecasts give equal dates. Each path has its mirror
    image: a symmetric error moves no median.
    """
    rng = np.random.default_rng(SEED)
    slope = rng.standard_t(TAIL_FREEDOM, PATHS // 2) / np.sqrt(TAIL_FREEDOM / (TAIL_FREEDOM - 2))
    steps, noise = rng.standard_normal((2, PATHS // 2, CYCLE_DAYS))
    return slope, steps, noise
