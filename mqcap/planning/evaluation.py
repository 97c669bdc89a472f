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
    other plans that the context counts.

    Raises:
        ConfigurationError: a setting is out of range, or its subject is not measured.
    """
    facts = context.facts
    in_force = facts._replace(estate=facts.estate.as_of(context.earliest_date))
    every = [*context.counted_parts, *parts]
    if not every:
        return in_force
    return overlay(in_force, Scenario.model_validate({"configuration": every})).facts


def facts_of_today(context: PlanContext) -> DayFacts:
    """Return the facts of the resource without its plan, with the parts of others it counts."""
    if not context.counted:
        return context.facts
    document = {"configuration": context.counted_parts}
    return overlay(context.facts, Scenario.model_validate(document)).facts


def breaks(context: PlanContext, pair: RuleOfSubject, facts: DayFacts) -> bool:
    """Return whether a rule is over its limit as measured, or on the bound of a day to come.

    Those are the days from the earliest one of the context to its horizon. Levels of Watch decide
    when to look, not how much to change.
    """
    return is_over(pair, facts) or breaks_on_bound(context, pair, facts)


def is_over(pair: RuleOfSubject, facts: DayFacts) -> bool:
    """Return whether a rule is over its limit on the measured days."""
    return failing_on(pair, facts)(None)


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
    if is_over(pair, facts):
        return context.site_date
    following = context.site_date + timedelta(days=1)
    first = kept_on_bound(pair, facts, following, context.horizon_date).fails_from
    return first if first is not None and first <= context.horizon_date else None


def finding_with(pair: RuleOfSubject, facts: DayFacts) -> Finding | None:
    """Return the finding of the day; ``None`` where the rule does not apply."""
    verdict = verdict_of(*pair, facts)
    return verdict.finding if verdict is not None else None


def judged_today(pair: RuleOfSubject, facts: DayFacts) -> Finding | None:
    """Return the finding of the day's figures alone, without any date of a crossing.

    ``None`` where the rule does not apply.
    """
    return judged_on(pair, facts, None)


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
    bound = bound_of(
        forecast,
        pair.rule.series_direction,
        context.facts.settings.plan.confidence,
        segment.first,
        segment.last,
    )
    return [bound.worst()]
