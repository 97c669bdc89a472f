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
    """When the forecast series passes ``limit``.

    Args:
        forecast: The forecast, or the refusal, of the series.
        recent: Measured days that count as "now", in any order; days after the cutoff are
            ignored. ``breached_since`` is the first of them beyond the limit.
        limit: In the unit of the series.
        direction: ``upward`` if large values are bad.
        strict: Whether only values truly beyond the limit breach it; otherwise a value equal
            to the limit breaches it too.
        rule_id: The rule that set the limit.
        unit: Unit of limit and series.
        subject: Whom the rule is about; by default the subject of the series.
    """

    def beyond(value: float) -> bool:
        return is_beyond(value, limit, direction=direction, strict=strict)

    known = [day for day, value in recent if day <= forecast.cutoff_date and beyond(value)]
    dates = _dates(forecast, beyond_upward=direction is Direction.upward, beyond=beyond)
    state, reason = _state(forecast, known, dates)
    if state is not CrossingState.will_cross:
        dates = _Dates(None, None, None)
    return Crossing(
        rule_id=rule_id,
        subject=subject if subject is not None else split_series_id(forecast.series_id)[1],
        cutoff_date=forecast.cutoff_date,
        series_id=forecast.series_id,
        statistic=forecast.statistic,
        direction=direction,
        limit_value=limit,
        unit=unit,
        state=state,
        earliest_date=dates.earliest,
        expected_date=dates.expected,
        latest_date=dates.latest,
        breached_since=min(known) if known else None,
        reason=reason,
    )


def is_beyond(value: float, limit: float, *, direction: Direction, strict: bool) -> bool:
    """Whether ``value`` breaches ``limit``; a NaN breaches nothing."""
    if value == limit:
        return not strict
    return value > limit if direction is Direction.upward else value < limit


def _state(
    forecast: Forecast, known: Sequence[date], dates: _Dates
) -> tuple[CrossingState, str | None]:
    if known:
        return CrossingState.breached, None
    if forecast.refusal is not None:
        return CrossingState.unknown, forecast.refusal
    if dates.earliest is not None:
        return CrossingState.will_cross, None
    return CrossingState.not_within_horizon, None


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
