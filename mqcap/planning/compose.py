"""The plan of a resource as printed and stored: changes, cost, dates, rules before and after."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import partial
from typing import Any, Final, NamedTuple

from mqcap.domain.console.ledger import NO_MECHANISM
from mqcap.domain.console.states import open_on
from mqcap.domain.estate.configured import SystemClass
from mqcap.domain.finding import Finding, Severity
from mqcap.domain.numbers import quantity
from mqcap.domain.plan import (
    ChangePlan,
    Incident,
    InputsMissing,
    NotKept,
    Plan,
    PlanDates,
    PlanEnd,
    PlanEvidence,
    PlanReason,
    PlanRule,
    PlanTopic,
    PlanVariant,
)
from mqcap.domain.urgency import Urgency, urgency
from mqcap.judging.bound_dates import Kept
from mqcap.judging.evaluate import DayFacts, Verdict
from mqcap.planning.context import PlanContext, RuleOfSubject, State, is_mandatory
from mqcap.planning.deciding import arithmetic_of, decided_changes
from mqcap.planning.evaluation import (
    breaks_on,
    facts_of_today,
    facts_with,
    finding_with,
    kept,
    made_worse,
    on_bound,
)
from mqcap.planning.states import States
from mqcap.presentation.quantities import at_a_glance
from mqcap.settings.due_dates import last_responsible_date
from sizing.rulebook.judge import missing_inputs
from sizing.rulebook.registry import all_rules

BY_HAND: Final = "no setting of the plan changes its figure"


def plan_with(
    states: States,
    state: State,
    base: Collection[RuleOfSubject],
    pairs: Collection[RuleOfSubject],
) -> Plan:
    """Return the plan whose changes lead to a state.

    It is about the rules of ``base``; the limits of ``pairs`` of them can be kept.
    """
    context = states.context
    changes, facts = decided_changes(states, state, pairs), states.facts(state)
    kept_by = {pair: kept(context, pair, facts) for pair in context.pairs}
    others = states.settable.alternatives(context, state)
    more = () if changes else (other.changes[0].text.rstrip(".") for other in others)
    ways_out = [*more, states.settable.ways_out]
    failing = [
        NotKept(
            rule_id=pair.rule.id,
            subject=pair.subject,
            fails_from=kept_by[pair].fails_from or context.earliest_date,
            why=states.settable.fixed.get(pair.rule.id, "; ".join(ways_out)),
        )
        for pair in base
        if pair not in pairs
    ]
    worse = made_worse(context, facts) if changes else ()
    counted = context.counted if changes else ()
    return _plan(
        context,
        base,
        PlanEvidence(
            confidence=context.facts.settings.plan.confidence,
            rules=tuple(_rules(context, facts, kept_by)),
            not_kept=tuple(failing),
            arithmetic=arithmetic_of(states, state, pairs),
            affected=tuple(f"{finding.rule_id} {finding.summary}" for finding in worse),
            counted=tuple(change for plan in counted for change in plan.changes),
        ),
        base=PlanVariant(
            changes=changes,
            cost=states.cost(state),
            condition=states.settable.condition(context, state),
            effect=_effect(context, facts, base) if changes else "",
            **lasting(facts, {pair: kept_by[pair] for pair in base}),
        ),
        missing=tuple(f"{name}: {how}" for name, how in _remedies(context).items()),
        cause=states.settable.cause(context) if changes else "",
        notes=states.settable.notes(context, state) if changes else (),
    )


def variant_with(states: States, state: State, pairs: Collection[RuleOfSubject]) -> PlanVariant:
    """Return the changes that lead to a state, with their cost, and until when they keep rules."""
    facts = states.facts(state)
    return PlanVariant(
        changes=decided_changes(states, state, pairs),
        cost=states.cost(state),
        **lasting(facts, {pair: kept(states.context, pair, facts) for pair in pairs}),
        condition=states.settable.condition(states.context, state),
        effect=_effect(states.context, facts, pairs),
    )


def _effect(context: PlanContext, facts: DayFacts, pairs: Collection[RuleOfSubject]) -> str:
    """Return what changes make of the figure of today with the least headroom."""
    today = facts_of_today(context)
    found = [
        (before.headroom_ratio, before, after)
        for pair in pairs
        if (before := finding_with(pair, today)) is not None and before.headroom_ratio is not None
        if (after := finding_with(pair, facts)) is not None
    ]
    if not found:
        return ""
    _, before, after = min(found, key=lambda trial: trial[0])
    was, becomes = (at_a_glance(end.observed, end.unit) for end in (before, after))
    return "" if was == becomes else f"{was} becomes {becomes}"


def plan_by_hand(
    context: PlanContext,
    base: Collection[RuleOfSubject],
    needs: Sequence[str] = (),
    reasons: Sequence[str] = (),
) -> Plan:
    """Return a plan without typed changes: only the advice of its rules.

    Of what the changes of its kind need, those inputs are missing that no rule of the day used,
    and those are whose values cannot be used. ``reasons`` say why else no amount can be told.
    """
    unusable = context.unusable
    every = (missing_inputs(pair.rule, set()) for pair in context.pairs)
    remedies = {name: how for inputs in every for name, how in inputs}
    remedies |= _remedies(context) | unusable
    missing = [name for name in needs if context.input_of(name) is None and name not in unusable]
    missing += unusable
    nothing = {pair: kept(context, pair, context.facts) for pair in context.pairs}
    failing = tuple(_not_kept(context, nothing))
    named = [f"{name}: {remedies[name]}" if name in remedies else name for name in missing]
    evidence = PlanEvidence(
        confidence=context.facts.settings.plan.confidence,
        rules=tuple(_rules(context, context.facts, nothing)),
        not_kept=failing,
    )
    is_waiting = bool(missing or (failing and reasons))
    return _plan(context, base, evidence, is_waiting=is_waiting, missing=(*named, *reasons))


def _remedies(context: PlanContext) -> dict[str, str]:
    """Return how to supply each input that a rule of the resource lacks, by its name."""
    remedies: dict[str, str] = {}
    for verdict in context.verdicts:
        finding = verdict.finding
        if finding.severity is Severity.unknown:
            known = {value.name for value in finding.inputs}
            remedies |= dict(missing_inputs(all_rules()[finding.rule_id], known))
    return remedies


def _not_kept(context: PlanContext, nothing: Mapping[RuleOfSubject, Kept]) -> Iterator[NotKept]:
    """Yield the rules that fail up to the horizon where nothing is changed, with their advice."""
    for finding in (verdict.finding for verdict in context.verdicts):
        if not finding.severity.is_urgent or finding.superseded_by:
            continue
        pair = RuleOfSubject(all_rules()[finding.rule_id], finding.subject)
        day = nothing[pair].fails_from if pair in nothing else None
        if finding.breach or finding.is_event:
            day = context.site_date
        if day is not None and day <= context.horizon_date:
            worst = on_bound(context, pair, facts_with(context, []))
            why = BY_HAND
            if worst is not None:
                changes, advice = worst[0].changes, worst[0].advice
                why = (changes[0].action if changes else advice) or BY_HAND
            yield NotKept(rule_id=finding.rule_id, subject=finding.subject, fails_from=day, why=why)


def _plan(
    context: PlanContext,
    pairs: Collection[RuleOfSubject],
    evidence: PlanEvidence,
    *,
    is_waiting: bool = False,
    missing: tuple[str, ...],
    **of_changes: Any,
) -> Plan:
    """Return the plan in its form: what happened, what waits for inputs, else changes."""
    own = {(pair.rule.id, pair.subject) for pair in pairs}
    worst = min(context.verdicts, key=partial(_headline_order, own)).finding
    due = due_of(context, pairs, worst.rule_id)
    resource, facts = context.resource, context.facts
    severities = (verdict.finding.severity for verdict in context.verdicts)
    decided: dict[str, Any] = {
        "about": PlanTopic(
            resource=resource.path,
            label=resource.label,
            kind=resource.kind,
            owner_subject=resource.owner_subject,
            owner=facts.settings.alerts.owner_of(resource.owner_subject),
            is_production=facts.estate.class_of(resource.owner_subject) is SystemClass.production,
        ),
        "dates": PlanDates(
            site_date=context.site_date,
            earliest_date=context.earliest_date,
            due_date=due.due_date,
            horizon_date=context.horizon_date,
            due_rule=due.rule_id,
            breaks_on=due.breaks_on,
            made_on=context.site_date,
        ),
        "reason": PlanReason(
            severity=max(severities, key=lambda severity: severity.rank),
            summary=worst.statement,
            rule_id=worst.rule_id,
            subject=worst.subject,
            headroom_ratio=worst.headroom_ratio,
        ),
        "evidence": evidence,
        "missing": missing,
    }
    if worst.is_event:
        is_over = all(v.finding.has_ended for v in context.verdicts if v.finding.is_event)
        return Incident(**decided, **of_changes, is_over=is_over, advice=worst.advice)
    return InputsMissing(**decided) if is_waiting else ChangePlan(**decided, **of_changes)


class Due(NamedTuple):
    """When the change of a plan is to be begun, and why."""

    due_date: date
    """The day of the context where it is over already: as soon as possible."""
    breaks_on: date | None
    """First day over a limit; ``None`` where none is up to the horizon."""
    rule_id: str
    """The rule whose limit breaks first; empty without one."""


def due_of(context: PlanContext, pairs: Collection[RuleOfSubject], headline: str) -> Due:
    """Return when a change is due that keeps the limits of these rules.

    Lead time and change freezes are those of the settings. Of rules that break on one day that of
    the ``headline`` is named; last come those whose arithmetic does not give what the console
    reported. What breaks only because of plans that the context counts is due with the first of
    them. Without a day it is due at the horizon.
    """
    if not pairs:
        return Due(context.horizon_date, None, "")
    alerts = context.facts.settings.alerts
    lead = max(alerts.lead_time(pair.rule.id) for pair in pairs)
    found = _first(context, pairs, context.facts, headline)
    if found is not None:
        day, rule_id = found
        last = last_responsible_date(day, lead, alerts.change_freezes)
        return Due(max(last, context.site_date), day, rule_id)
    added = _first(context, pairs, facts_of_today(context), headline) if context.counted else None
    if added is not None:
        return Due(min(plan.due_date for plan in context.counted), None, added[1])
    return Due(context.horizon_date, None, "")


def _first(
    context: PlanContext, pairs: Collection[RuleOfSubject], facts: DayFacts, headline: str
) -> tuple[date, str] | None:
    states = open_on(context.facts.observed.states, context.site_date)
    own = (state for state in states if state.subject == context.owner_subject)
    others = {rule for state in own for rule in NO_MECHANISM.get(state.message_id, ())}
    broken = [
        (day, pair.rule.id in others, pair.rule.id != headline, pair.rule.id)
        for pair in pairs
        if (day := breaks_on(context, pair, facts)) is not None
    ]
    first = min(broken, default=None)
    return None if first is None else (first[0], first[-1])


def _headline_order(
    base: Collection[tuple[str, str]], verdict: Verdict
) -> tuple[int, bool, bool, bool, Urgency]:
    """Return the sort key of the finding whose sentence stands first in a plan.

    Of equal severity, a rule that the plan is about comes first, then what is over its limit
    unless that is its own past; a superseded rule comes after the others.
    """
    finding = verdict.finding
    is_over = finding.breach and not all_rules()[finding.rule_id].traits.limit_is_own_past
    is_own = finding.is_event or (finding.rule_id, finding.subject) in base
    return (
        -finding.severity.rank if finding.severity.is_urgent else 0,
        not is_own,
        not is_over,
        bool(finding.superseded_by),
        urgency(finding, verdict.crossing),
    )


def _rules(
    context: PlanContext, facts: DayFacts, kept_by: Mapping[RuleOfSubject, Kept]
) -> Iterator[PlanRule]:
    before: dict[tuple[str, str], Finding] = {
        (v.finding.rule_id, v.finding.subject): v.finding for v in context.verdicts
    }
    for pair in context.pairs:
        old = before.get((pair.rule.id, pair.subject))
        new = finding_with(pair, facts)
        shown = new or old
        if shown is None:
            continue
        until = kept_by[pair].fails_from
        yield PlanRule(
            rule_id=pair.rule.id,
            subject=pair.subject,
            title=shown.title,
            is_mandatory=is_mandatory(context, pair),
            before=old.severity if old else Severity.ok,
            after=new.severity if new else Severity.ok,
            before_text=old.statement if old else "",
            after_text=new.statement if new else "",
            kept_until=until - timedelta(days=1) if until else None,
            is_forecast=kept_by[pair].is_forecast,
            level=_level(shown),
        )


def _level(finding: Finding | None) -> str:
    return f"limit {quantity(finding.limit_value, finding.unit)}" if finding is not None else ""


def ends_with(facts: DayFacts, pairs: Iterable[RuleOfSubject]) -> tuple[PlanEnd, ...]:
    """Return rules with their limits in words, each once; those are empty where none applies."""
    levels = ((pair.rule.id, _level(finding_with(pair, facts))) for pair in pairs)
    return tuple(PlanEnd(rule_id=rule, level=level) for rule, level in dict.fromkeys(levels))


def lasting(facts: DayFacts, kept_by: Mapping[RuleOfSubject, Kept]) -> dict[str, Any]:
    """Return the last day on which the limits are kept, and the rules that break on the day after.

    Neither as far as forecasts reach.
    """
    fails = {pair: kept.fails_from for pair, kept in kept_by.items() if kept.fails_from}
    first = min(fails.values(), default=None)
    ends = ends_with(facts, (pair for pair, day in fails.items() if day == first))
    return {
        "lasts_until": first - timedelta(days=1) if first else None,
        "ended_by": tuple(end for end in ends if end.level),
    }
