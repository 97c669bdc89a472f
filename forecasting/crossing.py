"""When a forecast passes a limit: earliest, expected and latest day.

The event is one *day* beyond the limit, because limits are set on daily peaks: a month-end
peak that alone passes the limit is a crossing, dated on that month-end. It is looked for on
three lines, the two edges of the interval and the expected value, all of which carry the
weekly and calendar pattern but no noise. Each date is the first day after the cutoff on which
its line is beyond the limit. A measured value beyond the limit outranks every forecast.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import NamedTuple

from domain.crossing import Crossing, CrossingState
from domain.forecast import Forecast
from domain.metric import Direction, split_series_id

_Test = Callable[[float], bool]


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
) -> Crossing:
    """When the forecast series passes ``limit`` (in ``unit``, that of the series).

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
    return _answered(asked, forecast, recent, strict=strict)


def is_beyond(value: float, limit: float, *, direction: Direction, strict: bool) -> bool:
    """Whether ``value`` breaches ``limit``; a NaN breaches nothing."""
    if value == limit:
        return not strict
    return value > limit if direction is Direction.upward else value < limit


def _answered(
    asked: Crossing, forecast: Forecast, recent: Sequence[tuple[date, float]], *, strict: bool
) -> Crossing:
    def beyond(value: float) -> bool:
        return is_beyond(value, asked.limit_value, direction=asked.direction, strict=strict)

    known = [day for day, value in recent if day <= forecast.cutoff_date and beyond(value)]
    if known:
        found = {"state": CrossingState.breached, "breached_since": min(known)}
        return asked.model_copy(update=found)
    if forecast.refusal is not None:
        return asked.model_copy(update={"reason": forecast.refusal})
    dates = _dates(forecast, beyond_upward=asked.direction is Direction.upward, beyond=beyond)
    if dates.earliest is None:
        return asked.model_copy(update={"state": CrossingState.not_within_horizon})
    return asked.model_copy(
        update={
            "state": CrossingState.will_cross,
            "earliest_date": dates.earliest,
            "expected_date": dates.expected,
            "latest_date": dates.latest,
        }
    )


def _dates(forecast: Forecast, *, beyond_upward: bool, beyond: _Test) -> _Dates:
    """First day beyond the limit on the pessimistic, the expected and the optimistic line."""
    days = [point.site_date for point in forecast.points]
    upper = [point.upper for point in forecast.points]
    lower = [point.lower for point in forecast.points]
    pessimistic, optimistic = (upper, lower) if beyond_upward else (lower, upper)
    expected = [point.expected for point in forecast.points]
    lines = (pessimistic, expected, optimistic)
    return _Dates(*(_first(days, line, beyond) for line in lines))


def _first(days: Sequence[date], line: Sequence[float], beyond: _Test) -> date | None:
    return next(
        (day for day, value in zip(days, line, strict=True) if beyond(value)),
        None,
    )
