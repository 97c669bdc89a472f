"""Size: judge every rule for every subject, and lay its limit over the forecast."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from typing import NamedTuple

from domain.crossing import Crossing, CrossingState
from domain.estate import Estate
from domain.finding import Finding
from domain.forecast import Forecast
from domain.metric import Statistic, SubjectKind
from forecasting.crossing import crossing_of
from pipeline.inputs import Observed, values_of
from settings import Settings
from sizing.entry import Rule
from sizing.judge import grade_with_crossing, judge
from sizing.registry import all_rules
from store.database import Store
from store.reads import forecasts
from store.window import window
from store.writes import replace_crossings, replace_findings

Forecasts = dict[tuple[str, Statistic], Forecast]


class Verdict(NamedTuple):
    """What one rule says about one subject, and when its limit is passed."""

    finding: Finding
    crossing: Crossing | None


def size(settings: Settings, engine: Store, day: date) -> dict[str, int]:
    """Replace the findings and crossings of one day. Returns how many of each severity."""
    verdicts = judge_all(settings, engine, day)
    replace_findings(engine, day, [verdict.finding for verdict in verdicts])
    replace_crossings(engine, day, [v.crossing for v in verdicts if v.crossing is not None])
    severities = Counter(str(verdict.finding.severity) for verdict in verdicts)
    return {"findings": len(verdicts), **dict(sorted(severities.items()))}


def judge_all(settings: Settings, engine: Store, day: date) -> list[Verdict]:
    """Every rule for every subject it applies to, from what was known on ``day``."""
    window_days = settings.rules.peak_days
    first = day - timedelta(days=window_days - 1)
    observed = Observed(window(engine, first, day), day, window_days)
    known: Forecasts = {(f.series_id, f.statistic): f for f in forecasts(engine, day)}
    estate = settings.whole_estate()
    return [
        verdict
        for rule in all_rules().values()
        for subject in _subjects(rule.traits.subject_kind, observed, estate)
        if (verdict := _verdict(rule, subject, observed, known, settings)) is not None
    ]


def _subjects(kind: SubjectKind, observed: Observed, estate: Estate) -> list[str]:
    """Observed subjects, and configured queue managers that were not observed."""
    subjects = observed.subjects(kind)
    if kind is SubjectKind.queue_manager:
        subjects |= {f"{p.sysplex}/{qmgr.name}" for p in estate.sysplexes for qmgr in p.qmgrs}
    return sorted(subjects)


def _verdict(
    rule: Rule, subject: str, observed: Observed, known: Forecasts, settings: Settings
) -> Verdict | None:
    values = values_of(rule, subject, observed, settings.whole_estate())
    if not rule.applies_to({value.name: value.value for value in values}):
        return None
    policy = settings.grade_policy(rule.id)
    finding = judge(rule, subject, observed.last, values, policy)
    crossing = _crossing(rule, finding, observed, known)
    if crossing is not None:
        finding = grade_with_crossing(finding, crossing, rule, policy)
    return Verdict(finding, crossing)


def _crossing(
    rule: Rule, finding: Finding, observed: Observed, known: Forecasts
) -> Crossing | None:
    series = rule.series
    if series is None or finding.limit_value is None or finding.series_id is None:
        return None
    recent = [
        (day.site_date, day.value(series.statistic))
        for day in observed.days(series.metric, finding.subject, series.days)
    ]
    forecast = known.get((finding.series_id, series.statistic))
    if forecast is None:
        forecast = _no_forecast(finding.series_id, series.statistic, observed.last)
    crossing = crossing_of(
        forecast,
        recent,
        limit=finding.limit_value,
        direction=rule.direction,
        strict=rule.strict,
        rule_id=rule.id,
        unit=finding.unit,
        subject=finding.subject,
    )
    never_asked = not forecast.points and forecast.refusal == NOT_FORECAST
    return None if never_asked and crossing.state is CrossingState.unknown else crossing


NOT_FORECAST = "this series is not forecast"


def _no_forecast(series_id: str, statistic: Statistic, day: date) -> Forecast:
    return Forecast(
        series_id=series_id,
        statistic=statistic,
        cutoff_date=day,
        model="none",
        horizon_days=0,
        trained_days=0,
        interval_width=0.0,
        refusal=NOT_FORECAST,
    )
