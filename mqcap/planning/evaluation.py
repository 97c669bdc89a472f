"""Evaluation of a state of a resource: its rules on the measured window and on the forecast bound.

A state is applied as what-if applies a scenario, and judged by the rules of the day: there is no
second implementation of a rule.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from enum import StrEnum
from typing import Any, NamedTuple

from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.finding import Finding, Severity
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import series_id
from mqcap.judging.evaluate import DayFacts, verdict_of, with_limits_of_knowledge
from mqcap.judging.inputs import values_of
from mqcap.planning.bound import BoundPoint, bound_of, inputs_on, running_worst, worst_point
from mqcap.planning.context import PlanContext, RuleOfSubject
from mqcap.whatif.overlay import overlay
from mqcap.whatif.scenario import Scenario
from sizing.rulebook.judge import judge
from sizing.rulebook.registry import all_rules


class Standard(StrEnum):
    """Requirement of a rule on the upper bound of the forecast."""

    ok = "ok"
    """Below Watch, headroom included."""
    limit = "limit"
    """Not in breach: for rules that no state keeps below Watch on the bound."""


class Kept(NamedTuple):
    """Period for which a state keeps a rule."""

    fails_from: date | None
    """First day on which the upper bound fails it; ``None``: as far as the forecast reaches."""
    is_forecast: bool


class _Segment(NamedTuple):
    """Days with the same configured values: planned changes of the estate begin new ones."""

    first: date
    last: date
    facts: DayFacts


def facts_with(context: PlanContext, parts: Sequence[dict[str, Any]]) -> DayFacts:
    """Return the facts of the resource under ``configuration`` parts, as what-if applies them.

    Planned changes of the estate up to the earliest day of the plan are in force.

    Raises:
        ConfigurationError: a setting is out of range, or its subject is not measured.
    """
    facts = context.facts
    in_force = facts._replace(estate=facts.estate.as_of(context.earliest_date))
    if not parts:
        return in_force
    return overlay(in_force, Scenario.model_validate({"configuration": parts})).facts


def fails_on_bound(
    context: PlanContext, pair: RuleOfSubject, facts: DayFacts, standard: Standard
) -> bool:
    """Return whether a rule fails the standard on the bound of a day from earliest to horizon."""
    return any(
        _fails(_judged(pair, segment.facts, bound), standard)
        for segment in _segments(facts, context.earliest_date, context.horizon_date)
        for bound in _worst(context, pair, segment)
    )


def fails_proof(context: PlanContext, pair: RuleOfSubject, facts: DayFacts) -> bool:
    """Return whether the day's own result is Watch or Act, or crosses before the horizon."""
    verdict = verdict_of(*pair, facts)
    if verdict is None:
        return False
    return _is_bad(verdict.finding) or _crosses(verdict.crossing, context.horizon_date)


def finding_with(pair: RuleOfSubject, facts: DayFacts) -> Finding | None:
    """Return the finding of the day; ``None`` where the rule does not apply."""
    verdict = verdict_of(*pair, facts)
    return verdict.finding if verdict is not None else None


def judged_today(pair: RuleOfSubject, facts: DayFacts) -> Finding | None:
    """Return the finding of the day's figures alone, without any date of a crossing.

    ``None`` where the rule does not apply.
    """
    return _judged(pair, facts, None)


def on_bound(
    context: PlanContext, pair: RuleOfSubject, facts: DayFacts
) -> tuple[Finding, date | None] | None:
    """Return the worst result up to the horizon with its day; ``None`` where none applies.

    The day is ``None`` for a rule without a forecast.
    """
    results = [
        (finding, bound.point.site_date if bound is not None else None)
        for segment in _segments(facts, context.earliest_date, context.horizon_date)
        for bound in _worst(context, pair, segment)
        if (finding := _judged(pair, segment.facts, bound)) is not None
    ]
    return max(results, key=lambda result: _badness(result[0]), default=None)


def _badness(finding: Finding) -> tuple[int, float]:
    headroom = finding.headroom_ratio
    return finding.severity.rank, -headroom if headroom is not None else 0.0


