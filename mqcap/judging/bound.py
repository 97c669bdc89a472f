"""The bound of a forecast that plans are held against, and the inputs of a rule on a later day."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from statistics import NormalDist
from typing import NamedTuple

from mqcap.domain.finding import InputValue
from mqcap.domain.forecast import Forecast, ForecastPoint
from mqcap.domain.metric import Direction
from mqcap.judging.planned_change import inputs_at
from sizing.rulebook.entry import Rule


class BoundPoint(NamedTuple):
    """Day of a forecast with the value of the bound, in the unit of the series."""

    point: ForecastPoint
    value: float


def bound_of(
    forecast: Forecast, direction: Direction, confidence: float, first: date, last: date
) -> list[BoundPoint]:
    """Return the bound on each forecast day from ``first`` to ``last``, both included.

    For upward limits the share ``confidence`` of the distribution is below it, for downward ones
    above it. The bounds of the prediction interval are scaled as those of a normal distribution.
    Empty without a forecast.
    """
    width = NormalDist().inv_cdf(0.5 + forecast.interval_width / 2)
    factor = NormalDist().inv_cdf(confidence) / width

    def value(point: ForecastPoint) -> float:
        edge = point.upper if direction is Direction.upward else point.lower
        return point.expected + (edge - point.expected) * factor

    return [
        BoundPoint(point, value(point))
        for point in forecast.every_day
        if first <= point.site_date <= last
    ]


def worst_point(points: Iterable[BoundPoint], direction: Direction) -> BoundPoint | None:
    """Return the point nearest to a limit of that direction, the first of equals."""
    sign = 1 if direction is Direction.upward else -1
    return max(points, key=lambda point: sign * point.value, default=None)


def running_worst(points: Sequence[BoundPoint], direction: Direction) -> list[BoundPoint]:
    """Return for each day the worst point up to it, so that a limit is kept up to a day or not."""
    worst: list[BoundPoint] = []
    for point in points:
        worse = worst_point([*worst[-1:], point], direction)
        worst.append(worse if worse is not None else point)
    return worst


def inputs_on(rule: Rule, values: Sequence[InputValue], bound: BoundPoint) -> list[InputValue]:
    """Return the inputs of a rule with its watched figure at the bound.

    Amounts of the same usage scale with it; a rule that watches no series keeps its inputs.
    """
    watched = rule.traits.watches
    if watched is None:
        return list(values)
    return inputs_at(rule, values, watched, bound.value, bound.point)
