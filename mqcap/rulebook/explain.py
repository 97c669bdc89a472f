"""Explain one stored finding so that every figure can be computed again on paper."""

from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from pydantic import ValidationError

from mqcap.domain.crossing import (
    PROBABILITY_DAYS,
    SINCE_DATA_BEGINS,
    Crossing,
    CrossingState,
    reach_words,
    stated_probability,
)
from mqcap.domain.finding import Finding
from mqcap.domain.forecast import SAWTOOTH, Forecast
from mqcap.domain.metric import Direction
from mqcap.domain.numbers import beside, percent, quantity
from mqcap.domain.plan import Plan
from mqcap.domain.score import SiteCorrection
from mqcap.presentation.fleet import crossing_text
from mqcap.presentation.labels import SEVERITY_LABELS
from mqcap.presentation.ledger_text import shift_text
from mqcap.presentation.plan_summary import NOW
from mqcap.presentation.summary_rows import plan_row
from mqcap.presentation.summary_words import change_words
from mqcap.rulebook.provenance import SourceFiles, exact
from mqcap.settings import Settings
from mqcap.store.crossings import crossing_of_finding, find_site_correction
from mqcap.store.database import Store
from mqcap.store.findings import finding_meant
from mqcap.store.forecasts import find_forecast
from mqcap.store.plans import read_plans
from sizing.advice import advice_for, misprints_of
from sizing.rulebook.assessment import Assessment
from sizing.rulebook.judge import stated_headroom
from sizing.rulebook.registry import all_rules


class ExplanationSection(NamedTuple):
    """A part of an explanation under its heading; the first one has none."""

    heading: str
    lines: tuple[str, ...]
    may_be_blank: bool = False
    """True for a heading that is a statement by itself."""


def explain(engine: Store, settings: Settings, rule_id: str, subject: str, day: date) -> str:
    """Return a finding with everything it was made from; ConfigurationError without such a one."""
    first, *sections = explanation(engine, settings, rule_id, subject, day)
    lines = [*first.lines]
    for section in sections:
        lines += ["", section.heading, *(f"  {line}" for line in section.lines)]
    return "\n".join(lines)


def explanation(
    engine: Store, settings: Settings, rule_id: str, subject: str, day: date
) -> list[ExplanationSection]:
    """Return the same in sections: sentence, inputs, arithmetic, crossing, forecast, advice."""
    finding = finding_meant(engine, day, rule_id, subject)
    crossing = crossing_of_finding(engine, finding)
    made = None
    if crossing is not None:
        made = find_forecast(engine, crossing.series_id, crossing.statistic, day)
    parts = [
        ExplanationSection("", tuple(_head(finding))),
        ExplanationSection("Inputs", tuple(SourceFiles(engine, settings).input_lines(finding))),
        ExplanationSection("Arithmetic", tuple(_arithmetic(finding))),
        *_dates(finding, crossing, made, find_site_correction(engine, day)),
        *_forecast(made),
        advice(engine, finding),
    ]
    return [part for part in parts if part.lines or part.may_be_blank]


def _head(finding: Finding) -> Iterator[str]:
    severity = SEVERITY_LABELS[finding.severity]
    yield f"{finding.rule_id} {finding.subject} on {finding.site_date}: {severity}"
    yield finding.title
    yield finding.summary
    yield f"source of the limit: {finding.citation}"
    rule = all_rules().get(finding.rule_id)
    if rule is not None:
        yield f"how the limit is read: {' '.join(rule.explanation.split())}"
    for flag in misprints_of(finding.rule_id):
        yield f"flag {flag.flag}: {flag.finding}; read here as: {flag.reading}"


