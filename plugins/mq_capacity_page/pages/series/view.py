"""Series on a day: figures, annotations, probabilities, findings and text on its forecast."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import Final, NamedTuple

from mq_capacity_page.charts.marks import ChartMarks
from mq_capacity_page.pages.plan.cards import PlansByKey, plans_by_key
from mq_capacity_page.pages.series.chart_marks import chart_marks, with_cleaning
from mq_capacity_page.pages.series.forecast_text import first_dated, forecast_text, why_date
from mq_capacity_page.pages.series.parts import PartsView, parts_view
from mq_capacity_page.pages.series.sub_daily import (
    Resolution,
    SubDailyRow,
    sub_daily_rows,
    sub_daily_values,
)
from mq_capacity_page.queries import fleet_lines_on, history
from mq_capacity_page.web.context import PageContext
from mq_capacity_page.web.page_frame import ViewModel
from mqcap.domain.crossing import PROBABILITY_DAYS, Crossing, stated_probability
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import Statistic, sysplex_of
from mqcap.domain.numbers import figure, probability
from mqcap.presentation import dates, quantities
from mqcap.presentation.fleet import FleetLine
from mqcap.presentation.quantities import Quantity
from mqcap.store.crossings import find_site_correction
from mqcap.store.forecasts import find_forecast
from mqcap.store.models import Observation, SeriesFacts
from mqcap.store.plans import read_plans
from mqcap.store.scores import recent_accuracy
from mqcap.store.series import find_series, series_as_of, series_below

RECENT_DAYS: Final = 14


class PeakValue(NamedTuple):
    """The highest daily peak of a period and the last day on which it was reached."""

    value: float
    site_date: date


class MonthAhead(ViewModel):
    """The highest day of one month of a forecast."""

    month: str
    expected: Quantity
    lower: Quantity
    upper: Quantity


class RecentDay(ViewModel):
    """Measured day as printed."""

    site_date: date
    peak: Quantity
    p95: Quantity
    mean: Quantity
    busiest: str
    covered_hours: str


class SeriesView(ViewModel):
    """Series on a day."""

    facts: SeriesFacts
    statistic: Statistic
    resolution: Resolution
    sub_daily: list[SubDailyRow]
    """Hours or intervals, as the resolution asks; empty for days."""
    parts: PartsView | None
    """The growth with its parts; ``None`` where the lake has no parts of the series."""
    lines: list[FleetLine]
    plans: PlansByKey
    """The plan of the resource of each line, by its rule and subject."""
    """Findings whose limit is compared with this series."""
    other_count: int
    """Further findings on the subject and what is below it."""
    crossings: list[Crossing]
    rule_limits: dict[str, str]
    """By rule: its limit in its own unit, where that of the series is what corresponds to it."""
    forecast_text: list[tuple[str, str]]
    refusal: str | None
    recent: list[RecentDay]
    months: list[MonthAhead]
    last: Observation | None
    peak: PeakValue | None
    """The highest day of the window that rules look at; ``None`` when it was not measured."""
    peak_days: int
    zone: str | None
    """Zone of the site days; ``None`` for a sysplex that the estate does not list."""
    siblings: list[SeriesFacts]
    """All series of the subject that were known on the day."""
    has_chart: bool
    marks: ChartMarks
    probabilities: list[tuple[str, list[tuple[date, str]]]]
    """By rule: a day, and the probability that the limit is exceeded by then."""


def series_view(
    context: PageContext,
    series_id: str,
    day: date | None,
    statistic: Statistic | None = None,
    resolution: Resolution = Resolution.daily,
) -> SeriesView | None:
    """Return one series as known on the day; ``None`` for an unknown series."""
    facts = find_series(context.engine, series_id)
    if facts is None or day is None:
        return None
    all_lines = fleet_lines_on(context, day, facts.subject)
    lines = lines_of_series(all_lines, facts)
    shown = statistic or default_statistic(lines, series_id)
    forecast = find_forecast(context.engine, series_id, shown, day)
    accuracy = recent_accuracy(context.engine, series_id, shown, day)
    days = history(context, series_id, day)
    peak_days = context.settings.rules.peak_days
    marks = chart_marks(context, facts.subject, day, metric=facts.metric)
    crossings = [
        line.crossing for line in lines if line.crossing and line.crossing.series_id == series_id
    ]
    return SeriesView(
        facts=facts,
        statistic=shown,
        resolution=resolution,
        sub_daily=_sub_daily(context, facts, day, resolution),
        parts=parts_view(context, facts, day),
        lines=lines,
        plans=plans_by_key(read_plans(context.engine, day), lines),
        other_count=len(all_lines) - len(lines),
        crossings=crossings,
        rule_limits={
            line.finding.rule_id: str(line.limit)
            for line in lines
            if line.finding.series_limit is not None
        },
        forecast_text=[
            *why_first_date(context, series_id, crossings, day),
            *forecast_text(forecast, facts.forecast, accuracy),
        ],
        refusal=forecast.refusal if forecast else None,
        recent=recent_days(days, facts.unit),
        months=months_ahead(forecast, facts.unit),
        last=days[-1] if days else None,
        peak=highest(days, day - timedelta(days=peak_days - 1)),
        peak_days=peak_days,
        zone=context.estate.timezone_of(sysplex_of(facts.subject)),
        siblings=_siblings(context, facts.subject, day),
        has_chart=bool(days) or (forecast is not None and bool(forecast.points)),
        marks=with_cleaning(marks, context, facts, forecast, days),
        probabilities=probabilities(lines, series_id),
    )


def why_first_date(
    context: PageContext, series_id: str, crossings: Sequence[Crossing], day: date
) -> list[tuple[str, str]]:
    """Return why the first expected date is what it is, whichever statistic is shown.

    Its limit is held against one statistic, and the sentence is about the forecast of that one.
    """
    first = first_dated(crossings)
    if first is None:
        return []
    forecast = find_forecast(context.engine, series_id, first.statistic, day)
    return why_date(forecast, first, find_site_correction(context.engine, day))


def lines_of_series(lines: Iterable[FleetLine], facts: SeriesFacts) -> list[FleetLine]:
    """Return the findings whose limit is compared with this series, most urgent first."""
    return [line for line in lines if line.finding.series_id == facts.series_id]


def default_statistic(lines: Iterable[FleetLine], series_id: str) -> Statistic:
    """Return the statistic of the most urgent limit on the series, else the peak."""
    for line in lines:
        if line.crossing and line.crossing.series_id == series_id:
            return line.crossing.statistic
    return Statistic.peak


def probabilities(
    lines: Iterable[FleetLine], series_id: str
) -> list[tuple[str, list[tuple[date, str]]]]:
    """Return by rule: a day, and the probability that its limit is exceeded by then.

    Rules without a stated probability are left out.
    """
    rows = []
    for line in lines:
        crossing = line.crossing
        if crossing is None or crossing.series_id != series_id:
            continue
        stated = [
            (crossing.cutoff_date + timedelta(days=days), probability(ratio))
            for days in PROBABILITY_DAYS
            if (ratio := stated_probability(crossing, days)) is not None
        ]
        if stated:
            rows.append((crossing.rule_id, stated))
    return rows


def recent_days(days: Sequence[Observation], unit: str) -> list[RecentDay]:
    """Return the last measured days, newest first."""
    return [
        RecentDay(
            site_date=day.site_date,
            peak=quantities.quantity(day.peak, unit),
            p95=quantities.quantity(day.p95, unit),
            mean=quantities.quantity(day.mean, unit),
            busiest=dates.instant(day.busiest_hour_utc),
            covered_hours=figure(day.covered_hours),
        )
        for day in reversed(days[-RECENT_DAYS:])
    ]


def months_ahead(forecast: Forecast | None, unit: str) -> list[MonthAhead]:
    """Return the day with the highest expected value of each month of the forecast."""
    highest_index: dict[str, int] = {}
    points = forecast.points if forecast else ()
    for index, point in enumerate(points):
        month = f"{point.site_date:%b %Y}"
        if month not in highest_index or point.expected > points[highest_index[month]].expected:
            highest_index[month] = index
    return [
        MonthAhead(
            month=month,
            expected=quantities.quantity(points[index].expected, unit),
            lower=quantities.quantity(points[index].lower, unit),
            upper=quantities.quantity(points[index].upper, unit),
        )
        for month, index in highest_index.items()
    ]


def highest(days: Iterable[Observation], first: date) -> PeakValue | None:
    """Return the largest daily peak from ``first`` on; ``None`` when no day was measured."""
    window = [day for day in days if day.site_date >= first]
    return max((PeakValue(day.peak, day.site_date) for day in window), default=None)


def _sub_daily(
    context: PageContext, facts: SeriesFacts, day: date, resolution: Resolution
) -> list[SubDailyRow]:
    if resolution in {Resolution.daily, Resolution.parts}:
        return []
    return sub_daily_rows(sub_daily_values(context, facts, day, resolution))


def _siblings(context: PageContext, subject: str, day: date) -> list[SeriesFacts]:
    below = series_below(context.engine, subject)
    own = [facts for facts in below if facts.subject == subject]
    return series_as_of(context.engine, own, day)
