"""The hours of two weeks or the intervals of three days of a series, read from the lake."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from typing import Final, NamedTuple

from mq_capacity_page.charts import Chart, Line, Role, limits_of, line_points, position
from mq_capacity_page.pages.series.marks import events_of, marks_of
from mq_capacity_page.web.context import PageContext
from mqcap.domain.crossing import Crossing
from mqcap.domain.metric import Statistic
from mqcap.domain.numbers import figure
from mqcap.lake.location import open_lake
from mqcap.lake.readers import (
    HourValue,
    IntervalValue,
    day_bounds,
    hour_values,
    interval_values,
)
from mqcap.presentation import display_units, quantities
from mqcap.presentation.labels import metric_label
from mqcap.presentation.quantities import Quantity
from mqcap.store.models import SeriesFacts


class Resolution(StrEnum):
    """Length of time that a point of a chart covers."""

    daily = "daily"
    hourly = "hourly"
    interval = "interval"
    parts = "parts"
    """Days, each divided into its parts."""


SPAN_DAYS: Final = {Resolution.hourly: 14, Resolution.interval: 3}
"""Site days up to the one shown (ours): what can be read on one screen."""


HOUR: Final = timedelta(hours=1)


class SubDailyValues(NamedTuple):
    """Hours or intervals of a series between two instants, in its stored unit."""

    unit: str
    begin: datetime
    end: datetime
    hours: Sequence[HourValue] = ()
    intervals: Sequence[IntervalValue] = ()


class SubDailyRow(NamedTuple):
    """Measured hour or interval as printed."""

    at: str
    """The instant for the address of its records."""
    begins: datetime
    mean: Quantity
    peak: Quantity
    """Of an interval the same as ``mean``."""
    minutes: str
    intervals: int


def sub_daily_values(
    context: PageContext, facts: SeriesFacts, day: date, resolution: Resolution
) -> SubDailyValues:
    """Return hours or intervals of the last site days up to one; empty where the lake has none.

    Raises:
        ValueError: the resolution is daily; days are in the store.
    """
    if resolution is Resolution.daily:
        raise ValueError("daily values are in the store, not in the lake")
    first = day - timedelta(days=SPAN_DAYS[resolution] - 1)
    begin, end = day_bounds(first, day, context.timezone_of(facts.subject))
    lake, data = open_lake(context.settings.lake), SubDailyValues(facts.unit, begin, end)
    if resolution is Resolution.hourly:
        return data._replace(hours=hour_values(lake, facts.series_id, begin, end))
    return data._replace(intervals=interval_values(lake, facts.series_id, begin, end))


def hour_address(moment: datetime) -> str:
    """Return an instant as part of an address: ``2026-01-05T06:00Z``."""
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%MZ}"


def sub_daily_chart(
    context: PageContext,
    facts: SeriesFacts,
    day: date,
    resolution: Resolution,
    crossings: Sequence[Crossing] = (),
) -> Chart | None:
    """Return the chart of hours or intervals; ``None`` where the lake has none.

    Limits on peaks are drawn: those of other figures of a day do not apply to a single hour.
    """
    data = sub_daily_values(context, facts, day, resolution)
    if not data.hours and not data.intervals:
        return None
    factor, unit = display_units.scale(data.unit)
    lines = _hour_lines(data, factor) if data.hours else [_interval_line(data, factor)]
    of_peaks = [each for each in crossings if each.statistic is Statistic.peak]
    return Chart(
        title=f"{facts.subject}: {metric_label(facts.metric)}",
        unit=unit,
        first=position(data.begin),
        last=position(data.end),
        lines=tuple(lines),
        limits=limits_of(of_peaks, factor, unit),
        events=events_of(marks_of(context, facts, day, data.begin.date()), data.begin.date()),
    )


def _hour_lines(data: SubDailyValues, factor: float) -> list[Line]:
    peak = line_points(((each.hour_utc, each.peak * factor) for each in data.hours), HOUR)
    mean = line_points(((each.hour_utc, each.value * factor) for each in data.hours), HOUR)
    return [
        Line(name="Highest interval of the hour", role=Role.strong, points=peak),
        Line(name="Mean of the hour", role=Role.faint, points=mean),
    ]


def _interval_line(data: SubDailyValues, factor: float) -> Line:
    points: list[tuple[float, float | None]] = []
    before: datetime | None = None
    for interval in data.intervals:
        if before is not None and interval.start_utc > before:
            points.append((position(before), None))
        value = interval.level * factor
        points += [(position(interval.start_utc), value), (position(interval.end_utc), value)]
        before = interval.end_utc
    return Line(name="Each interval", role=Role.strong, points=tuple(points))


def sub_daily_rows(data: SubDailyValues) -> list[SubDailyRow]:
    """Return the hours or intervals as printed, the newest first."""
    hours = [
        (hour.hour_utc, hour.value, hour.peak, hour.covered_seconds / 60, hour.interval_count)
        for hour in data.hours
    ]
    minute = timedelta(minutes=1)
    intervals = [
        (each.start_utc, each.level, each.level, (each.end_utc - each.start_utc) / minute, 1)
        for each in data.intervals
    ]
    return [
        SubDailyRow(
            at=hour_address(begins),
            begins=begins,
            mean=quantities.quantity(mean, data.unit),
            peak=quantities.quantity(peak, data.unit),
            minutes=figure(minutes),
            intervals=count,
        )
        for begins, mean, peak, minutes, count in reversed([*hours, *intervals])
    ]
