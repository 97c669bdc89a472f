"""Whether the data of a rule are enough for an amount to buy."""

from collections.abc import Mapping
from datetime import timedelta

from mqcap.completeness.incomplete import DayCompleteness
from mqcap.domain.feed import data_findings
from mqcap.domain.finding import Finding
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import Statistic, series_id
from mqcap.domain.numbers import counted
from mqcap.presentation.dates import short_day
from sizing.rulebook.entry import Rule


def why_no_amount(
    finding: Finding,
    rule: Rule,
    forecasts: Mapping[tuple[str, Statistic], Forecast],
    arrived: DayCompleteness,
    min_history_days: int,
) -> str:
    """Return why no amount is stated for the limit of a rule; empty where it can be.

    A series with less history than a forecast needs, or whose last day is incomplete, says that
    something is wrong and not how much is needed.
    """
    return _short_history(finding, rule, forecasts, min_history_days) or _incomplete(
        finding, rule, arrived
    )


def without_amount(finding: Finding, why: str) -> Finding:
    """Return a finding that says in place of its changes why it has none; the same without why."""
    if not why:
        return finding
    advice = f"{finding.advice.rstrip('.')}. {why[0].upper()}{why[1:]}."
    return finding.model_copy(update={"changes": (), "advice": advice})


def _short_history(
    finding: Finding,
    rule: Rule,
    forecasts: Mapping[tuple[str, Statistic], Forecast],
    min_history_days: int,
) -> str:
    series = rule.forecast_series
    if series is None:
        return ""
    forecast = forecasts.get((series_id(series.metric, finding.subject), series.statistic))
    if forecast is None or forecast.refusal is None or forecast.trained_days >= min_history_days:
        return ""
    ready = finding.site_date + timedelta(days=min_history_days - forecast.trained_days)
    days = counted(forecast.trained_days, "day")
    return (
        f"{days} of {series.metric} measured, {min_history_days} needed for an amount "
        f"(min_history_days): from {short_day(ready)} on"
    )


def _incomplete(finding: Finding, rule: Rule, arrived: DayCompleteness) -> str:
    kind, metrics = rule.traits.subject_kind, finding.measured_metrics
    missing = data_findings(arrived.today_of(finding.subject, kind, metrics))
    if not missing:
        return ""
    day = short_day(finding.site_date)
    return f"the data of {day} are incomplete: an amount follows once they have arrived"
