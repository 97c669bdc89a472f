"""The busiest consecutive hours of a window, from the hourly values of the lake.

Across a missing hour no run is formed. Lengths that no run reaches are absent from the curve.
"""

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from types import MappingProxyType
from typing import Final, NamedTuple

import numpy as np

from mqcap.domain.busiest_hours import BUSIEST_LENGTHS_H, BusiestHours
from mqcap.domain.input_source import BusiestStart
from mqcap.domain.subject import Subject
from mqcap.domain.units import SECONDS_PER_HOUR
from mqcap.lake.location import open_lake
from mqcap.lake.readers import HourRate, day_bounds, rates_by_hour
from mqcap.settings import Settings
from sizing.rulebook.registry import metrics_by_hour

_DIGITS: Final = 6
"""Significant digits of a stored volume."""
_HOUR: Final = timedelta(hours=1)

MeasuredSeries = tuple[str, str]
"""Metric and subject."""


class MeasuredHours(NamedTuple):
    """The busiest hours of one series in a window of site days."""

    curve: BusiestHours
    starts: tuple[BusiestStart, ...]
    first_date: date
    last_date: date
    hour_count: int
    by_hour: Mapping[datetime, HourRate] = MappingProxyType({})
    """The hours themselves, so that two series can be added hour by hour."""


def busiest_hours_of(
    settings: Settings, first: date, last: date
) -> dict[MeasuredSeries, MeasuredHours]:
    """Return the busiest hours of series that a rule reads by the hour, between two site days."""
    lake = open_lake(settings.lake)
    begin, end = day_bounds(first - timedelta(days=1), last + timedelta(days=1), "UTC")
    zones = settings.zones()
    measured: dict[MeasuredSeries, MeasuredHours] = {}
    for series, rates in rates_by_hour(lake, metrics_by_hour(), begin, end).items():
        zone = zones.get(Subject(series[1]).sysplex, settings.site.timezone)
        start, stop = day_bounds(first, last, zone)
        inside = {hour: rate for hour, rate in rates.items() if start <= hour < stop}
        if inside:
            measured[series] = measured_hours(inside, first, last)
    return measured


def measured_hours(by_hour: Mapping[datetime, HourRate], first: date, last: date) -> MeasuredHours:
    """Return the busiest hours of at least one hour of a window of site days."""
    curve, starts = busiest({hour: rate.mean for hour, rate in by_hour.items()})
    return MeasuredHours(curve, starts, first, last, len(by_hour), by_hour)


def busiest(
    rates_mib_per_s: Mapping[datetime, float],
) -> tuple[BusiestHours, tuple[BusiestStart, ...]]:
    """Return the curve of at least one hour's rates, and where the first of its runs begin."""
    first = min(rates_mib_per_s)
    count = (max(rates_mib_per_s) - first) // _HOUR + 1
    volumes, measured = np.zeros(count), np.zeros(count, dtype=int)
    for hour, rate in rates_mib_per_s.items():
        place = (hour - first) // _HOUR
        volumes[place], measured[place] = rate * SECONDS_PER_HOUR, 1
    sums = np.concatenate(([0.0], volumes.cumsum()))
    present = np.concatenate(([0], measured.cumsum()))
    curve: list[float] = []
    starts: list[BusiestStart] = []
    for hours in BUSIEST_LENGTHS_H:
        full = present[hours:] - present[:-hours] == hours
        if not full.any():
            break
        runs = np.where(full, sums[hours:] - sums[:-hours], -1.0)
        place = int(runs.argmax())
        curve.append(max(float(f"{runs[place]:.{_DIGITS}g}"), *curve[-1:], 0.0))
        begins = first + place * _HOUR
        if not starts or starts[-1].start_utc != begins:
            starts.append(BusiestStart(hours, begins))
    return BusiestHours(volumes_mib=tuple(curve)), tuple(starts)
