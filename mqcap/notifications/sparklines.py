"""Courses of rows: the worst day of each week, 180 days back and ahead."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Final, NamedTuple

from mqcap.domain.metric import Direction
from mqcap.presentation import display_units
from mqcap.presentation.plan_summary import PlanSummary
from mqcap.presentation.spark_pictures import spark_png
from mqcap.store.database import Store
from mqcap.store.forecasts import find_forecast
from mqcap.store.observations import observations_of_series
from mqcap.store.series import series_with_ids

SPARK_DAYS: Final = 180
"""Days back and ahead in a line (ours)."""
_WEEK: Final = 7

Days = tuple[tuple[date, float], ...]


class Weeks(NamedTuple):
    """The course of a row in the unit that is printed."""

    measured: Days
    """At least one week."""
    expected: Days
    limit: float
    unit: str


def sparklines(engine: Store, day: date, rows: Iterable[PlanSummary]) -> dict[str, bytes]:
    """Return a PNG by resource, of rows whose series was measured in these days."""
    weeks = weeks_of_rows(engine, day, rows)
    return {resource: spark(found, day) for resource, found in weeks.items()}


def spark(weeks: Weeks, day: date) -> bytes:
    """Return the PNG of a course around a day."""
    history, ahead = (
        [(each.toordinal(), value) for each, value in days]
        for days in (weeks.measured, weeks.expected)
    )
    span = (day.toordinal() - SPARK_DAYS, day.toordinal() + SPARK_DAYS)
    return spark_png(history, ahead, weeks.limit, span)


def weeks_of_rows(engine: Store, day: date, rows: Iterable[PlanSummary]) -> dict[str, Weeks]:
    """Return the courses by resource, of rows whose series was measured in these days."""
    with_series = [(row.resource, row.series) for row in rows if row.series is not None]
    first, last = day - timedelta(days=SPARK_DAYS), day + timedelta(days=SPARK_DAYS)
    ids = [series.series_id for _, series in with_series]
    observed = observations_of_series(engine, ids, first, day)
    units = {facts.series_id: facts.unit for facts in series_with_ids(engine, ids)}
    found = {}
    for resource, series in with_series:
        days = observed.get(series.series_id, [])
        if not days:
            continue
        factor, unit = display_units.current().scale(units.get(series.series_id, ""))
        forecast = find_forecast(engine, series.series_id, series.statistic, day)
        points = forecast.points if forecast else ()
        measured = [(each.site_date, factor * getattr(each, series.statistic)) for each in days]
        expected = [(each.site_date, factor * each.expected) for each in points]
        ahead = [each for each in expected if each[0] <= last]
        if weeks := weekly(measured, series.direction, day):
            limit = factor * series.limit
            found[resource] = Weeks(weeks, weekly(ahead, series.direction, day), limit, unit)
    return found


def weekly(days: Iterable[tuple[date, float]], direction: Direction, day: date) -> Days:
    """Return the worst value of each seven days, counted from ``day`` both ways, at their end.

    Ends with fewer than four days are left out: a Sunday alone is no week.
    """
    worst = min if direction is Direction.downward else max
    blocks: dict[int, list[tuple[date, float]]] = {}
    for each in sorted(days):
        blocks.setdefault(((each[0] - day).days - 1) // _WEEK, []).append(each)
    whole = (block for block in blocks.values() if len(block) > _WEEK // 2)
    return tuple((block[-1][0], worst(value for _, value in block)) for block in whole)
