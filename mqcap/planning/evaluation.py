"""Evaluation of a state of a resource: its rules on the measured window and on the forecast bound.

A state is applied as what-if applies a scenario, and judged by the rules of the day: there is no
second implementation of a rule.
"""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Any

from mqcap.domain.finding import Finding
from mqcap.judging.bound import BoundPoint, bound_of
from mqcap.judging.bound_dates import (
    Kept,
    StateDays,
    failing_on,
    forecast_of,
    judged_on,
    kept_on_bound,
    segments,
)
from mqcap.judging.evaluate import DayFacts, verdict_of
from mqcap.planning.context import PlanContext, RuleOfSubject
from mqcap.whatif.overlay import overlay
from mqcap.whatif.scenario import Scenario
from sizing.rulebook.registry import all_rules


def facts_with(context: PlanContext, parts: Sequence[dict[str, Any]]) -> DayFacts:
    """Return the facts of the resource under ``configuration`` parts, as what-if applies them.

    Planned changes of the estate up to the earliest day of the plan are in force, and the parts of
    other plans that the context counts. A setting that is out of range, or whose subject is not
    measured, is a ConfigurationError.
    """
    facts = context.facts
    in_force = facts._replace(estate=facts.estate.as_of(context.earliest_date))
    return _with(in_force, [*context.counted_parts, *parts])


def facts_of_today(context: PlanContext) -> DayFacts:
    """Return the facts of the resource without its plan, with the parts of others it counts."""
    return _with(context.facts, context.counted_parts)


def _with(facts: DayFacts, parts: list[dict[str, Any]]) -> DayFacts:
    if not parts:
        return facts
    return overlay(facts, Scenario.model_validate({"configuration": parts})).facts


def breaks(context: PlanContext, pair: RuleOfSubject, facts: DayFacts) -> bool:
    """Return whether a rule is over its limit as measured, or on the bound of a day to come.

    Those are the days from the earliest one of the context to its horizon. Levels of Watch decide
    when to look, not how much to change.
    """
    return failing_on(pair, facts)(None) or breaks_on_bound(context, pair, facts)


def breaks_on_bound(context: PlanContext, pair: RuleOfSubject, facts: DayFacts) -> bool:
    """Return whether a rule is over its limit on the bound of a day from earliest to horizon."""
    return any(
        failing_on(pair, segment.facts)(bound)
        for segment in segments(facts, context.earliest_date, context.horizon_date)
        for bound in _worst(context, pair, segment)
    )


def breaks_on(context: PlanContext, pair: RuleOfSubject, facts: DayFacts) -> date | None:
    """Return the first day over the limit: that of the context where it is over it already.

    ``None`` where the bound keeps it until the horizon.
    """
    if failing_on(pair, facts)(None):
        return context.site_date
    following = context.site_date + timedelta(days=1)
    first = kept_on_bound(pair, facts, following, context.horizon_date).fails_from
    return first if first is not None and first <= context.horizon_date else None


def finding_with(pair: RuleOfSubject, facts: DayFacts) -> Finding | None:
    """Return the finding of the day; ``None`` where the rule does not apply."""
    verdict = verdict_of(*pair, facts)
    return verdict.finding if verdict is not None else None


def on_bound(
    context: PlanContext, pair: RuleOfSubject, facts: DayFacts
) -> tuple[Finding, date | None] | None:
    """Return the worst result up to the horizon with its day; ``None`` where none applies.

    The day is ``None`` for a rule without a forecast.
    """
    results = [
        (finding, bound.site_date if bound is not None else None)
        for segment in segments(facts, context.earliest_date, context.horizon_date)
        for bound in _worst(context, pair, segment)
        if (finding := judged_on(pair, segment.facts, bound)) is not None
    ]
    return max(
        results,
        key=lambda result: (result[0].severity.rank, -(result[0].headroom_ratio or 0.0)),
        default=None,
    )


def made_worse(context: PlanContext, facts: DayFacts) -> Iterator[Finding]:
    """Yield findings of other resources that are worse, and Watch or Act, under these facts."""
    for verdict in context.others:
        old = verdict.finding
        new = verdict_of(all_rules()[old.rule_id], old.subject, facts)
        if new is None or not new.finding.severity.is_urgent:
            continue
        if new.finding.severity.rank > old.severity.rank:
            yield new.finding


def kept(context: PlanContext, pair: RuleOfSubject, facts: DayFacts) -> Kept:
    """Return the first day from the earliest one on which the bound is over a rule's limit."""
    return kept_on_bound(pair, facts, context.earliest_date, context.horizon_date)


def _worst(
    context: PlanContext, pair: RuleOfSubject, segment: StateDays
) -> Sequence[BoundPoint | None]:
    """Return the worst point of a segment; ``None`` in place of it without a forecast."""
    forecast = forecast_of(pair, segment.facts)
    if forecast is None:
        return [None]
    confidence, direction = context.facts.settings.plan.confidence, pair.rule.series_direction
    return [bound_of(forecast, direction, confidence, segment.first, segment.last).worst()]
