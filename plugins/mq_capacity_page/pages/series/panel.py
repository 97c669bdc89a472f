"""The chart of a series with its tabs: days, hours, intervals or parts, and how far back."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple

from mq_capacity_page.charts import (
    Chart,
    Event,
    Limit,
    Line,
    Role,
    crossing_range,
    limits_of,
    line_points,
    position,
)
from mq_capacity_page.pages.series.marks import DayMark, cleaning_marks, events_of, marks_of
from mq_capacity_page.pages.series.sub_daily import Resolution, parts_chart, sub_daily_chart
from mq_capacity_page.web.context import PageContext
from mqcap.domain.crossing import Crossing
from mqcap.domain.finding import Finding
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import Statistic
from mqcap.domain.numbers import quantity
from mqcap.domain.stated_figure import StatedFigure, stated_figure
from mqcap.judging.planned_change import limit_steps
from mqcap.presentation import display_units
from mqcap.presentation.labels import metric_label
from mqcap.queries.courses import weekly
from mqcap.queries.resources import resource_path
from mqcap.store.crossings import crossings_below
from mqcap.store.findings import findings_below
from mqcap.store.forecasts import find_forecast
from mqcap.store.models import Observation, SeriesFacts
from mqcap.store.observations import read_observations

DAILY_UP_TO: Final = 60
"""Days of history up to which each day is the strong line, and no week (ours)."""
_WEEKS: Final = timedelta(days=10)
"""Weeks further apart than that have a gap between them (ours)."""
DAILY: Final = {
    Statistic.peak: "peak of each day",
    Statistic.p95: "95th percentile of each day",
    Statistic.mean: "mean of each day",
}


class DailyFigure(NamedTuple):
    """A daily figure with what is drawn beside it."""

    days: Sequence[tuple[date, float]]
    """Measured days in order, in ``unit`` as it is stored."""
    unit: str
    statistic: Statistic
    day: date
    """The last day; nothing later is drawn as measured."""
    first: date
    """First day drawn."""
    forecast: Forecast | None = None
    crossings: Sequence[Crossing] = ()
    """Of the limits to draw, all of this series and statistic."""
    stated: StatedFigure | None = None
    """Draws the time that a rule states instead of the rate of its series."""
    stated_limits: Sequence[float] = ()
    """Limits of that time, besides its own."""
    steps: Mapping[str, Sequence[tuple[date, float]]] = MappingProxyType({})
    """By rule: the later limits that planned changes bring, with their first days."""
    events: tuple[Event, ...] = ()
    title: str = ""


def days_chart(of: DailyFigure) -> Chart | None:
    """Return the chart of a daily figure; ``None`` without a measured day in it."""
    shown = [(at, value) for at, value in of.days if of.first <= at <= of.day]
    if not shown:
        return None
    factor, name = display_units.scale(of.unit)
    stated = of.stated

    def convert(value: float) -> float | None:
        return stated.of(value) if stated else value * factor

    points = of.forecast.points if of.forecast else ()
    last = position(max([of.day, *(point.site_date for point in points)]))
    is_weekly = (of.day - of.first).days > DAILY_UP_TO
    measured = _history(of, _converted(shown, convert), is_weekly=is_weekly)
    ahead, band = _ahead(of, convert, measured[0], is_weekly=is_weekly)
    limits = limits_of(of.crossings, factor, name, of.steps)
    if stated:
        limits = tuple(
            Limit(value=limit, words=quantity(limit, stated.unit), is_lower=True)
            for limit in sorted({stated.limit, *of.stated_limits})
        )
    return Chart(
        title=of.title,
        unit=stated.unit if stated else name,
        first=position(of.first),
        last=last,
        now=position(of.day),
        lines=(*measured, *ahead),
        band=band,
        limits=limits,
        crossing=crossing_range(of.crossings, last),
        events=of.events,
    )


def _history(
    of: DailyFigure, measured: Sequence[tuple[date, float]], *, is_weekly: bool
) -> list[Line]:
    name = DAILY[of.statistic].capitalize()
    if not is_weekly:
        return [Line(name=name, role=Role.strong, points=line_points(measured, timedelta(days=1)))]
    weeks = line_points(weekly(measured, of.day, min if of.stated else max), _WEEKS)
    if of.stated:  # of other days of the week it says nothing
        return [Line(name="Lowest of the week", role=Role.strong, points=weeks)]
    return [
        Line(name="Highest of the week", role=Role.strong, points=weeks),
        Line(name=name, role=Role.faint, points=line_points(measured, timedelta(days=1))),
    ]


def _ahead(
    of: DailyFigure, convert: Callable[[float], float | None], history: Line, *, is_weekly: bool
) -> tuple[list[Line], tuple[tuple[float, float, float], ...]]:
    """Return the line of the forecast and its range, of weeks where those are the history.

    The line begins where that of the history ends.
    """
    forecast = of.forecast.points if of.forecast else ()
    every = [
        _converted([(point.site_date, getattr(point, name)) for point in forecast], convert)
        for name in ("expected", "lower", "upper")
    ]
    if is_weekly:
        every = [weekly(days, of.day, min if of.stated else max) for days in every]
    expected, lower, upper = every
    if not expected:
        return [], ()
    band = tuple(
        (position(at), min(low, high), max(low, high))
        for (at, low), (_, high) in zip(lower, upper, strict=False)
    )
    name = "Forecast, with its range of 80 %"
    points = (*history.points[-1:], *line_points(expected, _WEEKS))
    return [Line(name=name, role=Role.forecast, points=points)], band


def _converted(
    days: Sequence[tuple[date, float]], convert: Callable[[float], float | None]
) -> list[tuple[date, float]]:
    return [(day, value) for day, each in days if (value := convert(each)) is not None]


ALL_DAYS: Final = 9_999
SPANS: Final = ((30, "30 days"), (90, "90 days"), (180, "180 days"), (400, "400 days"))
"""Tabs of days back; ``ALL_DAYS`` is all."""
USUAL_SPAN: Final = 180
HISTORY_DAYS: Final = 3 * 366
"""Observations drawn of a series (ours)."""


class Figure(StrEnum):
    """What a chart of days shows."""

    stated = "stated"
    """The time that the rule states, such as hours of log, where it states one."""
    measured = "measured"


class PanelQuery(NamedTuple):
    """What a reader asks of the chart."""

    statistic: Statistic
    grain: Resolution = Resolution.daily
    span: int = USUAL_SPAN
    figure: Figure = Figure.stated
    rule: str = ""
    """The rule whose limit and figure are shown first; empty: all limits on the series."""


class SeriesDays(NamedTuple):
    """A series as of a day, read once for chart and tables."""

    facts: SeriesFacts
    day: date
    observations: Sequence[Observation]
    forecast: Forecast | None
    crossings: Sequence[Crossing]
    """Of the limits on its statistic."""
    findings: Sequence[Finding]
    """Whose limit is held against it."""
    marks: Sequence[DayMark]
    statistic: Statistic
    """Of the forecast and of the crossings."""

    def figures(self, statistic: Statistic) -> list[tuple[date, float]]:
        """Return day and value of one statistic."""
        return [
            (observation.site_date, float(getattr(observation, statistic)))
            for observation in self.observations
        ]


def series_days(
    context: PageContext, facts: SeriesFacts, day: date, statistic: Statistic
) -> SeriesDays:
    """Return what is known of a series up to a day."""
    days = read_observations(
        context.engine, facts.series_id, day - timedelta(days=HISTORY_DAYS), day
    )
    forecast = find_forecast(context.engine, facts.series_id, statistic, day)
    crossings = [
        crossing
        for crossing in crossings_below(context.engine, day, facts.subject)
        if crossing.series_id == facts.series_id and crossing.statistic is statistic
    ]
    below = findings_below(context.engine, day, facts.subject)
    findings = [finding for finding in below if finding.series_id == facts.series_id]
    marks = [*marks_of(context, facts, day), *cleaning_marks(context, facts, forecast, days)]
    marks.sort(key=lambda mark: mark.site_date)
    return SeriesDays(facts, day, days, forecast, crossings, findings, marks, statistic)


def stating(of: SeriesDays, rule: str) -> Finding | None:
    """Return the finding that states a time of the series: that of a rule, else the worst one."""
    watching = [finding for finding in of.findings if finding.statistic is of.statistic]
    named = [finding for finding in watching if finding.rule_id == rule]
    ranked = sorted(named or watching, key=lambda finding: -finding.severity.rank)
    return next((finding for finding in ranked if stated_figure(finding) is not None), None)


def chart_of(context: PageContext, of: SeriesDays, query: PanelQuery) -> Chart | None:
    """Return the chart that a reader asks for; ``None`` where nothing of it was measured."""
    if query.grain is Resolution.parts:
        return parts_chart(context, of.facts, of.day)
    if query.grain is not Resolution.daily:
        return sub_daily_chart(context, of.facts, of.day, query.grain, of.crossings)
    return days_chart(daily_figure(context, of, query))


def daily_figure(context: PageContext, of: SeriesDays, query: PanelQuery) -> DailyFigure:
    """Return what the chart of days is drawn from."""
    first = of.day - timedelta(days=query.span)
    oldest = of.observations[0].site_date if of.observations else of.day
    begin = max(first, oldest)
    finding = stating(of, query.rule) if query.figure is Figure.stated else None
    stated = stated_figure(finding) if finding else None
    return DailyFigure(
        days=of.figures(query.statistic),
        unit=of.facts.unit,
        statistic=query.statistic,
        day=of.day,
        forecast=of.forecast,
        crossings=of.crossings,
        first=begin,
        stated=stated,
        stated_limits=_stated_limits(of, query.rule) if stated else (),
        steps=planned_limits(context, of),
        events=events_of(of.marks, begin),
        title=f"{of.facts.subject}: {finding.title if finding else metric_label(of.facts.metric)}",
    )


def _stated_limits(of: SeriesDays, rule: str) -> list[float]:
    """Return the times that rules of one resource ask for, in one unit: 12 h and 24 h of log."""
    first = stating(of, rule)
    if first is None:
        return []
    path = resource_path(first.key)
    own = [finding for finding in of.findings if resource_path(finding.key) == path]
    asked = (stated_figure(finding) for finding in own)
    return sorted(
        {figure.limit for figure in asked if figure is not None and figure.unit == first.unit}
    )


def planned_limits(
    context: PageContext, of: SeriesDays
) -> Mapping[str, Sequence[tuple[date, float]]]:
    """Return by rule the later limits that changes listed in the estate bring."""
    if not of.crossings or not context.estate.changes_after(of.day):
        return {}
    rules = {crossing.rule_id for crossing in of.crossings}
    return {
        finding.rule_id: limit_steps(context.settings, context.engine, finding)
        for finding in of.findings
        if finding.rule_id in rules and finding.subject == of.crossings[0].subject
    }
