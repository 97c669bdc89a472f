"""A series of a survivor with the load of a lost part on top, in days, hours and forecasts.

The highest day of the lost part counts at all hours, but for log write rates: these are added hour
by hour, so that two peaks count together only where they were measured together.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property, partial
from operator import attrgetter
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

import numpy as np

from forecasting.arrays import FloatArray
from forecasting.lines import ForecastLines, lines_of, with_lines
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import Statistic, series_id, split_series_id
from mqcap.domain.subject import Subject
from mqcap.judging.deferred import DeferredMapping
from mqcap.judging.evaluate import DayFacts, ForecastKey
from mqcap.judging.hours import MeasuredHours, MeasuredSeries, measured_hours
from mqcap.judging.known import Same
from mqcap.judging.observed import MeasuredDays
from mqcap.lake.readers import HourRate
from mqcap.store.models import WindowDay

_P95: Final = 0.95
"""As the daily roll-up takes it of the hours of a day."""
_Added = tuple["TakenLoad", Callable[[Statistic], float]]
"""A load, and the share of the sum of both peaks that counts, by statistic."""


class TakenLoad(NamedTuple):
    """A series of a survivor that grows by a multiple of a series of the lost part."""

    series: MeasuredSeries
    source: MeasuredSeries
    factor: float
    lines: tuple[str, ...]
    by_hour: bool = False


def with_taken_loads(facts: DayFacts, loads: Iterable[TakenLoad]) -> DayFacts:
    """Return the facts with every load added; all are those of the facts as they are."""
    days: dict[MeasuredSeries, Callable[[], MeasuredDays]] = {}
    hours: dict[MeasuredSeries, Callable[[], MeasuredHours]] = {}
    added: dict[MeasuredSeries, list[_Added]] = defaultdict(list)
    for load in loads:
        key = load.series
        if not load.by_hour:
            measured = partial(facts.observed.measured, *key)
            days[key] = partial(_raised, facts, load, days.get(key, measured))
            added[key].append((load, lambda _: 1.0))
        elif has_common_hours(facts, load):
            summed = HourlySum(facts, load)
            days[key] = partial(attrgetter("days"), summed)
            hours[key] = partial(attrgetter("hours"), summed)
            added[key].append((load, summed.together))
    forecasts = DeferredMapping(
        facts.forecasts,
        {
            key: partial(_forecast, facts, key, own)
            for key in facts.forecasts
            if (own := added.get(split_series_id(key[0]))) is not None
        },
    )
    return facts._replace(observed=facts.observed.replaced(days, hours), forecasts=forecasts)


def has_common_hours(facts: DayFacts, load: TakenLoad) -> bool:
    """Return whether both series have an hour, and a day of the daily roll-up."""
    own, taken = (facts.observed.hours.get(name) for name in (load.series, load.source))
    if own is None or taken is None or not facts.observed.days(*load.series):
        return False
    return not own.by_hour.keys().isdisjoint(taken.by_hour.keys())


class HourlySum:
    """The sum of two series in the hours that both have, of which there is at least one."""

    def __init__(self, facts: DayFacts, load: TakenLoad) -> None:
        self._facts = facts
        self._load = load

    @cached_property
    def hours(self) -> MeasuredHours:
        """The hours of the sum."""
        series, source, factor = self._load.series, self._load.source, self._load.factor
        own, taken = (self._facts.observed.hours[name] for name in (series, source))
        basis = ("hours of a sum", Same(own), Same(taken), factor)
        return self._facts.once(basis, lambda: self._summed_hours(own, taken))

    @cached_property
    def days(self) -> MeasuredDays:
        """The days of the sum, with the statistics of the daily roll-up."""
        facts, series = self._facts, self._load.series
        model = facts.observed.whole_series(*series)[-1]
        zone = facts.estate.zones().get(Subject(series[1]).sysplex) or facts.settings.site.timezone
        basis = ("days of a sum", Same(self.hours), model, zone)
        return facts.once(basis, lambda: MeasuredDays(self._summed_days(model, zone)))

    def _summed_hours(self, own: MeasuredHours, taken: MeasuredHours) -> MeasuredHours:
        factor = self._load.factor
        both = {
            hour: HourRate(
                rate.mean + factor * taken.by_hour[hour].mean,
                rate.peak + factor * taken.by_hour[hour].peak,
            )
            for hour, rate in own.by_hour.items()
            if hour in taken.by_hour
        }
        return measured_hours(both, own.first_date, own.last_date)

    def _summed_days(self, model: WindowDay, zone: str) -> list[WindowDay]:
        site_zone = ZoneInfo(zone)
        by_day: dict[date, list[HourRate]] = defaultdict(list)
        for hour, rate in self.hours.by_hour.items():
            by_day[hour.astimezone(site_zone).date()].append(rate)
        means = {day: [rate.mean for rate in rates] for day, rates in by_day.items()}
        daily = _daily(means)
        return [
            model._replace(
                site_date=day,
                mean=daily[day][0],
                p95=daily[day][1],
                peak=max(rate.peak for rate in by_day[day]),
            )
            for day in sorted(by_day)
        ]

    def together(self, statistic: Statistic) -> float:
        """Return the highest day of the sum as a share of the sum of the highest days."""
        facts, load = self._facts, self._load
        apart = facts.observed.highest(*load.series, statistic)
        apart += load.factor * facts.observed.highest(*load.source, statistic)
        most = max(day.value(statistic) for day in self.days.days)
        return min(most / apart, 1.0) if apart > 0 else 1.0


def _daily(means: Mapping[date, list[float]]) -> dict[date, tuple[float, float]]:
    """Return mean and 95th percentile of the hours of each day; days of as many hours at once."""
    daily: dict[date, tuple[float, float]] = {}
    for count in {len(values) for values in means.values()}:
        days = [day for day, values in means.items() if len(values) == count]
        hours = np.array([means[day] for day in days])
        mean, p95 = np.mean(hours, axis=1), np.quantile(hours, _P95, axis=1)
        daily.update(zip(days, zip(mean.tolist(), p95.tolist(), strict=True), strict=True))
    return daily


def _raised(
    facts: DayFacts, load: TakenLoad, known: Callable[[], MeasuredDays | None]
) -> MeasuredDays:
    """Return the days with the highest day of the load on top."""
    mean, p95, peak = (
        load.factor * facts.observed.highest(*load.source, statistic)
        for statistic in (Statistic.mean, Statistic.p95, Statistic.peak)
    )
    own = known() or MeasuredDays(())
    basis = ("raised days", Same(own), mean, p95, peak)
    return facts.once(
        basis,
        lambda: own.changed(
            lambda day: day.with_figures(day.mean + mean, day.p95 + p95, day.peak + peak)
        ),
    )


def _forecast(facts: DayFacts, key: ForecastKey, added: Iterable[_Added]) -> Forecast:
    """Return the sum of the forecasts, with the present level of a load that is not forecast."""
    forecast = facts.forecasts[key]
    for load, of_peaks in added:
        other = facts.forecasts.get((series_id(*load.source), forecast.statistic))
        level = facts.observed.highest(*load.source, forecast.statistic)
        share = of_peaks(forecast.statistic)
        basis = ("sum of forecasts", Same(forecast), Same(other), load.factor, level, share)
        summed = partial(_sum_of, forecast, other, load.factor, level, share)
        forecast = facts.once(basis, summed)
    return forecast


def _sum_of(
    forecast: Forecast, other: Forecast | None, factor: float, level: float, share: float
) -> Forecast:
    """Return a share of a forecast and a multiple of another one; ``level`` is where that ends."""
    lines, taken = lines_of(forecast), lines_of(other) if other is not None else None
    lower, expected, upper = (
        (own + factor * more) * share
        for own, more in zip(
            (lines.lower, lines.expected, lines.upper),
            _on_days(lines.days, taken, level),
            strict=True,
        )
    )
    return with_lines(forecast, ForecastLines(lines.days, lower, expected, upper))


def _on_days(
    days: Sequence[date], taken: ForecastLines | None, level: float
) -> Iterator[FloatArray]:
    """Yield lower, expected and upper values on some days; the level on days without them."""
    places = {day: place for place, day in enumerate(taken.days)} if taken is not None else {}
    found = [places.get(day, -1) for day in days]
    none = np.empty(0)
    lines = (taken.lower, taken.expected, taken.upper) if taken is not None else (none,) * 3
    for line in lines:
        yield np.append(line, level)[found]
