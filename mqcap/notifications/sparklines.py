"""Courses of rows: the worst day of each week, 180 days back and ahead."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Final, NamedTuple

from mqcap.domain.metric import Direction
from mqcap.presentation import display_units
from mqcap.presentation.charts import position, weekly
from mqcap.presentation.plan_summary import PlanSummary
from mqcap.presentation.spark_pictures import Points, spark_png
from mqcap.store.database import Store
from mqcap.store.forecasts import expected_of_series
from mqcap.store.observations import figures_of_series
from mqcap.store.series import series_with_ids

SPARK_DAYS: Final = 180
"""Days back and ahead in a line (ours)."""

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
    return spark_png(*places(weeks), weeks.limit, spark_span(day))


def places(weeks: Weeks) -> tuple[Points, Points]:
    """Return what was measured and what is expected, by place on the time axis."""
    measured, expected = (
        [(position(each), value) for each, value in days]
        for days in (weeks.measured, weeks.expected)
    )
    return measured, expected


def spark_span(day: date) -> tuple[float, float]:
    """Return the first and the last place of the courses of a day."""
    return position(day) - SPARK_DAYS, position(day) + SPARK_DAYS


def weeks_of_rows(engine: Store, day: date, rows: Iterable[PlanSummary]) -> dict[str, Weeks]:
    """Return the courses by resource, of rows whose series was measured in these days."""
    with_series = [(row.resource, row.series) for row in rows if row.series is not None]
    first, last = day - timedelta(days=SPARK_DAYS), day + timedelta(days=SPARK_DAYS)
    keys = {(series.series_id, series.statistic) for _, series in with_series}
    observed = figures_of_series(engine, keys, first, day)
    expected = expected_of_series(engine, day, keys)
    names = sorted({series_id for series_id, _ in keys})
    units = {facts.series_id: facts.unit for facts in series_with_ids(engine, names)}
    found = {}
    for resource, series in with_series:
        key = series.series_id, series.statistic
        factor, unit = display_units.scale(units.get(series.series_id, ""))
        ahead = [each for each in expected.get(key, ()) if each[0] <= last]
        worst = min if series.direction is Direction.downward else max
        measured, coming = (
            tuple((at, factor * value) for at, value in weekly(days, day, worst))
            for days in (observed.get(key, ()), ahead)
        )
        if measured:
            found[resource] = Weeks(measured, coming, factor * series.limit, unit)
    return found
