"""The chart of a series with its tabs: days, hours, intervals or parts, and how far back."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple

from mq_capacity_page.charts import (
    Chart,
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
from mqcap.domain.finding import Finding, stated_figure
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import Statistic
from mqcap.domain.numbers import quantity
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
    Statistic.peak: "Peak of each day",
    Statistic.p95: "95th percentile of each day",
    Statistic.mean: "Mean of each day",
}
Days = Sequence[tuple[date, float]]

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
    steps: Mapping[str, Sequence[tuple[date, float]]] = MappingProxyType({})
    """By rule: the later limits that changes listed in the estate bring, with their first days."""

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
    rules = {(crossing.rule_id, crossings[0].subject) for crossing in crossings}
    steps = {
        finding.rule_id: limit_steps(context.settings, context.engine, finding)
        for finding in (findings if context.estate.changes_after(day) else ())
        if (finding.rule_id, finding.subject) in rules
    }
    return SeriesDays(facts, day, days, forecast, crossings, findings, marks, statistic, steps)


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
    return days_chart(of, query)


def days_chart(of: SeriesDays, query: PanelQuery) -> Chart | None:
    """Return the chart of days; ``None`` where none of those asked for was measured.

    Where a rule states a time of the series, that is drawn instead, with the times that rules of
    its resource ask for: 12 h and 24 h of log.
    """
    oldest = of.observations[0].site_date if of.observations else of.day
    first = max(of.day - timedelta(days=query.span), oldest)
    days = [(at, value) for at, value in of.figures(query.statistic) if first <= at <= of.day]
    if not days:
        return None
    factor, unit = display_units.scale(of.facts.unit)
    limits = limits_of(of.crossings, factor, unit, of.steps)
    finding = stating(of, query.rule) if query.figure is Figure.stated else None
    stated = stated_figure(finding) if finding else None
    if finding and stated:
        unit, path = stated.unit, resource_path(finding.key)
        figures = (stated_figure(own) for own in of.findings if resource_path(own.key) == path)
        asked = {figure.limit for figure in figures if figure and figure.unit == unit}
        limits = tuple(
            Limit(value=limit, words=quantity(limit, unit), is_lower=True)
            for limit in sorted(asked)
        )

    def converted(days: Days) -> list[tuple[date, float]]:
        shown = ((day, stated.of(value) if stated else value * factor) for day, value in days)
        return [(day, value) for day, value in shown if value is not None]

    is_weekly, worst = (of.day - first).days > DAILY_UP_TO, min if stated else max
    measured, points = converted(days), of.forecast.points if of.forecast else ()
    name, each_day = DAILY[query.statistic], line_points(measured, timedelta(days=1))
    lines = [Line(name=name, role=Role.strong, points=each_day)]
    expected, lower, upper = (
        converted([(point.site_date, getattr(point, bound)) for point in points])
        for bound in ("expected", "lower", "upper")
    )
    if is_weekly:
        measured, expected, lower, upper = (
            weekly(course, of.day, worst) for course in (measured, expected, lower, upper)
        )
        of_week = f"{'Lowest' if stated else 'Highest'} of the week"
        weeks = line_points(measured, _WEEKS)
        lines = [Line(name=of_week, role=Role.strong, points=weeks)]
        if not stated:  # of other days of the week a time says nothing
            lines.append(Line(name=name, role=Role.faint, points=each_day))
    if expected:
        begun = (*lines[0].points[-1:], *line_points(expected, _WEEKS))
        ahead = "Forecast, with its range of 80 %"
        lines.append(Line(name=ahead, role=Role.forecast, points=begun))
    last = position(max([of.day, *(point.site_date for point in points)]))
    title = finding.title if finding else metric_label(of.facts.metric)
    return Chart(
        title=f"{of.facts.subject}: {title}",
        unit=unit,
        first=position(first),
        last=last,
        now=position(of.day),
        lines=tuple(lines),
        band=tuple(
            (position(at), min(low, high), max(low, high))
            for (at, low), (_, high) in zip(lower, upper, strict=False)
        ),
        limits=limits,
        crossing=crossing_range(of.crossings, last),
        events=events_of(of.marks, first),
    )
