"""A series as it is, and with a scenario: its forecast, its limits, or the time that they give."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from mq_capacity_page.charts import Chart, Limit, Line, Role, position
from mq_capacity_page.pages.series.panel import (
    Figure,
    PanelQuery,
    SeriesDays,
    chart_of,
    series_days,
    stating,
)
from mq_capacity_page.queries import evaluate_scenario
from mq_capacity_page.web.context import PageContext
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import Statistic
from mqcap.domain.numbers import quantity
from mqcap.domain.plan import Plan, PlanVariant
from mqcap.domain.stated_figure import stated_figure
from mqcap.presentation import display_units
from mqcap.presentation.summary_words import typed_words
from mqcap.queries.courses import weekly
from mqcap.store.findings import findings_about
from mqcap.store.plans import find_plan
from mqcap.store.series import find_series
from mqcap.whatif.comparison import WhatIfResult
from mqcap.whatif.scenario import Scenario

Convert = Callable[[float], float | None]
Worst = Callable[[float, float], float]
MOST_OPTIONS: Final = 2
"""Options that a chart has room for (ours)."""


def scenario_chart(
    context: PageContext,
    series_id: str,
    day: date,
    query: PanelQuery,
    result: WhatIfResult,
    start: date | None,
) -> Chart | None:
    """Return the chart of a series with what a scenario makes of it; ``None`` without one."""
    facts = find_series(context.engine, series_id)
    if facts is None:
        return None
    of = series_days(context, facts, day, query.statistic)
    chart = chart_of(context, of, query)
    option = Line(name="With the scenario", role=Role.option, points=())
    return chart and with_option(chart, of, query, result, option, start)


def option_chart(context: PageContext, path: str, day: date, query: PanelQuery) -> Chart | None:
    """Return the chart of a resource with the options of its plan; ``None`` without a chart.

    ConfigurationError where a scenario of the plan does not fit the day any more.
    """
    plan = find_plan(context.engine, path, day)
    findings = findings_about(
        context.engine, day, [verdict[1] for verdict in plan.judged] if plan else []
    )
    named = [finding for finding in findings if finding.rule_id == query.rule and finding.series_id]
    facts = find_series(context.engine, named[0].series_id or "") if named else None
    if plan is None or facts is None:
        return None
    shown = query._replace(statistic=named[0].statistic or query.statistic)
    of = series_days(context, facts, day, shown.statistic)
    chart = chart_of(context, of, shown)
    if chart is None:
        return None
    scenarios = [(tier, _scenario(plan, tier)) for tier in (plan.base, *plan.tiers, *plan.options)]
    drawn = [scenario for scenario in scenarios[:MOST_OPTIONS] if scenario[1].configuration]
    for role, (variant, scenario) in zip((Role.option, Role.option_2), drawn, strict=False):
        result = evaluate_scenario(context, day, scenario)
        option = Line(name=typed_words(variant), role=role, points=())
        chart = with_option(chart, of, shown, result, option, plan.dates.earliest_date)
    return chart


def _scenario(plan: Plan, variant: PlanVariant) -> Scenario:
    parts = [part for change in plan.tried(variant) for part in change.scenario_parts]
    return Scenario.model_validate({"configuration": parts})


def with_option(
    chart: Chart,
    of: SeriesDays,
    query: PanelQuery,
    result: WhatIfResult,
    option: Line,
    start: date | None,
) -> Chart:
    """Return a chart with the lines, like ``option``, or the limit that a scenario brings, if any.

    ``start`` is its first day; ``None``: it is in force already.
    """
    key = (of.facts.series_id, query.statistic)
    every = (corner.facts.forecasts for corner in result.corners)
    forecasts = [corner[key] for corner in every if key in corner]
    begin = max(start or of.day, of.day)
    finding = stating(of, query.rule) if query.figure is Figure.stated else None
    stated = stated_figure(finding) if finding else None
    if finding is not None and stated is not None:
        moved = _limits(result, of.facts.series_id, query.statistic, finding.rule_id)
        ahead = forecasts or ([of.forecast] if of.forecast else [])
        figure = replace(stated, series_limit=moved[0]) if moved else stated
        lines = _lines(ahead, begin, figure.of, option, min) if moved or forecasts else []
        return chart.model_copy(update={"lines": (*chart.lines, *lines)})
    limits = _limits(result, of.facts.series_id, query.statistic)
    factor, unit = display_units.scale(of.facts.unit)
    lines = _lines(forecasts, begin, lambda value: value * factor, option, max)
    new = [
        Limit(
            value=value * factor,
            words=quantity(value * factor, unit),
            first=position(begin),
            is_option=True,
        )
        for value in limits
        if value not in {crossing.limit_value for crossing in of.crossings}
    ]
    return chart.model_copy(
        update={"lines": (*chart.lines, *lines), "limits": (*chart.limits, *new)}
    )


def _lines(
    forecasts: Sequence[Forecast], begin: date, convert: Convert, option: Line, worst: Worst
) -> list[Line]:
    """Return the expected weeks of each corner of a scenario, from its first day on."""
    lines = []
    for place, forecast in enumerate(forecasts[:MOST_OPTIONS]):
        days = [
            (point.site_date, value)
            for point in forecast.points
            if point.site_date >= begin and (value := convert(point.expected)) is not None
        ]
        points = tuple(
            (position(at), value) for at, value in weekly(days, forecast.cutoff_date, worst)
        )
        if points:
            corner = f" ({'low' if place == 0 else 'high'})" if len(forecasts) > 1 else ""
            lines.append(Line(name=f"{option.name}{corner}", role=option.role, points=points))
    return lines


def _limits(
    result: WhatIfResult, series_id: str, statistic: Statistic, rule_id: str = ""
) -> list[float]:
    """Return the limits on a statistic of a series that a scenario moves, lowest first."""
    found = {
        outcome.limit_in_series
        for difference in result.differences
        if difference.series_id == series_id
        and difference.statistic is statistic
        and rule_id in {"", difference.rule_id}
        for outcome in difference.after
        if outcome is not None
        and outcome.limit_in_series is not None
        and (
            difference.before is None
            or difference.before.limit_in_series != outcome.limit_in_series
        )
    }
    return sorted(found)
