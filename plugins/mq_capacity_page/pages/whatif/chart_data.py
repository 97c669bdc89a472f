"""Data of the what-if chart: a series as it is, and under a scenario."""

from __future__ import annotations

from mq_capacity_page.charts.series_figure import SeriesChartData
from mq_capacity_page.charts.whatif_figure import ScenarioOverlay
from mq_capacity_page.pages.series.chart_data import series_chart_data
from mq_capacity_page.pages.whatif.evaluation_cache import evaluate_scenario
from mq_capacity_page.pages.whatif.form import scenario_from
from mq_capacity_page.pages.whatif.view import WhatifRequest, subject_kinds
from mq_capacity_page.web.context import PageContext
from mqcap.domain.metric import Statistic


def whatif_chart_data(
    context: PageContext, request: WhatifRequest, statistic: Statistic
) -> tuple[SeriesChartData, ScenarioOverlay] | None:
    """Return the chosen series with the scenario's overlay; ``None`` for an unknown series.

    Limits are those of rules that watch this statistic of the series.

    Raises:
        ConfigurationError: the scenario does not fit.
        KeyError: the subject is not measured.
    """
    series = request.series
    data = series_chart_data(context, series, request.day, statistic)
    if data is None:
        return None
    kind = subject_kinds(context)[request.subject]
    scenario = scenario_from(request.subject, kind, request.start, request.fields)
    result = evaluate_scenario(context, request.day, scenario)
    forecasts = [
        corner[series, statistic] for corner in result.forecasts if (series, statistic) in corner
    ]
    limits = [
        outcome.limit_in_series
        for difference in result.differences
        if difference.series_id == series and difference.statistic is statistic
        for outcome in difference.after
        if outcome is not None and outcome.limit_in_series is not None
        if difference.before is None or difference.before.limit_in_series != outcome.limit_in_series
    ]
    return data, ScenarioOverlay(forecasts, limits, scenario.start)
