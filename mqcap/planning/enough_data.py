"""Whether the data of a resource are enough for an amount to buy."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from mqcap.domain.feed import data_findings
from mqcap.domain.metric import series_id
from mqcap.domain.numbers import counted
from mqcap.planning.context import PlanContext, RuleOfSubject
from mqcap.planning.evaluation import finding_with
from mqcap.presentation.dates import short_day


def why_no_amount(context: PlanContext, pairs: Iterable[RuleOfSubject]) -> str:
    """Return why no amount is stated for the limits of these rules; empty where it can be.

    A series with less history than a forecast needs, or whose last day is incomplete, says that
    something is wrong and not how much is needed.
    """
    for pair in pairs:
        why = _short_history(context, pair) or _incomplete(context, pair)
        if why:
            return why
    return ""


def _short_history(context: PlanContext, pair: RuleOfSubject) -> str:
    series, needed = pair.rule.forecast_series, context.facts.settings.forecast.min_history_days
    if series is None:
        return ""
    key = (series_id(series.metric, pair.subject), series.statistic)
    forecast = context.facts.forecasts.get(key)
    if forecast is None or forecast.refusal is None or forecast.trained_days >= needed:
        return ""
    ready = context.site_date + timedelta(days=needed - forecast.trained_days)
    days = counted(forecast.trained_days, "day")
    return (
        f"{days} of {series.metric} measured, {needed} needed for an amount (min_history_days): "
        f"from {short_day(ready)} on"
    )


def _incomplete(context: PlanContext, pair: RuleOfSubject) -> str:
    finding = finding_with(pair, context.facts)
    if finding is None:
        return ""
    kind, metrics = pair.rule.traits.subject_kind, finding.measured_metrics
    missing = data_findings(context.facts.arrived.today_of(pair.subject, kind, metrics))
    if not missing:
        return ""
    day = short_day(context.site_date)
    return f"the data of {day} are incomplete: an amount follows once they have arrived"