def advice_on_bound(context: PlanContext, pair: RuleOfSubject) -> str:
    """Return what a rule advises for the worst bound up to the horizon; empty without advice."""
    judged = on_bound(context, pair, facts_with(context, []))
    if judged is None:
        return ""
    finding = judged[0]
    return finding.changes[0].action if finding.changes else finding.advice


def made_worse(context: PlanContext, facts: DayFacts) -> Iterator[Finding]:
    """Yield findings of other resources that are worse, and Watch or Act, under these facts."""
    for verdict in context.others:
        old = verdict.finding
        new = verdict_of(all_rules()[old.rule_id], old.subject, facts)
        if new is None or not _is_bad(new.finding):
            continue
        if new.finding.severity.rank > old.severity.rank:
            yield new.finding


def kept(context: PlanContext, pair: RuleOfSubject, facts: DayFacts, standard: Standard) -> Kept:
    """Return the first day from the earliest one on which the bound fails a rule's standard."""
    forecast = _forecast(pair, facts)
    last = forecast.every_day[-1].site_date if forecast and forecast.every_day else None
    end = max(last or context.horizon_date, context.horizon_date)
    for segment in _segments(facts, context.earliest_date, end):
        if forecast is None or last is None:
            if _fails(_judged(pair, segment.facts, None), standard):
                return Kept(segment.first, is_forecast=False)
            continue
        points = bound_of(
            forecast,
            pair.rule.series_direction,
            context.facts.settings.plan.confidence,
            segment.first,
            segment.last,
        )
        worst = running_worst(points, pair.rule.series_direction)
        index = bisect_left(
            range(len(worst)),
            True,
            key=lambda at: _fails(_judged(pair, segment.facts, worst[at]), standard),
        )
        if index < len(worst):
            return Kept(points[index].point.site_date, is_forecast=True)
    return Kept(None, is_forecast=last is not None)


def _segments(facts: DayFacts, first: date, last: date) -> Iterator[_Segment]:
    days = [day for day in facts.estate.changes_after(first) if day <= last]
    begins = [first, *days]
    for begin, following in zip(begins, [*days, last + timedelta(days=1)], strict=True):
        estate = facts.estate.as_of(begin)
        yield _Segment(begin, following - timedelta(days=1), facts._replace(estate=estate))


def _worst(
    context: PlanContext, pair: RuleOfSubject, segment: _Segment
) -> Sequence[BoundPoint | None]:
    """Return the worst point of a segment; ``None`` in place of it without a forecast."""
    forecast = _forecast(pair, segment.facts)
    if forecast is None:
        return [None]
    points = bound_of(
        forecast,
        pair.rule.series_direction,
        context.facts.settings.plan.confidence,
        segment.first,
        segment.last,
    )
    return [worst_point(points, pair.rule.series_direction)]


def _forecast(pair: RuleOfSubject, facts: DayFacts) -> Forecast | None:
    """Return the forecast of the figure that a rule watches; ``None`` without one."""
    series = pair.rule.forecast_series
    if series is None:
        return None
    forecast = facts.forecasts.get((series_id(series.metric, pair.subject), series.statistic))
    return forecast if forecast is not None and forecast.refusal is None else None


def _judged(pair: RuleOfSubject, facts: DayFacts, bound: BoundPoint | None) -> Finding | None:
    rule, subject = pair
    values = values_of(rule, subject, facts.observed, facts.estate)
    if not rule.applies_to({value.name: value.value for value in values}, subject):
        return None
    inputs = values if bound is None else inputs_on(rule, values, bound)
    policy = facts.settings.grade_policy(rule.id)
    finding = judge(rule, subject, facts.observed.last, inputs, policy)
    return with_limits_of_knowledge(finding, rule, facts)


def _fails(finding: Finding | None, standard: Standard) -> bool:
    if finding is None or finding.severity is Severity.unknown:
        return False
    return bool(finding.breach) if standard is Standard.limit else _is_bad(finding)


def _is_bad(finding: Finding) -> bool:
    return finding.severity.rank >= Severity.watch.rank


def _crosses(crossing: Crossing | None, horizon: date) -> bool:
    if crossing is None:
        return False
    if crossing.state is CrossingState.breached:
        return True
    earliest = crossing.earliest_date
    return earliest is not None and earliest <= horizon
