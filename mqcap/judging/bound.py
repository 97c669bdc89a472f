"""The bound of a forecast that plans are held against, and the inputs of a rule on a later day."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from forecasting.arrays import FloatArray, IndexArray
from forecasting.lines import lines_of
from mqcap.domain.finding import InputValue
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import Direction
from mqcap.judging.planned_change import inputs_at
from sizing.rulebook.entry import Rule


class BoundPoint(NamedTuple):
    """Day of a forecast with the value of the bound, in the unit of the series."""

    site_date: date
    value: float


class Bound(NamedTuple):
    """The bound on days of a forecast, in order, in the unit of the series."""

    days: tuple[date, ...]
    values: FloatArray
    direction: Direction

    def at(self, place: int) -> BoundPoint:
        """Return one of the days."""
        return BoundPoint(self.days[place], float(self.values[place]))

    def worst(self) -> BoundPoint | None:
        """Return the day nearest to a limit, the first of equals; ``None`` without days."""
        return self.at(int(self._badness().argmax())) if self.days else None

    def worst_up_to(self) -> IndexArray:
        """Return for each day the place of the worst day up to it: a limit is kept or not."""
        badness = self._badness()
        highest = np.maximum.accumulate(badness)
        is_worse = np.concatenate(([True], badness[1:] > highest[:-1]))[: len(badness)]
        return np.maximum.accumulate(np.where(is_worse, np.arange(len(badness)), 0))

    def _badness(self) -> FloatArray:
        return self.values if self.direction is Direction.upward else -self.values


def bound_of(
    forecast: Forecast, direction: Direction, confidence: float, first: date, last: date
) -> Bound:
    """Return the bound from ``first`` to ``last`` that a value keeps by ``confidence`` (normal)."""
    lines = lines_of(forecast)
    chosen = slice(bisect_left(lines.days, first), bisect_right(lines.days, last))
    expected = lines.expected[chosen]
    edge = (lines.upper if direction is Direction.upward else lines.lower)[chosen]
    values = expected + (edge - expected) * _scale(forecast.interval_width, confidence)
    return Bound(lines.days[chosen], values, direction)


@lru_cache(maxsize=16)
def _scale(interval_width: float, confidence: float) -> float:
    width = NormalDist().inv_cdf(0.5 + interval_width / 2)
    return NormalDist().inv_cdf(confidence) / width


def inputs_on(rule: Rule, values: Sequence[InputValue], bound: BoundPoint) -> list[InputValue]:
    """Return the inputs of a rule with its watched figure, and those of its usage, at the bound."""
    watched = rule.traits.watches
    if watched is None:
        return list(values)
    return inputs_at(rule, values, watched, bound.value, bound.site_date)
