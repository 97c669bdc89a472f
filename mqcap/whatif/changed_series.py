"""Days, busiest hours and forecasts of a series under a change of a scenario.

Searches try many states of a day that change a series in the same way: it is changed once for them.
"""

from __future__ import annotations

from functools import partial

from forecasting.lines import ForecastLines, lines_of, with_lines
from mqcap.domain.forecast import Forecast
from mqcap.judging.evaluate import DayFacts, ForecastKey
from mqcap.judging.hours import MeasuredHours, MeasuredSeries
from mqcap.judging.known import Same
from mqcap.judging.measured_days import MeasuredDays
from mqcap.lake.readers import HourRate
from mqcap.store.models import WindowDay
from mqcap.whatif.effects import SeriesChange


def changed_days(facts: DayFacts, series: MeasuredSeries, change: SeriesChange) -> MeasuredDays:
    """Return the measured days of a series under a change; no day where nothing is measured."""
    measured = facts.observed.measured(*series) or MeasuredDays(())
    if change.changes_nothing:
        return measured
    basis = ("changed days", Same(measured), change)
    return facts.once(basis, lambda: measured.changed(partial(_changed, change)))


def _changed(change: SeriesChange, day: WindowDay) -> WindowDay:
    changed = change.changed
    return day.with_figures(changed(day.mean), changed(day.p95), changed(day.peak))


def changed_hours(facts: DayFacts, series: MeasuredSeries, change: SeriesChange) -> MeasuredHours:
    """Return the busiest hours under a change; a change of slope is of no series read by hour."""
    hours = facts.observed.hours[series]
    return hours._replace(
        curve=hours.curve.grown(change.factor * change.rescale, change.addition * change.rescale),
        by_hour={
            hour: HourRate(change.of(rate.mean), change.of(rate.peak))
            for hour, rate in hours.by_hour.items()
        },
    )


def changed_forecast(facts: DayFacts, key: ForecastKey, change: SeriesChange) -> Forecast:
    """Return a forecast under a change."""
    forecast = facts.forecasts[key]
    if change.changes_nothing:
        return forecast
    basis = ("changed forecast", Same(forecast), change)
    return facts.once(basis, lambda: _changed_forecast(forecast, change))


def _changed_forecast(forecast: Forecast, change: SeriesChange) -> Forecast:
    lines = lines_of(forecast)
    lower, expected, upper = (
        change.of_each(line) for line in (lines.lower, lines.expected, lines.upper)
    )
    return with_lines(forecast, ForecastLines(lines.days, lower, expected, upper))
