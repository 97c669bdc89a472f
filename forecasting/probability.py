"""Probability of passing a limit, from simulated paths and from how far the series went before.

Paths know the errors of one forecast, but real load goes on for weeks above or below it, and comes
back to heights where it was before. So the log odds of having passed the limit by a day are a sum
of terms: what the paths say, by itself and by how short the history and how noisy the load is; the
distance of the limit from the highest value ever, from the highest expected one and from what the
same days of last year would make of today; and how far the last weeks are below the highest of a
year. Their figures (``probability.csv``) are those of a logistic regression on limits with known
outcomes (``python -m devtools.benchmarks.forecast DATA --fit``). What became of a site's own
probabilities corrects their level and slope (``forecasting.site_outcomes``).
"""

import csv
import importlib.resources
from functools import cache
from statistics import NormalDist
from typing import Final, NamedTuple

import numpy as np

from forecasting.arrays import FloatArray
from forecasting.lines import ForecastLines
from forecasting.past import LEVEL_DAYS
from mqcap.domain.forecast import LAST_YEAR_DAYS, Past
from mqcap.domain.metric import Direction

LEAST_PROBABILITY: Final = 0.01
"""What the paths say is held so far from 0 and from 1 (ours)."""
USUAL_DAYS: Final = 90.0
USUAL_HISTORY_DAYS: Final = 365.0
NOISE: Final = (0.15, 0.45)
"""Deviations of a day, as shares of the expected value: from the first one on the paths count less,
beyond the second one no less than there. Busy days come oftener than they say (ours)."""
NOISE_DAYS: Final = 14
"""First days of a forecast, of which the deviation is that of a day (ours)."""
SHORT_DAYS: Final = 100.0
SHORT_KEPT: Final = 0.7
"""Share of the distance from the usual odds that is kept with a history of at most ``SHORT_DAYS``:
all is kept from ``USUAL_HISTORY_DAYS`` on. Of kinds of series that the figures have not seen it has
the least Brier score, 0.70 +- 0.13."""
USUAL_ODDS: Final = (-0.6, 0.7)
"""Log odds of being passed within ``USUAL_DAYS``, of limits with known outcomes, and by how much
they rise with the logarithm of the days."""
NEAR_RATIO: Final = 0.1
"""Distance, as a logarithm, at which a limit is clearly above or below a height (ours)."""
NEAR_RISE_RATIO: Final = 0.05
"""The same for the rise of last year (ours)."""
FARTHEST: Final = 2.0
"""Logarithmic distance beyond which nothing differs (ours)."""
OUT_OF_REACH_RATIO: Final = 0.5
"""Logarithmic distance above the highest value ever from which each further tenth ..."""
OUT_OF_REACH: Final = -4.0
"""... takes off so many tenths of log odds where no path goes there (ours: too few cases)."""


class Figures(NamedTuple):
    """What each term is multiplied by; the terms are those of ``terms``."""

    level: float
    log_days: float
    paths: float
    paths_short: float
    paths_noisy: float
    last_year: float
    ever: float
    below_year: float
    expected: float


class OutcomeFigures(NamedTuple):
    """Correction of the log odds by the site's own outcomes: ``level + slope * odds``."""

    level: float = 0.0
    slope: float = 1.0


AS_SHIPPED: Final = OutcomeFigures()


class LimitsAhead(NamedTuple):
    """Limits, one for each day of a forecast, and the history behind it."""

    lines: ForecastLines
    first_ahead: int
    """Days from the cutoff date to the first day of ``lines``."""
    limits: FloatArray
    direction: Direction
    past: Past
    interval_width: float

    @property
    def days_ahead(self) -> FloatArray:
        """Days from the cutoff date to each day."""
        return self.first_ahead + np.arange(len(self.limits), dtype=np.float64)


