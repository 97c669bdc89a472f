"""From values to a finding: fill the inputs, assess, and grade by one policy.

A rule compares observed with limit; its severity is decided here and nowhere else.
"""

from collections.abc import Callable, Iterable
from datetime import date
from typing import Any, Final, NamedTuple, Protocol

from pydantic import ValidationError

from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.finding import Finding, InputValue, Severity, level_words, summary_of
from mqcap.domain.metric import Direction, series_id
from mqcap.domain.numbers import quantity
from sizing.rulebook.assessment import Assessment
from sizing.rulebook.entry import Rule, RuleTraits, value_sources_of

NEAR: Final = "The limit is near, not passed. Before it is: "
"""In front of the advice for a value past the limit, where only the headroom is too small."""


class GradingThresholds(Protocol):
    """Thresholds of severity; the settings hold the site's own."""

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
        """Severity of a breach; ``None`` leaves it to the rule."""


def judge(
    rule: Rule,
    subject: str,
    site_date: date,
    values: Iterable[InputValue],
    policy: GradingThresholds,
) -> Finding:
    """Return the finding of a rule for one subject on one day.

    ``values`` are the inputs that were found; one that is absent or ``None`` is missing. A
    missing or impossible value gives an ``unknown`` finding that names it and how to
    supply it. Call ``rule.applies_to`` first: a rule for one engine is not evaluated for two.
    """
    present = tuple(value for value in values if value.value is not None)

    def made(statement: str, **more: Any) -> Finding:
        return Finding(
            rule_id=rule.id,
            subject=subject,
            site_date=site_date,
            summary=summary_of(subject, statement),
            statement=statement,
            direction=rule.direction,
            citation=rule.citation,
            inputs=present,
            **({"title": rule.title} | more),
        )

    missing = missing_inputs(rule, {value.name for value in present})
    if missing:
        return _unknown(made, present, missing)
    try:
        inputs = rule.inputs.model_validate({value.name: value.value for value in present})
    except ValidationError as error:
        wrong = tuple(
            MissingInput(str(item["loc"][0]), item["msg"].removeprefix("Value error, "))
            for item in error.errors()
        )
        return _unknown(made, present, wrong)
    assessment = rule.assess(inputs)
    return _with_level(_known(made, rule, subject, assessment, policy), assessment, policy)


def watch_level(
    assessment: Assessment, traits: RuleTraits, policy: GradingThresholds
) -> float | None:
    """Return the figure past which a value within its limit is Watch; ``None`` where none is.

    It is limit x (1 - ``watch_below_headroom``), of a downward limit limit x (1 + it).
    """
    ratio = policy.watch_below_headroom
    if not traits.graded or assessment.headroom_ratio is None:
        return None
    if ratio <= max(policy.act_below_headroom, 0) or worst_of(traits, policy) is Severity.ok:
        return None
    return _level(assessment, ratio)


def _level(assessment: Assessment, ratio: float) -> float:
    sign = -1 if assessment.direction is Direction.upward else 1
    return assessment.limit * (1 + sign * ratio)


def _with_level(finding: Finding, assessment: Assessment, policy: GradingThresholds) -> Finding:
    """Return the finding with the level that decides its severity, where that is no breach."""
    if finding.breach or finding.severity.rank < Severity.watch.rank:
        return finding
    words = finding.watch_words
    if finding.severity is Severity.act:
        level = _level(assessment, policy.act_below_headroom)
        words = level_words(finding.severity, level, finding.unit, finding.direction)
        finding = finding.model_copy(update={"act_level": level})
    return finding.with_statement(f"{finding.statement.rstrip('.')}. {words}.")


def severity_of(assessment: Assessment, traits: RuleTraits, policy: GradingThresholds) -> Severity:
    """Return the severity of today's figures: a breach, or headroom below the policy's thresholds.

    A suggestion is never graded otherwise, whatever the policy says of breaches.
    """
    if assessment.suggests:
        return Severity.suggestion if assessment.passes_limit else Severity.ok
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


def worst_of(traits: RuleTraits, policy: GradingThresholds) -> Severity:
    """Return the highest severity of the rule: that of the site's policy, else the rule's own."""
    return policy.breach or traits.breach_severity


def stated_headroom(assessment: Assessment, traits: RuleTraits) -> float | None:
    """Return the headroom of an assessment; ``None`` also where the limit is its own past."""
    return None if traits.limit_is_own_past else assessment.headroom_ratio


def grade_with_crossing(
    finding: Finding, crossing: Crossing, rule: Rule, policy: GradingThresholds
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


class MissingInput(NamedTuple):
    """An input without a usable value, and how to supply it or what is wrong with it."""

    name: str
    remedy: str


def missing_inputs(rule: Rule, names: set[str]) -> tuple[MissingInput, ...]:
    """Return the required inputs without a value, each with how to supply it."""
    sources = value_sources_of(rule.inputs)
    return tuple(
        MissingInput(name, ", or ".join(source.remedy for source in sources[name]))
        for name, field in rule.inputs.model_fields.items()
        if field.is_required() and name not in names
    )


def _severity_of_dates(crossing: Crossing, today: date, policy: GradingThresholds) -> Severity:
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
    past, within = ("above", "within") if upward else ("below", "above")
    if assessment.observed == assessment.limit:
        relation = "at"
    else:
        relation = past if assessment.breach else within
    of = f" of {assessment.of}" if assessment.of else ""
    observed = quantity(assessment.observed, assessment.unit)
    limit = quantity(assessment.limit, assessment.unit)
    return f"{observed}{of}, {relation} the limit of {limit}."


def _known(
    made: Callable[..., Finding],
    rule: Rule,
    subject: str,
    assessment: Assessment,
    policy: GradingThresholds,
) -> Finding:
    traits, series = rule.traits, rule.series
    severity = severity_of(assessment, traits, policy)
    is_near = severity.is_urgent and not assessment.passes_limit
    near = assessment.advice_past if is_near else ""
    limit = f"limit = {quantity(assessment.limit, assessment.unit)}"
    return made(
        assessment.summary or _comparison(assessment),
        severity=severity,
        watch_level=watch_level(assessment, traits, policy),
        title=traits.fault if assessment.breach and traits.fault else rule.title,
        observed=assessment.observed,
        limit_value=assessment.limit,
        unit=assessment.unit,
        breach=assessment.breach,
        is_event=traits.is_event and assessment.breach,
        headroom_ratio=stated_headroom(assessment, traits),
        headroom_counts=traits.graded,
        series_id=series_id(series.metric, subject) if series else None,
        statistic=series.statistic if series else None,
        series_limit=assessment.series_limit,
        series_direction=assessment.series_direction,
        arithmetic=(*assessment.arithmetic, *(() if assessment.states_limit else (limit,))),
        advice=f"{NEAR}{near}" if near else assessment.advice,
        changes=assessment.changes,
        caveats=tuple(assessment.caveats),
    )


def _unknown(
    made: Callable[..., Finding], inputs: tuple[InputValue, ...], missing: tuple[MissingInput, ...]
) -> Finding:
    names = ", ".join(item.name for item in missing)
    is_unusable = {item.name for item in missing} <= {value.name for value in inputs}
    lacking = "cannot be used" if is_unusable else "is not known"
    return made(
        f"not checked, because {names} {lacking}.",
        severity=Severity.unknown,
        advice=f"Supply {names}.",
        missing=tuple(f"{item.name}: {item.remedy}" for item in missing),
    )
