"""When a forecast passes a limit: earliest, expected and latest day.

The event is one *day* beyond the limit, because limits are set on daily peaks: a month-end
peak that alone passes the limit is a crossing, dated on that month-end. It is looked for on
three lines, the two edges of the interval and the expected value, all of which carry the
weekly and calendar pattern but no noise. Each date is the first day after the cutoff on which
its line is beyond the limit. A measured value beyond the limit outranks every forecast.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from statistics import NormalDist
from typing import NamedTuple

from domain.crossing import PROBABILITY_DAYS, Crossing, CrossingState
from domain.forecast import Forecast, ForecastPoint
from domain.metric import Direction, split_series_id

LimitSteps = Sequence[tuple[date, float]]
"""First day of each planned limit and its value, in any order."""


class _Dates(NamedTuple):
    earliest: date | None
    expected: date | None
    latest: date | None


def crossing_of(  # noqa: PLR0913 - one fact each, all keyword-only
    forecast: Forecast,
    recent: Sequence[tuple[date, float]],
    *,
    limit: float,
    direction: Direction,
    strict: bool,
    rule_id: str,
    unit: str,
    subject: str | None = None,
    planned: LimitSteps = (),
) -> Crossing:
    """When the forecast series passes ``limit`` (in ``unit``, that of the series).

    ``planned`` holds later values of the limit, each from its day on: a bigger log that is on
    order. What was measured is held against ``limit``.

    ``recent`` holds the measured days that count as "now", in any order; days after the cutoff
    are ignored, and ``breached_since`` is the first of the others beyond the limit. With
    ``strict`` only values truly beyond the limit breach it, otherwise a value equal to it does
    too. ``subject`` is whom the rule is about; by default the subject of the series.
    """
    asked = Crossing(
        rule_id=rule_id,
        subject=subject if subject is not None else split_series_id(forecast.series_id)[1],
        cutoff_date=forecast.cutoff_date,
        series_id=forecast.series_id,
        statistic=forecast.statistic,
        direction=direction,
        limit_value=limit,
        unit=unit,
        state=CrossingState.unknown,
    )
    return _answered(asked, forecast, recent, planned, strict=strict)


def is_beyond(value: float, limit: float, *, direction: Direction, strict: bool) -> bool:
    """Whether ``value`` breaches ``limit``; a NaN breaches nothing."""
    if value == limit:
        return not strict
    return value > limit if direction is Direction.upward else value < limit


def _answered(
    asked: Crossing,
    forecast: Forecast,
    recent: Sequence[tuple[date, float]],
    planned: LimitSteps,
    *,
    strict: bool,
) -> Crossing:
    known = [
        day
        for day, value in recent
        if day <= forecast.cutoff_date
        and is_beyond(value, asked.limit_value, direction=asked.direction, strict=strict)
    ]
    if known:
        certain = {f"probability_{days}_days": 1.0 for days in PROBABILITY_DAYS}
        found = {"state": CrossingState.breached, "breached_since": min(known), **certain}
        return asked.model_copy(update=found)
    if forecast.refusal is not None:
        return asked.model_copy(update={"reason": forecast.refusal})
    limits = _limits(forecast, asked.limit_value, planned)
    dates = _dates(forecast, limits, asked.direction, strict=strict)
    stated = _probabilities(forecast, limits, asked.direction)
    if dates.earliest is None:
        state = {"state": CrossingState.not_within_horizon}
        return asked.model_copy(update={**state, **stated})
    return asked.model_copy(
        update={
            "state": CrossingState.will_cross,
            "earliest_date": dates.earliest,
            "expected_date": dates.expected,
            "latest_date": dates.latest,
            **stated,
        }
    )


def _limits(forecast: Forecast, limit: float, planned: LimitSteps) -> list[float]:
    """The limit of each day of the forecast."""
    steps = sorted(planned)
    return [
        next((value for day, value in reversed(steps) if day <= point.site_date), limit)
        for point in forecast.points
    ]


def _dates(
    forecast: Forecast, limits: Sequence[float], direction: Direction, *, strict: bool
) -> _Dates:
    """First day beyond the limit on the pessimistic, the expected and the optimistic line."""
    points = forecast.points
    upper, lower = [point.upper for point in points], [point.lower for point in points]
    pessimistic, optimistic = (upper, lower) if direction is Direction.upward else (lower, upper)
    lines = (pessimistic, [point.expected for point in points], optimistic)
    found = [
        next(
            (
                point.site_date
                for point, value, limit in zip(points, line, limits, strict=True)
                if is_beyond(value, limit, direction=direction, strict=strict)
            ),
            None,
        )
        for line in lines
    ]
    return _Dates(*found)


def _probabilities(
    forecast: Forecast, limits: Sequence[float], direction: Direction
) -> dict[str, float | None]:
    """``probability_30_days`` and so on; ``None`` beyond the horizon."""
    z = NormalDist().inv_cdf(0.5 + forecast.interval_width / 2)
    found: dict[str, float | None] = {}
    for days in PROBABILITY_DAYS:
        last = forecast.cutoff_date + timedelta(days=days)
        within = [
            _beyond_probability(point, limit, direction, z)
            for point, limit in zip(forecast.points, limits, strict=True)
            if point.site_date <= last
        ]
        reaches = days <= forecast.horizon_days
        found[f"probability_{days}_days"] = round(max(within, default=0.0), 4) if reaches else None
    return found


def _beyond_probability(
    point: ForecastPoint, limit: float, direction: Direction, z: float
) -> float:
    """Probability of one day beyond the limit: split normal through the edges of the band."""
    gap = limit - point.expected
    half = point.upper - point.expected if gap > 0 else point.expected - point.lower
    if half <= 0:
        return float(is_beyond(point.expected, limit, direction=direction, strict=True))
    above = NormalDist().cdf(-z * gap / half)
    return above if direction is Direction.upward else 1.0 - above