def terms(simulated: FloatArray, asked: LimitsAhead) -> FloatArray:
    """Return the terms: a row per day, a column per figure; ``simulated`` is what paths say."""
    lines, _, limits, direction, past, _ = asked
    days_ahead = asked.days_ahead
    is_upward = direction is Direction.upward
    side = past.highest if is_upward else past.lowest
    base = float(lines.expected[:LEVEL_DAYS].mean())
    scale = base / past.base if past.base > 0 and base > 0 else 1.0
    furthest = np.maximum if is_upward else np.minimum
    held = np.clip(simulated, LEAST_PROBABILITY, 1 - LEAST_PROBABILITY)
    odds = np.log(held / (1 - held))
    width = (lines.upper - lines.lower)[:NOISE_DAYS].sum() / 2
    size = abs(lines.expected[:NOISE_DAYS].sum())
    deviations = NormalDist().inv_cdf(0.5 + asked.interval_width / 2)
    noise = float(width / deviations / size) if size > 0 else 0.0
    noisy = float(np.log(np.clip(noise, *NOISE) / NOISE[0]))
    short = _shortness(past.days)

    def over(height: FloatArray | float, below: FloatArray | float) -> FloatArray:
        """Return the log of a ratio in the limit's direction, or a share where signs forbid it."""
        first, second = map(np.asarray, (height, below) if is_upward else (below, height))
        size = np.maximum(np.maximum(np.abs(first), np.abs(second)), 1e-300)
        plain = FARTHEST * (first - second) / size
        usable = (first > 0) & (second > 0)
        none = np.ones(np.broadcast(first, second).shape)
        ratio = np.divide(first, second, out=none, where=usable)
        return np.asarray(np.clip(np.where(usable, np.log(ratio), plain), -FARTHEST, FARTHEST))

    headroom = over(limits, side.recent * scale)
    if side.last_year:
        ratio = np.interp(days_ahead, LAST_YEAR_DAYS, side.last_year)
        rise = np.log(ratio) * (1.0 if is_upward else -1.0)
        last_year = np.tanh((rise - headroom) / NEAR_RISE_RATIO)
    else:
        last_year = np.zeros(len(limits))
    ever = -over(limits, side.ever * scale)
    out_of_reach = np.maximum(-ever - OUT_OF_REACH_RATIO, 0.0) * (1 - simulated)
    every_day = np.ones(len(limits))
    return np.column_stack(
        [
            every_day,
            np.log(days_ahead / USUAL_DAYS),
            odds,
            odds * short,
            odds * noisy * (1 - short),
            last_year,
            np.tanh(ever / NEAR_RATIO),
            every_day * np.clip(-over(side.year, side.recent), -1.0, 0.0),
            np.tanh(over(furthest.accumulate(lines.expected), limits) / NEAR_RATIO),
            out_of_reach,
        ]
    )


def held_back(
    odds: FloatArray, days_ahead: FloatArray, history_days: FloatArray | int
) -> FloatArray:
    """Return log odds nearer to the usual ones, the shorter the history is."""
    level, rise = USUAL_ODDS
    usual = level + rise * np.log(days_ahead / USUAL_DAYS)
    kept = 1 - (1 - SHORT_KEPT) * _shortness(history_days)
    return np.asarray(usual + kept * (odds - usual))


def curve(
    simulated: FloatArray, asked: LimitsAhead, site: OutcomeFigures = AS_SHIPPED
) -> FloatArray:
    """Return the probability of having passed a limit by each day; it never falls."""
    odds = terms(simulated, asked) @ np.array([*shipped(), OUT_OF_REACH])
    odds = held_back(odds, asked.days_ahead, asked.past.days)
    odds = site.level + site.slope * odds
    return np.asarray(np.maximum.accumulate(1 / (1 + np.exp(-odds))))


def _shortness(history_days: FloatArray | int) -> FloatArray:
    """Return 0 for a history of ``USUAL_HISTORY_DAYS`` and more, 1 for one of ``SHORT_DAYS``."""
    length = np.clip(history_days, SHORT_DAYS, USUAL_HISTORY_DAYS)
    return np.asarray(np.log(USUAL_HISTORY_DAYS / length) / np.log(USUAL_HISTORY_DAYS / SHORT_DAYS))


@cache
def shipped() -> Figures:
    """The figures of the table."""
    text = importlib.resources.files(__package__).joinpath("probability.csv").read_text("utf-8")
    figures = {row["figure"]: float(row["value"]) for row in csv.DictReader(text.splitlines())}
    return Figures(**figures)
