"""Data of the chart of days of a series, read from the store."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from mq_capacity_page.charts.series_figure import DailyValue, SeriesChartData
from mq_capacity_page.pages.series.chart_marks import chart_marks, with_cleaning
from mq_capacity_page.queries import history
from mq_capacity_page.web.context import PageContext
from mqcap.domain.crossing import Crossing
from mqcap.domain.metric import Statistic
from mqcap.presentation.finding_figures import limit_quantity
from mqcap.store.crossings import crossings_below
from mqcap.store.findings import findings_below
from mqcap.store.forecasts import find_forecast
from mqcap.store.series import find_series


def series_chart_data(
    context: PageContext, series_id: str, day: date, statistic: Statistic
) -> SeriesChartData | None:
    """Return what is drawn of a series as of a day; ``None`` for an unknown series."""
    engine = context.engine
    facts = find_series(engine, series_id)
    if facts is None:
        return None
    crossings = [
        crossing
        for crossing in crossings_below(engine, day, facts.subject)
        if crossing.series_id == series_id and crossing.statistic is statistic
    ]
    days = history(context, series_id, day)
    forecast = find_forecast(engine, series_id, statistic, day)
    marks = chart_marks(context, facts.subject, day, metric=facts.metric)
    return SeriesChartData(
        unit=facts.unit,
        days=[DailyValue(each.site_date, each.peak, each.p95, each.mean) for each in days],
        statistic=statistic,
        forecast=forecast,
        crossings=crossings,
        site_date=day,
        marks=with_cleaning(marks, context, facts, forecast, days),
        limit_steps=_planned_limits(context, facts.subject, day, crossings),
        rule_limits=_rule_limits(context, facts.subject, day, crossings),
    )


def _rule_limits(
    context: PageContext, subject: str, day: date, crossings: Sequence[Crossing]
) -> dict[str, str]:
    """Return by rule the limit as the rule states it, where that is in another unit."""
    rules = {crossing.rule_id for crossing in crossings}
    findings = findings_below(context.engine, day, subject) if rules else []
    return {
        finding.rule_id: str(limit_quantity(finding))
        for finding in findings
        if finding.rule_id in rules
        and finding.subject == subject
        and finding.series_limit is not None
    }


def _planned_limits(
    context: PageContext, subject: str, day: date, crossings: Sequence[Crossing]
) -> dict[str, list[tuple[date, float]]]:
    """Return by rule the later limits that planned changes bring."""
    if not crossings or not context.estate.changes_after(day):
        return {}
    from mqcap.judging.planned_limits import limit_steps  # noqa: PLC0415 - imports every rule

    rules = {crossing.rule_id for crossing in crossings}
    return {
        finding.rule_id: limit_steps(context.settings, context.engine, finding)
        for finding in findings_below(context.engine, day, subject)
        if finding.rule_id in rules and finding.subject == crossings[0].subject
    }