def _arithmetic(finding: Finding) -> Iterator[str]:
    if finding.observed is None or finding.limit_value is None:
        yield from finding.arithmetic if finding.is_event else ()
        return
    yield from finding.arithmetic
    upward = finding.direction is Direction.upward
    observed, limit = exact(finding.observed), exact(finding.limit_value)
    yield f"observed = {observed} {beside(observed, finding.unit)}".rstrip()
    side = "above" if upward else "below"
    rule = all_rules().get(finding.rule_id)
    if rule is not None and rule.traits.is_event:  # there is no amount of it that is allowed
        yield "limit    = none (each one that is reported is a breach)"
    else:
        at = "" if rule is None or rule.strict else "at or "
        meaning = f"breach when {at}{side} it"
        if rule is not None and rule.result.suggests:
            meaning = f"something can be saved {side} it, which is no breach"
        yield f"limit    = {limit} {beside(limit, finding.unit)} ({meaning})"
    if finding.watch_level is not None:
        ratio = abs(finding.limit_value - finding.watch_level) / abs(finding.limit_value)
        above, sign = ("above", "-") if upward else ("below", "+")
        yield (
            f"watch    = limit x (1 {sign} {ratio:.4g}) = {finding.watch_level:.6g} {finding.unit} "
            f"(Watch {above} it: watch_below_headroom {ratio:.4g} of {finding.rule_id} in grading, "
            "ours)"
        )
    if finding.headroom_ratio is not None:
        taken = f"({limit} - {observed})" if upward else f"({observed} - {limit})"
        words = "(limit - observed)" if upward else "(observed - limit)"
        yield f"headroom = {words} / limit = {taken} / {limit} = {exact(finding.headroom_ratio)}"
    if not finding.is_data_incomplete:
        yield f"breach   = {'yes' if finding.breach else 'no'}"
    yield _recomputed(finding)


def _recomputed(finding: Finding) -> str:
    """Run the rule again on the printed inputs and compare."""
    again = assessed(finding)
    if again is None:
        return "computed again from the inputs above: not possible with the rule as it is now"
    figures = (again.observed, again.limit)
    is_same = figures == (finding.observed, finding.limit_value)
    if not finding.is_data_incomplete:  # such a finding has neither breach nor headroom
        headroom = stated_headroom(again, all_rules()[finding.rule_id].traits)
        is_same &= (again.breach, headroom) == (finding.breach, finding.headroom_ratio)
    if is_same:
        return "computed again from the inputs above: the same"
    now = f"observed {exact(again.observed)}, limit {exact(again.limit)}"
    if again.unit != finding.unit:
        return f"computed again from the inputs above: the rule is in {again.unit} now, {now}"
    return f"computed again from the inputs above: DIFFERENT, {now}"


def assessed(finding: Finding) -> Assessment | None:
    """Return the assessment of the stored inputs; ``None`` when the rule no longer takes them."""
    rule = all_rules().get(finding.rule_id)
    if rule is None:
        return None
    try:
        inputs = rule.inputs.model_validate({entry.name: entry.value for entry in finding.inputs})
    except ValidationError:
        return None
    return rule.assess(inputs)


def _dates(
    finding: Finding,
    crossing: Crossing | None,
    made: Forecast | None,
    correction: SiteCorrection | None,
) -> Iterator[ExplanationSection]:
    if crossing is None:
        rule = all_rules().get(finding.rule_id)
        if rule is not None and rule.why_undated:
            why = (f"because: {rule.why_undated}",)
            yield ExplanationSection("Crossing: no date is forecast", why)
        return
    lines = []
    if crossing.reason and crossing.reason != SINCE_DATA_BEGINS:  # the heading says that one
        lines.append(f"because: {crossing.reason}")
    width = made.interval_width if made else None
    tail = None if width is None else (1 - width) / 2
    dates = (
        ("earliest", crossing.earliest_date, tail),
        ("expected", crossing.expected_date, 0.5),
        ("latest", crossing.latest_date, None if tail is None else 1 - tail),
    )
    if crossing.state is CrossingState.will_cross:
        lines += [f"{word}: {_passed_by(made, day, share)}" for word, day, share in dates]
    if crossing.state is CrossingState.not_within_horizon:
        least = "" if tail is None else f" with a probability of {percent(tail)}"
        lines.append(f"the limit is not passed within {reach_words(crossing)}{least}")
    if correction and correction.is_any and _is_corrected(crossing, made):
        lines.append(f"by the site's own outcomes, {shift_text(correction)}")
    limit = f"{exact(crossing.limit_value)} {crossing.unit}"
    same_figure = finding if finding.series_limit is None else None
    headline = crossing_text(crossing, same_figure).headline
    yield ExplanationSection(f"Crossing of {limit}: {headline}", tuple(lines), may_be_blank=True)


def _is_corrected(crossing: Crossing, made: Forecast | None) -> bool:
    """Return true if the probabilities of a crossing are a matter of degree, and no sawtooth's."""
    is_forecast = made is not None and made.refusal is None and made.model != SAWTOOTH
    stated = (stated_probability(crossing, days) for days in PROBABILITY_DAYS)
    return is_forecast and any(0 < (chance or 0.0) < 1 for chance in stated)


