"""The hours of two weeks or the intervals of three days of a series, read from the lake."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Final, NamedTuple

from mq_capacity_page.charts.sub_daily_figure import HOUR, SubDailyChartData, hour_address
from mq_capacity_page.pages.series.chart_marks import chart_marks
from mq_capacity_page.web.context import PageContext
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
from mqcap.presentation import quantities
from mqcap.presentation.quantities import Quantity
from mqcap.store.crossings import crossings_below
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


class SubDailyRow(NamedTuple):
    """Measured hour or interval as printed."""

    at: str
    """The instant for the address of its records."""
    begins: datetime
    ends: datetime
    mean: Quantity
    peak: Quantity
    """Of an interval the same as ``mean``."""
    minutes: str
    intervals: int


def sub_daily_values(
    context: PageContext, facts: SeriesFacts, day: date, resolution: Resolution
) -> SubDailyChartData:
    """Return hours or intervals of the last site days up to one; empty where the lake has none.

    Raises:
        ValueError: the resolution is daily; days are in the store.
    """
    if resolution is Resolution.daily:
        raise ValueError("daily values are in the store, not in the lake")
    first = day - timedelta(days=SPAN_DAYS[resolution] - 1)
    begin, end = day_bounds(first, day, context.timezone_of(facts.subject))
    lake, data = open_lake(context.settings.lake), SubDailyChartData(facts.unit, begin, end)
    if resolution is Resolution.hourly:
        return data._replace(hours=hour_values(lake, facts.series_id, begin, end))
    return data._replace(intervals=interval_values(lake, facts.series_id, begin, end))


def sub_daily_chart_data(
    context: PageContext, facts: SeriesFacts, day: date, resolution: Resolution
) -> SubDailyChartData:
    """Return the values with the limits of the day and the marks of these days.

    A limit on daily means does not apply to a single hour and is left out.
    """
    data = sub_daily_values(context, facts, day, resolution)
    return data._replace(
        crossings=[
            crossing
            for crossing in crossings_below(context.engine, day, facts.subject)
            if crossing.series_id == facts.series_id and crossing.statistic is not Statistic.mean
        ],
        marks=chart_marks(context, facts.subject, day, data.begin.date(), facts.metric),
    )


def sub_daily_rows(data: SubDailyChartData) -> list[SubDailyRow]:
    """Return the hours or intervals as printed, the newest first."""
    rows = [_hour_row(hour, data.unit) for hour in data.hours]
    rows += [_interval_row(interval, data.unit) for interval in data.intervals]
    return rows[::-1]


def _hour_row(hour: HourValue, unit: str) -> SubDailyRow:
    return SubDailyRow(
        at=hour_address(hour.hour_utc),
        begins=hour.hour_utc,
        ends=hour.hour_utc + HOUR,
        mean=quantities.quantity(hour.value, unit),
        peak=quantities.quantity(hour.peak, unit),
        minutes=figure(hour.covered_seconds / 60),
        intervals=hour.interval_count,
    )


def _interval_row(interval: IntervalValue, unit: str) -> SubDailyRow:
    value = quantities.quantity(interval.level, unit)
    return SubDailyRow(
        at=hour_address(interval.start_utc),
        begins=interval.start_utc,
        ends=interval.end_utc,
        mean=value,
        peak=value,
        minutes=figure((interval.end_utc - interval.start_utc) / timedelta(minutes=1)),
        intervals=1,
    )
