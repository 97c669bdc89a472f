"""From values to a finding: fill the inputs, assess, and grade by one policy.

The rule says how much of how much; how urgent that is, is decided here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Protocol

from pydantic import ValidationError

from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.finding import Finding, InputValue, Severity
from mqcap.domain.metric import Direction, series_id
from mqcap.domain.numbers import figure
from sizing.rulebook.assessment import Assessment
from sizing.rulebook.entry import Rule, RuleTraits, marks_of


class GradePolicy(Protocol):
    """When a finding is worth a word; the settings hold the site's own."""

    @property
    def watch_below_headroom(self) -> float:
        """Headroom ratio below which a finding becomes ``watch``."""

    @property
    def act_below_headroom(self) -> float:
        """Headroom ratio below which it becomes ``act``."""

    @property
    def watch_within_days(self) -> int:
        """Days to the expected crossing within which it becomes ``watch``."""

    @property
    def act_within_days(self) -> int:
        """Days to the expected crossing within which it becomes ``act``."""

    @property
    def breach(self) -> Severity | None:
        """What a breach is graded as; ``None`` leaves it to the rule."""


def judge(
    rule: Rule,
    subject: str,
    site_date: date,
    values: Iterable[InputValue],
    policy: GradePolicy,
) -> Finding:
    """What the rule says about one subject on one day.

    ``values`` are the inputs that were found; one that is absent or ``None`` is missing. A
    missing or impossible value gives an ``unknown`` finding that names it and how to
    supply it. Ask ``rule.applies_to`` first: a rule for one engine is not judged for two.
    """
    found = tuple(value for value in values if value.value is not None)
    missing = missing_inputs(rule, {value.name for value in found})
    if missing:
        return _unknown(rule, subject, site_date, found, missing)
    try:
        inputs = rule.inputs.model_validate({value.name: value.value for value in found})
    except ValidationError as error:
        wrong = tuple(f"{item['loc'][0]}: {item['msg']}" for item in error.errors())
        return _unknown(rule, subject, site_date, found, wrong)
    assessment = rule.assess(inputs)
    severity = severity_of(assessment, rule.traits, policy)
    return _known(rule, subject, site_date, found, assessment).model_copy(
        update={"severity": severity}
    )


def severity_of(assessment: Assessment, traits: RuleTraits, policy: GradePolicy) -> Severity:
    """Grade today's figures: a breach, or headroom that the policy finds small.

    What only suggests is never graded otherwise, whatever the policy says of breaches.
    """
    if assessment.suggests:
        return Severity.suggestion if assessment.is_beyond else Severity.ok
    worst = worst_of(traits, policy)
    if assessment.breach:
        return worst
    headroom = assessment.headroom_ratio
    if not traits.graded or headroom is None:
        return Severity.ok
    if headroom < policy.act_below_headroom:
        return worst
    near = headroom < policy.watch_below_headroom and worst is not Severity.ok
    return Severity.watch if near else Severity.ok


def worst_of(traits: RuleTraits, policy: GradePolicy) -> Severity:
    """The gravest that a finding of the rule can be: as the site says, else the rule."""
    return policy.breach or traits.breach_severity


def grade_with_crossing(
    finding: Finding, crossing: Crossing, rule: Rule, policy: GradePolicy
) -> Finding:
    """Raise the severity when the limit will be passed soon; it is never lowered.

    The expected date decides; the earliest one alone makes a finding ``watch`` at most.
    An ``unknown`` finding stays unknown, and a rule whose breach is only ``watch`` is
    never raised above that.
    """
    if finding.severity is Severity.unknown or crossing.state is not CrossingState.will_cross:
        return finding
    severity = _severity_of_dates(crossing, finding.site_date, policy)
    worst = worst_of(rule.traits, policy)
    if severity.rank > worst.rank:
        severity = worst
    if severity.rank <= finding.severity.rank:
        return finding
    return finding.model_copy(update={"severity": severity})


def missing_inputs(rule: Rule, found: set[str]) -> tuple[str, ...]:
    """Required inputs that were not found, each with how to supply it."""
    marks = marks_of(rule.inputs)
    return tuple(
        f"{name}: {', or '.join(mark.remedy for mark in marks[name])}"
        for name, field in rule.inputs.model_fields.items()
        if field.is_required() and name not in found
    )


def _severity_of_dates(crossing: Crossing, today: date, policy: GradePolicy) -> Severity:
    expected, earliest = crossing.expected_date, crossing.earliest_date
    if expected is not None:
        days = (expected - today).days
        if days <= policy.act_within_days:
            return Severity.act
        if days <= policy.watch_within_days:
            return Severity.watch
    if earliest is not None and (earliest - today).days <= policy.act_within_days:
        return Severity.watch
    return Severity.ok


def _comparison(assessment: Assessment) -> str:
    upward = assessment.direction is Direction.upward
    beyond, within = ("above", "within") if upward else ("below", "above")
    if assessment.observed == assessment.limit:
        relation = "at"
    else:
        relation = beyond if assessment.breach else within
    observed, limit = figure(assessment.observed), figure(assessment.limit)
    return f"{observed} {assessment.unit}, {relation} the limit of {limit} {assessment.unit}."


def _lines(assessment: Assessment) -> tuple[str, ...]:
    """The rule's own lines; one more for the limit where none of them says it."""
    if any("limit" in line for line in assessment.arithmetic):
        return assessment.arithmetic
    limit = f"limit = {figure(assessment.limit)} {assessment.unit}"
    return (*assessment.arithmetic, limit)


def _known(
    rule: Rule,
    subject: str,
    site_date: date,
    found: tuple[InputValue, ...],
    assessment: Assessment,
) -> Finding:
    """The assessment with its subject, series and citation; not yet graded."""
    series = rule.series
    return Finding(
        rule_id=rule.id,
        subject=subject,
        site_date=site_date,
        severity=Severity.ok,
        title=rule.title,
        summary=f"{subject}: {assessment.summary or _comparison(assessment)}",
        observed=assessment.observed,
        limit_value=assessment.limit,
        unit=assessment.unit,
        direction=rule.direction,
        breach=assessment.breach,
        headroom_ratio=assessment.headroom_ratio,
        series_id=series_id(series.metric, subject) if series else None,
        statistic=series.statistic if series else None,
        series_limit=assessment.series_limit,
        arithmetic=_lines(assessment),
        advice=assessment.advice,
        changes=assessment.changes,
        caveats=assessment.caveats,
        citation=rule.citation,
        inputs=found,
    )


def _unknown(
    rule: Rule,
    subject: str,
    site_date: date,
    found: tuple[InputValue, ...],
    missing: tuple[str, ...],
) -> Finding:
    names = ", ".join(item.partition(":")[0] for item in missing)
    return Finding(
        rule_id=rule.id,
        subject=subject,
        site_date=site_date,
        severity=Severity.unknown,
        title=rule.title,
        summary=f"{subject}: not checked, because {names} is not known.",
        direction=rule.direction,
        advice=f"Supply {names}.",
        citation=rule.citation,
        inputs=found,
        missing=missing,
    )