def _passed_by(made: Forecast | None, day: date | None, share: float | None) -> str:
    probability = "" if share is None else f" with a probability of {percent(share)}"
    if day is None:
        return f"later than the forecast looks{probability}"
    point = next((p for p in (made.every_day if made else ()) if p.site_date == day), None)
    if point is None:
        return f"{day}, passed by then{probability}"
    lines = f"{exact(point.lower)}, {exact(point.expected)}, {exact(point.upper)}"
    return f"{day}, passed by then{probability}; the lines of that day: {lines}"


def _forecast(made: Forecast | None) -> Iterator[ExplanationSection]:
    if made is None:
        return
    heading = f"Forecast of {made.series_id} ({made.statistic}), made on {made.cutoff_date}"
    if made.refusal is not None:
        yield ExplanationSection(heading, (f"none: {made.refusal}",))
        return
    smape = made.smape_pct
    error = "not known, too little history" if smape is None else percent(smape / 100)
    lines = [
        (
            f"model {made.model}, trained on {made.trained_days} days, {made.removed_count} left "
            f"out, {made.horizon_days} days ahead, interval of {percent(made.interval_width)}"
        ),
        f"error on hold-out days (sMAPE): {error}",
    ]
    if made.mix is not None:
        lines.append(f"candidates: {made.mix.text}")
    if made.coverage_ratio is not None:
        lines.append(f"hold-out days inside the interval: {percent(made.coverage_ratio)}")
    if made.points:
        last = made.points[-1]
        lines.append(
            f"on the last day, {last.site_date}: expected {exact(last.expected)}, from "
            f"{exact(last.lower)} to {exact(last.upper)}"
        )
    yield ExplanationSection(heading, tuple(lines))


def advice(engine: Store, finding: Finding) -> ExplanationSection:
    """Return the plan of the finding's resource, then what its rule alone advises.

    A plan keeps every rule of its resource below Watch on the forecast, so where it has changes, or
    finds that none is needed, those of the rule come after it, with what they are sized for.
    """
    first, lines, plan = finding.advice, list(_own(finding)), None
    if rule := all_rules().get(finding.rule_id):
        path = rule.resource_of(finding.subject).path
        plans = read_plans(engine, finding.site_date)
        plan = next((plan for plan in plans if plan.resource == path), None)
    if plan is not None and plan.changes:
        first, of_plan = _planned(plan, finding)
        lines = [*of_plan, *lines]
    elif plan is not None:
        lines = [f"Plan of the resource: {change_words(plan)}", *lines]
    return ExplanationSection(f"Advice: {first}", tuple(lines), may_be_blank=True)


def _planned(plan: Plan, finding: Finding) -> tuple[str, list[str]]:
    """Return what to do in one sentence; the options, and what the rule alone is sized for."""
    row = plan_row(plan, [finding])
    options = (
        (option.change, option.cost, option.lasts, option.note, option.buys)
        for option in row.options
    )
    lines = [f"Option: {'; '.join(filter(None, option))}" for option in options]
    first = f"{plan.changes[0].sentence} {row.due if row.due == NOW else f'by {row.due}'}"
    return first, [*lines, *row.check_first, f"{_of_rule_alone(finding, plan)}: {finding.advice}"]


def _of_rule_alone(finding: Finding, plan: Plan) -> str:
    """Return for which level and at which value the advice of a rule is sized.

    That is the level that the advice names, else the limit, at the figure of the measured days or
    at the expected one of the day of the forecast that it names; the plan counts with the bound.
    """
    if finding.is_event or finding.limit_value is None:
        return f"{finding.rule_id} alone"
    limit = quantity(finding.limit_value, finding.unit)
    watch = f", {finding.watch_words}" if finding.watch_words else ""
    return (
        f"{finding.rule_id} alone (limit {limit}{watch}), for the level that it names, else its "
        "limit, at the expected value of the day of the forecast that it names, else on the "
        f"measured days; the plan is sized at the {percent(plan.evidence.confidence)} bound of "
        "the forecast"
    )


def _own(finding: Finding) -> Iterator[str]:
    for change in finding.changes:
        typed = f" [{change.typed}]" if change.typed else ""
        yield f"- {change.action}{typed}"
        if change.side_effects:
            yield f"  side effects: {change.side_effects}"
    for caveat in finding.caveats:
        yield f"note: {caveat}"
    for advice in advice_for(finding.rule_id):
        yield f"see {advice.id}: {' '.join(advice.text.split())} [{advice.citation}]"
