"""A forecast by a business driver: the driver's share is divided out, and multiplied in again.

``series = rest x (driver / reference) ^ elasticity``. The elasticity is fitted to the differences
of a week, so that a trend that both have does not count as one causing the other; its plan
multiplies the driver from its day on. The driver is used where the error at the rolling origins
falls by enough, the elasticity fitted to days before the first one and the driver taken as known.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Final, NamedTuple

import numpy as np

from forecasting.arrays import FloatArray
from forecasting.backtest import backtest, held_out_days
from forecasting.engine.shifts import BEHIND
from forecasting.history import History
from forecasting.interval import PredictionInterval
from forecasting.level_shift import level_shift_refusal
from forecasting.model import ForecastModel
from forecasting.options import ForecastOptions
from forecasting.prepare import Prepared, without_outages
from mqcap.domain.forecast import DriverCourse
from mqcap.domain.numbers import percent

WEEK: Final = 7
LEAST_PAIRS: Final = 56
"""Weekly differences with both figures that an elasticity needs: eight weeks (ours)."""
LARGEST_ELASTICITY: Final = 3.0
"""No load rises by more than so many per cent with one per cent of its driver (ours)."""
REFERENCE_DAYS: Final = 28
"""The reference of a driver is its median over so many last days (ours)."""


class Driven(NamedTuple):
    """A history without the share of its driver."""

    rest: History
    reference: float
    elasticity: float

    def factor(self, driver: FloatArray) -> FloatArray:
        """Return by what such values of the driver multiply the rest."""
        return np.asarray((driver / self.reference) ** self.elasticity)


class NotDriven(Exception):  # noqa: N818 - no error: the forecast is made without the driver
    """The driver is of no use for this series; the text is the reason."""


def driven_by(
    history: History,
    course: DriverCourse,
    candidates: Sequence[ForecastModel],
    smape_without_pct: float | None,
    options: ForecastOptions,
) -> Driven:
    """Return the history without its driver, where rolling origins gain.

    ``course`` is the driver by day, ``smape_without_pct`` the error without it. Raises NotDriven
    when the driver does not fit the history, or the error does not fall by enough.
    """
    ended = max(course.values)
    behind = int((history.days[-1] - np.datetime64(ended, "D")).astype(np.int64))
    if behind > options.max_stale_days:
        raise NotDriven(f"the driver ends on {ended}, {behind} days before the series")
    before = len(history.values) - held_out_days(history, options.backtest_origins, options)
    trial = without_driver(history, course, max(0, before))
    with_pct = backtest(candidates, trial.rest, options).smape_pct
    if with_pct is None or smape_without_pct is None:
        raise NotDriven("the history is too short for rolling origins")
    if with_pct > smape_without_pct * (1 - course.gain_min_ratio):
        raise NotDriven(
            f"sMAPE at rolling origins {percent(with_pct / 100)} with it, "
            f"{percent(smape_without_pct / 100)} without"
        )
    return without_driver(history, course, len(history.values))


def without_driver(history: History, course: DriverCourse, last: int) -> Driven:
    """Return the history without its driver, the elasticity fitted to the first ``last`` days.

    Raises NotDriven: too few days, no changes, or values that are not above zero.
    """
    values = np.array([course.values.get(day, np.nan) for day in history.days.astype(object)])
    known = np.flatnonzero(np.isfinite(values))
    if len(known) < LEAST_PAIRS:
        raise NotDriven(
            f"the driver has {len(known)} days of the history, {LEAST_PAIRS} are required"
        )
    if (history.values[history.observed] <= 0).any():
        raise NotDriven("the series is not above zero on all days")
    filled = np.exp(np.interp(np.arange(len(values)), known, np.log(values[known])))
    filled[: known[0]] = np.nan
    reference = float(np.median(filled[-REFERENCE_DAYS:]))
    parts = Driven(history, reference, _elasticity(filled[:last], history.values[:last]))
    rest = replace(history, values=history.values / parts.factor(filled))
    return parts._replace(rest=rest)


def with_begun_plans(history: History) -> History:
    """Return the history with plans of its driver that have just changed its level as known."""
    course = history.driver
    if course is None:
        return history
    first, last = history.days[-min(BEHIND, len(history.values))], history.days[-1]
    begun = tuple(
        plan.first for plan in course.plans if first <= np.datetime64(plan.first, "D") <= last
    )
    if not begun or level_shift_refusal(without_outages(history)) is None:
        return history
    return replace(history, known_changes=(*history.known_changes, *begun))


def driver_history(history: History, course: DriverCourse) -> History:
    """Return the driver as a history of the same site; plans that have begun are known changes."""
    first, last = min(course.values), max(course.values)
    days = np.arange(np.datetime64(first, "D"), np.datetime64(last, "D") + 1).astype(object)
    values = np.array([course.values.get(day, np.nan) for day in days])
    return replace(
        history,
        first_day=np.datetime64(first, "D"),
        values=values,
        known_changes=tuple(plan.first for plan in course.plans if plan.first <= last),
    )


def usable(driver: Prepared) -> Prepared:
    """Return the history of a driver; raises NotDriven when there is no forecast of it."""
    if driver.refusal is not None:
        raise NotDriven(f"the driver is not forecast: {driver.refusal}")
    return driver


def planned(
    lines: PredictionInterval, days: Sequence[date], course: DriverCourse
) -> PredictionInterval:
    """Return the driver's forecast with its plans, each from its day on; begun ones are in it."""
    last = max(course.values)
    factor = np.ones(len(days))
    for plan in (plan for plan in course.plans if plan.first > last):
        factor[bisect_left(days, plan.first) :] *= 1 + plan.pct / 100
    return PredictionInterval(*(np.maximum(line, 0) * factor for line in lines))


def multiplied(
    rest: PredictionInterval, driver: PredictionInterval, parts: Driven
) -> PredictionInterval:
    """Return rest times driver, the relative widths of both added as independent errors."""
    tiny = 1e-9 * parts.reference
    low, middle, high = (parts.factor(np.maximum(line, tiny)) for line in driver)
    expected = rest.expected * middle
    size = np.maximum(np.abs(rest.expected), 1e-12)
    below = np.hypot((rest.expected - rest.lower) / size, 1 - np.minimum(low, high) / middle)
    above = np.hypot((rest.upper - rest.expected) / size, np.maximum(low, high) / middle - 1)
    width = np.abs(expected)
    return PredictionInterval(expected - below * width, expected, expected + above * width)


def _elasticity(driver: FloatArray, values: FloatArray) -> float:
    """Return the slope of weekly differences of logarithms, through the origin."""
    causes, effects = (np.log(line[WEEK:]) - np.log(line[:-WEEK]) for line in (driver, values))
    both = np.isfinite(causes) & np.isfinite(effects)
    spread = float((causes[both] ** 2).sum())
    if both.sum() < LEAST_PAIRS or spread <= 0:
        raise NotDriven(
            f"fewer than {LEAST_PAIRS} weekly differences of both, or a driver without changes"
        )
    found = float((causes[both] * effects[both]).sum()) / spread
    return float(np.clip(found, -LARGEST_ELASTICITY, LARGEST_ELASTICITY))
