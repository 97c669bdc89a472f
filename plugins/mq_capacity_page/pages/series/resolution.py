"""A series more finely than by day: the hours of two weeks, or the intervals of three days."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple

from mq_capacity_page.charts.marks import Marks, marks_of
from mq_capacity_page.web.context import Site
from mqcap.domain.crossing import Crossing
from mqcap.domain.metric import Statistic, sysplex_of
from mqcap.lake.readers import (
    HourValue,
    IntervalValue,
    day_bounds,
    hour_values,
    interval_values,
)
from mqcap.presentation import wording
from mqcap.presentation.wording import Quantity
from mqcap.store.crossings import crossings_below
from mqcap.store.models import SeriesFacts

HOUR: Final = timedelta(hours=1)


class Grain(StrEnum):
    """How finely a series is shown."""

    daily = "daily"
    hourly = "hourly"
    interval = "interval"


SPAN_DAYS: Final = {Grain.hourly: 14, Grain.interval: 3}
"""Site days up to the one shown (ours): what can be read on one screen."""


class FineLine(NamedTuple):
    """One measured hour or interval as printed."""

    at: str
    """The instant for the address of its records."""
    begins: datetime
    ends: datetime
    mean: Quantity
    peak: Quantity
    """Of an interval the same as ``mean``."""
    minutes: str
    intervals: int


class Fine(NamedTuple):
    """What was measured of a series in the last days up to one, by hour or by interval."""

    unit: str
    begin: datetime
    end: datetime
    hours: Sequence[HourValue] = ()
    intervals: Sequence[IntervalValue] = ()
    crossings: Sequence[Crossing] = ()
    marks: Marks = Marks()


def zone_of(site: Site, subject: str) -> str:
    """The zone in which the site days of a subject are counted."""
    return site.estate.timezone_of(sysplex_of(subject)) or site.settings.site.timezone


def fine_of(site: Site, facts: SeriesFacts, day: date, grain: Grain) -> Fine:
    """The hours or intervals of the last site days up to one; empty where the lake has none."""
    if grain is Grain.daily:
        raise ValueError("days are in the store")
    first = day - timedelta(days=SPAN_DAYS[grain] - 1)
    begin, end = day_bounds(first, day, zone_of(site, facts.subject))
    lake, fine = Path(site.settings.lake), Fine(facts.unit, begin, end)
    if grain is Grain.hourly:
        return fine._replace(hours=hour_values(lake, facts.series_id, begin, end))
    return fine._replace(intervals=interval_values(lake, facts.series_id, begin, end))


def with_limits(fine: Fine, site: Site, facts: SeriesFacts, day: date) -> Fine:
    """The same with the limits of the day and what is marked in these days.

    A limit on daily means says nothing about an hour and is left out.
    """
    below = crossings_below(site.engine, day, facts.subject)
    return fine._replace(
        crossings=[
            one
            for one in below
            if one.series_id == facts.series_id and one.statistic is not Statistic.mean
        ],
        marks=marks_of(site, facts.subject, fine.begin.date(), day),
    )


def fine_lines(fine: Fine) -> list[FineLine]:
    """The hours or intervals as printed, the newest first."""
    lines = [_of_hour(one, fine.unit) for one in fine.hours]
    lines += [_of_interval(one, fine.unit) for one in fine.intervals]
    return lines[::-1]


def address_of(moment: datetime) -> str:
    """An instant for an address: ``2026-01-05T06:00Z``."""
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%MZ}"


def _of_hour(one: HourValue, unit: str) -> FineLine:
    return FineLine(
        at=address_of(one.hour_utc),
        begins=one.hour_utc,
        ends=one.hour_utc + HOUR,
        mean=wording.quantity(one.value, unit),
        peak=wording.quantity(one.peak, unit),
        minutes=wording.number(one.covered_seconds / 60),
        intervals=one.interval_count,
    )


def _of_interval(one: IntervalValue, unit: str) -> FineLine:
    level = wording.quantity(one.level, unit)
    return FineLine(
        at=address_of(one.start_utc),
        begins=one.start_utc,
        ends=one.end_utc,
        mean=level,
        peak=level,
        minutes=wording.number((one.end_utc - one.start_utc) / timedelta(minutes=1)),
        intervals=1,
    )
