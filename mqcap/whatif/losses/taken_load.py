"""A series of a survivor with the load of a lost part on top, in days, hours and forecasts.

The highest day of the lost part counts at all hours, but for log write rates: these are added hour
by hour, so that two peaks count together only where they were measured together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

import numpy as np

from mqcap.domain.forecast import Forecast, ForecastPoint
from mqcap.domain.metric import Statistic, series_id, split_series_id, sysplex_of
from mqcap.judging.evaluate import DayFacts
from mqcap.judging.hours import MeasuredHours, MeasuredSeries, measured_hours
from mqcap.lake.readers import HourRate
from mqcap.store.models import WindowDay

_P95: Final = 0.95
"""As the daily roll-up takes it of the hours of a day."""


class TakenLoad(NamedTuple):
    """A series of a survivor that grows by a multiple of a series of the lost part."""

    series: MeasuredSeries
    source: MeasuredSeries
    factor: float
    lines: tuple[str, ...]
    by_hour: bool = False


def highest(facts: DayFacts, series: MeasuredSeries, statistic: Statistic) -> float:
    """Return the highest daily value of the window; 0 where nothing is measured."""
    days = facts.observed.days(*series)
    return max((day.value(statistic) for day in days), default=0.0)


def with_taken_loads(facts: DayFacts, loads: Iterable[TakenLoad]) -> DayFacts:
    """Return the facts with every load added; all are those of the facts as they are."""
    days: dict[MeasuredSeries, list[WindowDay]] = {}
    hours = dict(facts.observed.hours)
    by_source: dict[MeasuredSeries, list[TakenLoad]] = {}
    ratios: dict[tuple[MeasuredSeries, Statistic], float] = {}
    for load in loads:
        by_source.setdefault(load.series, []).append(load)
        if load.by_hour:
            summed = hourly_sum(facts, load)
            if summed is None:
                continue
            hours[load.series] = summed
            days[load.series] = _days_of(facts, load.series, summed)
            for statistic in Statistic:
                ratios[load.series, statistic] = _together(facts, load, days, statistic)
        else:
            known = days.get(load.series) or facts.observed.whole_series(*load.series)
            more = {each: load.factor * highest(facts, load.source, each) for each in Statistic}
            days[load.series] = [_raised(day, more) for day in known]
    forecasts = {
        key: _forecast(facts, forecast, by_source.get(split_series_id(key[0]), []), ratios)
        for key, forecast in facts.forecasts.items()
    }
    return facts._replace(observed=facts.observed.replaced(days, hours), forecasts=forecasts)


def hourly_sum(facts: DayFacts, load: TakenLoad) -> MeasuredHours | None:
    """Return the sum of the hours that both series have; ``None`` where they share none."""
    own, taken = (facts.observed.hours.get(each) for each in (load.series, load.source))
    if own is None or taken is None or not facts.observed.days(*load.series):
        return None
    both = {
        hour: HourRate(
            rate.mean + load.factor * taken.by_hour[hour].mean,
            rate.peak + load.factor * taken.by_hour[hour].peak,
        )
        for hour, rate in own.by_hour.items()
        if hour in taken.by_hour
    }
    return measured_hours(both, own.first_date, own.last_date) if both else None


def _days_of(facts: DayFacts, series: MeasuredSeries, hours: MeasuredHours) -> list[WindowDay]:
    """Return the days of an hourly sum, with the statistics of the daily roll-up."""
    model = facts.observed.whole_series(*series)[-1]
    zone = facts.estate.timezone_of(sysplex_of(series[1])) or facts.settings.site.timezone
    return [
        model._replace(
            site_date=day,
            mean=float(np.mean([rate.mean for rate in rates])),
            p95=float(np.quantile([rate.mean for rate in rates], _P95)),
            peak=max(rate.peak for rate in rates),
        )
        for day, rates in sorted(_by_day(hours.by_hour, zone).items())
    ]


def _by_day(by_hour: Mapping[datetime, HourRate], zone: str) -> dict[date, list[HourRate]]:
    site_zone = ZoneInfo(zone)
    days: dict[date, list[HourRate]] = {}
    for hour, rate in by_hour.items():
        days.setdefault(hour.astimezone(site_zone).date(), []).append(rate)
    return days


def _together(
    facts: DayFacts,
    load: TakenLoad,
    days: Mapping[MeasuredSeries, list[WindowDay]],
    statistic: Statistic,
) -> float:
    """Return the highest day of the sum as a share of the sum of the highest days."""
    apart = highest(facts, load.series, statistic)
    apart += load.factor * highest(facts, load.source, statistic)
    most = max(day.value(statistic) for day in days[load.series])
    return min(most / apart, 1.0) if apart > 0 else 1.0


def _raised(day: WindowDay, more: Mapping[Statistic, float]) -> WindowDay:
    return day._replace(
        mean=day.mean + more[Statistic.mean],
        p95=day.p95 + more[Statistic.p95],
        peak=day.peak + more[Statistic.peak],
    )


def _forecast(
    facts: DayFacts,
    forecast: Forecast,
    loads: Iterable[TakenLoad],
    ratios: Mapping[tuple[MeasuredSeries, Statistic], float],
) -> Forecast:
    """Return the sum of the forecasts, with the present level of a load that is not forecast."""
    for load in loads:
        ratio = ratios.get((load.series, forecast.statistic), 1.0)
        if load.by_hour and (load.series, forecast.statistic) not in ratios:
            continue
        other = facts.forecasts.get((series_id(*load.source), forecast.statistic))
        expected = {point.site_date: point for point in other.every_day} if other else {}
        level = highest(facts, load.source, forecast.statistic)
        points, after_horizon = (
            tuple(_sum(point, expected.get(point.site_date), level, load.factor, ratio)
                  for point in days)
            for days in (forecast.points, forecast.after_horizon)
        )  # fmt: skip
        forecast = forecast.model_copy(update={"points": points, "after_horizon": after_horizon})
    return forecast


def _sum(
    own: ForecastPoint, taken: ForecastPoint | None, level: float, factor: float, ratio: float
) -> ForecastPoint:
    """Return the sum of two points of one day; the bounds of both are taken at once."""
    return ForecastPoint.model_construct(
        site_date=own.site_date,
        expected=(own.expected + factor * (taken.expected if taken else level)) * ratio,
        lower=(own.lower + factor * (taken.lower if taken else level)) * ratio,
        upper=(own.upper + factor * (taken.upper if taken else level)) * ratio,
    )
