"""The chart of the days of a series: what was measured, its forecast and its limits."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from types import MappingProxyType
from typing import Final, NamedTuple

from mq_capacity_page.charts import (
    Chart,
    Event,
    Limit,
    Line,
    Role,
    crossing_range,
    limits_of,
    line_points,
    position,
)
from mqcap.domain.crossing import Crossing
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import Statistic
from mqcap.domain.numbers import quantity
from mqcap.domain.stated_figure import StatedFigure
from mqcap.presentation import display_units
from mqcap.queries.courses import weekly

HISTORY_DAYS: Final = 180
"""Days of history drawn: as many as of the forecast, so that both have the same width (ours)."""
DAILY_UP_TO: Final = 60
"""Days of history up to which each day is the strong line, and no week (ours)."""
_WEEKS: Final = timedelta(days=10)
"""Weeks further apart than that have a gap between them (ours)."""
DAILY: Final = {
    Statistic.peak: "peak of each day",
    Statistic.p95: "95th percentile of each day",
    Statistic.mean: "mean of each day",
}


class DailyFigure(NamedTuple):
    """A daily figure with what is drawn beside it."""

    days: Sequence[tuple[date, float]]
    """Measured days in order, in ``unit`` as it is stored."""
    unit: str
    statistic: Statistic
    day: date
    """The last day; nothing later is drawn as measured."""
    forecast: Forecast | None = None
    crossings: Sequence[Crossing] = ()
    """Of the limits to draw, all of this series and statistic."""
    first: date | None = None
    """First day drawn; ``HISTORY_DAYS`` back without one."""
    stated: StatedFigure | None = None
    """Draws the time that a rule states instead of the rate of its series."""
    stated_limits: Sequence[float] = ()
    """Limits of that time, besides its own."""
    steps: Mapping[str, Sequence[tuple[date, float]]] = MappingProxyType({})
    """By rule: the later limits that planned changes bring, with their first days."""
    events: tuple[Event, ...] = ()
    title: str = ""


def days_chart(of: DailyFigure) -> Chart | None:
    """Return the chart of a daily figure; ``None`` without a measured day in it."""
    begin = of.first or of.day - timedelta(days=HISTORY_DAYS)
    shown = [(at, value) for at, value in of.days if begin <= at <= of.day]
    if not shown:
        return None
    factor, name = display_units.scale(of.unit)
    stated = of.stated

    def convert(value: float) -> float | None:
        return stated.of(value) if stated else value * factor

    points = of.forecast.points if of.forecast else ()
    last = position(max([of.day, *(point.site_date for point in points)]))
    is_weekly = (of.day - begin).days > DAILY_UP_TO
    measured = _history(of, _converted(shown, convert), is_weekly=is_weekly)
    ahead, band = _ahead(of, convert, measured[0], is_weekly=is_weekly)
    limits = limits_of(of.crossings, factor, name, of.steps)
    if stated:
        limits = tuple(
            Limit(value=each, words=quantity(each, stated.unit), is_lower=True)
            for each in sorted({stated.limit, *of.stated_limits})
        )
    return Chart(
        title=of.title,
        unit=stated.unit if stated else name,
        first=position(begin),
        last=last,
        now=position(of.day),
        lines=(*measured, *ahead),
        band=band,
        limits=limits,
        crossing=crossing_range(of.crossings, last),
        events=of.events,
    )


def _history(
    of: DailyFigure, measured: Sequence[tuple[date, float]], *, is_weekly: bool
) -> list[Line]:
    name = DAILY[of.statistic].capitalize()
    if not is_weekly:
        return [Line(name=name, role=Role.strong, points=line_points(measured, timedelta(days=1)))]
    weeks = line_points(weekly(measured, of.day, min if of.stated else max), _WEEKS)
    if of.stated:  # of other days of the week it says nothing
        return [Line(name="Lowest of the week", role=Role.strong, points=weeks)]
    return [
        Line(name="Highest of the week", role=Role.strong, points=weeks),
        Line(name=name, role=Role.faint, points=line_points(measured, timedelta(days=1))),
    ]


def _ahead(
    of: DailyFigure, convert: Callable[[float], float | None], history: Line, *, is_weekly: bool
) -> tuple[list[Line], tuple[tuple[float, float, float], ...]]:
    """Return the line of the forecast and its range, of weeks where those are the history.

    The line begins where that of the history ends.
    """
    forecast = of.forecast.points if of.forecast else ()
    every = [
        _converted([(point.site_date, getattr(point, name)) for point in forecast], convert)
        for name in ("expected", "lower", "upper")
    ]
    if is_weekly:
        every = [weekly(days, of.day, min if of.stated else max) for days in every]
    expected, lower, upper = every
    if not expected:
        return [], ()
    band = tuple(
        (position(at), min(low, high), max(low, high))
        for (at, low), (_, high) in zip(lower, upper, strict=False)
    )
    name = "Forecast, with its range of 80 %"
    points = (*history.points[-1:], *line_points(expected, _WEEKS))
    return [Line(name=name, role=Role.forecast, points=points)], band


def _converted(
    days: Sequence[tuple[date, float]], convert: Callable[[float], float | None]
) -> list[tuple[date, float]]:
    return [(day, value) for day, each in days if (value := convert(each)) is not None]
