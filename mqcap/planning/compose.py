"""The plan of a resource as printed and stored: changes, cost, dates, rules before and after."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

from mqcap.domain.estate import SystemClass
from mqcap.domain.finding import Finding, Severity
from mqcap.domain.numbers import quantity
from mqcap.domain.plan import NotKept, Plan, PlanEnd, PlanRule, PlanVariant
from mqcap.domain.urgency import Urgency, urgency
from mqcap.judging.bound_dates import Kept, Standard
from mqcap.judging.evaluate import DayFacts, Verdict
from mqcap.planning.arithmetic import arithmetic_of
from mqcap.planning.context import PlanContext, RuleOfSubject, State, is_mandatory
from mqcap.planning.deciding import decided_changes
from mqcap.planning.due_dates import due_date, due_rule, due_verdicts, passed_from
from mqcap.planning.evaluation import advice_on_bound, finding_with, kept, made_worse
from mqcap.planning.event_effect import effect_of_cause
from mqcap.planning.states import Standards, States
from mqcap.planning.task_storage import judged_with_counted
from sizing.rulebook.judge import missing_inputs
from sizing.rulebook.registry import all_rules

BY_HAND: Final = "no setting of the plan changes its figure"


def plan_with(states: States, state: State, standards: Standards) -> Plan:
    """Return the plan whose changes lead to a state, with the rules that it does not keep."""
    context = states.context
    changes, facts = decided_changes(states, state, standards), states.facts(state)
    kept_by = {
        pair: kept(context, pair, facts, standards.get(pair, Standard.limit))
        for pair in context.pairs
    }
    others = states.settable.alternatives(context)
    more = () if changes else (text.rstrip(".") for text in others)
    ways_out = [*more, states.settable.ways_out]
    failing = [
        NotKept(
            rule_id=pair.rule.id,
            subject=pair.subject,
            fails_from=kept_by[pair].fails_from or context.earliest_date,
            is_watch_alone=kept_by[pair].fails_from is None,
            why=states.settable.fixed.get(pair.rule.id, "; ".join(ways_out)),
        )
        for pair in context.pairs
        if pair not in standards
    ]
    worse = made_worse(context, facts) if changes else ()
    return _base(context).model_copy(
        update={
            "is_feasible": not failing,
            "not_kept": tuple(failing),
            "changes": changes,
            "cause": states.settable.cause(context) if changes else "",
            "notes": states.settable.notes(context) if changes else (),
            "cost": states.cost(state),
            **lasting(facts, kept_by, standards),
            "alternatives": others if changes else (),
            "rules": tuple(
                _with_watch(states, facts, standards, rule) if changes else rule
                for rule in _rules(context, facts, kept_by, standards)
            ),
            "missing": tuple(f"{name}: {how}" for name, how in _remedies(context).items()),
            "arithmetic": arithmetic_of(states, state, standards),
            "affected": tuple(f"{finding.rule_id} {finding.summary}" for finding in worse),
        }
    )


def variant_with(states: States, state: State, standards: Standards) -> PlanVariant:
    """Return the changes that lead to a state, with cost, duration and their own due day."""
    context, facts = states.context, states.facts(state)
    kept_by = {pair: kept(context, pair, facts, level) for pair, level in standards.items()}
    counting = judged_with_counted(context)
    due = due_date(counting, due_verdicts(counting, standards))
    changes = decided_changes(states, state, standards)
    is_own = bool(changes) and due != due_date(counting, counting.verdicts)
    return PlanVariant(
        needed_by=due if is_own else None,
        changes=changes,
        cost=states.cost(state),
        **lasting(facts, kept_by, standards),
    )


def plan_by_hand(context: PlanContext, needs: Sequence[str]) -> Plan:
    """Return a plan without typed changes: only the advice of its rules.

    Of what the changes of its kind need, those inputs are missing that no rule of the day used,
    and those are whose values cannot be used.
    """
    bad = [verdict.finding for verdict in context.verdicts if is_bad(verdict.finding)]
    remedies = _every_remedy(context) | _remedies(context)
    unusable = context.unusable
    remedies |= unusable
    missing = [name for name in needs if context.input_of(name) is None and name not in unusable]
    missing += unusable
    nothing = {pair: kept(context, pair, context.facts, Standard.ok) for pair in context.pairs}
    return _base(context).model_copy(
        update={
            "is_feasible": False,
            "not_kept": tuple(
                NotKept(
                    rule_id=finding.rule_id,
                    subject=finding.subject,
                    fails_from=context.site_date,
                    why=_advice(context, finding) or BY_HAND,
                )
                for finding in bad
                if not finding.superseded_by
            ),
            "missing": tuple(
                f"{name}: {remedies[name]}" if name in remedies else name for name in missing
            ),
            "rules": tuple(_rules(context, context.facts, nothing, {})),
        }
    )


def _remedies(context: PlanContext) -> dict[str, str]:
    """Return how to supply each input that a rule of the resource lacks, by its name."""
    remedies: dict[str, str] = {}
    for verdict in context.verdicts:
        finding = verdict.finding
        if finding.severity is Severity.unknown:
            known = {value.name for value in finding.inputs}
            remedies |= dict(missing_inputs(all_rules()[finding.rule_id], known))
    return remedies


def _every_remedy(context: PlanContext) -> dict[str, str]:
    """Return how to supply each input of the rules of the resource, by its name."""
    return {name: how for pair in context.pairs for name, how in missing_inputs(pair.rule, set())}


def _advice(context: PlanContext, finding: Finding) -> str:
    pair = RuleOfSubject(all_rules()[finding.rule_id], finding.subject)
    return advice_on_bound(context, pair)


def _has_ended(context: PlanContext) -> bool:
    return all(v.finding.has_ended for v in context.verdicts if v.finding.is_event)


def _base(context: PlanContext) -> Plan:
    worst = min(context.verdicts, key=_headline_order)
    counting = judged_with_counted(context)
    plan = context.facts.settings.plan
    owner_class = context.facts.estate.class_of(context.resource.owner_subject)
    return Plan(
        resource=context.resource.path,
        label=context.resource.label,
        kind=context.resource.kind,
        owner_subject=context.resource.owner_subject,
        site_date=context.site_date,
        severity=max(
            (v.finding.severity for v in context.verdicts), key=lambda severity: severity.rank
        ),
        is_feasible=True,
        summary=worst.finding.statement,
        worst_rule=worst.finding.rule_id,
        worst_subject=worst.finding.subject,
        worst_headroom_ratio=worst.finding.headroom_ratio,
        is_event=worst.finding.is_event,
        event_has_ended=worst.finding.is_event and _has_ended(context),
        event_advice=worst.finding.advice if worst.finding.is_event else "",
        event_effect=effect_of_cause(context.facts.observed, worst.finding),
        is_production=owner_class is SystemClass.production,
        made_on=context.site_date,
        earliest_date=context.earliest_date,
        due_date=due_date(counting, counting.verdicts),
        due_rule=due_rule(counting, worst.finding.rule_id),
        passed_from=passed_from(counting.verdicts),
        horizon_date=context.horizon_date,
        confidence=plan.confidence,
        owner=context.facts.settings.alerts.owner_of(context.resource.owner_subject),
    )


def _headline_order(verdict: Verdict) -> tuple[int, bool, bool, Urgency]:
    """Return the sort key of the finding whose sentence stands first in a plan.

    Of equal severity, what is over its limit comes before what is only forecast, as the due date
    follows from it, unless its limit is its own past; a superseded rule comes after the others.
    """
    finding = verdict.finding
    is_over = finding.breach and not all_rules()[finding.rule_id].traits.limit_is_own_past
    return (
        -finding.severity.rank if is_bad(finding) else 0,
        not is_over,
        bool(finding.superseded_by),
        urgency(finding, verdict.crossing),
    )


def _rules(
    context: PlanContext,
    facts: DayFacts,
    kept_by: Mapping[RuleOfSubject, Kept],
    standards: Standards,
) -> Iterator[PlanRule]:
    before = {(v.finding.rule_id, v.finding.subject): v.finding for v in context.verdicts}
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
            level=_level(shown, standards.get(pair, Standard.limit)),
        )


def _with_watch(states: States, facts: DayFacts, standards: Standards, rule: PlanRule) -> PlanRule:
    """Return a rule that only its limit is kept of with the first day at Watch, and why."""
    pair = RuleOfSubject(all_rules()[rule.rule_id], rule.subject)
    found = finding_with(pair, facts)
    if standards.get(pair) is not Standard.limit or found is None or not found.watch_words:
        return rule
    day = kept(states.context, pair, facts, Standard.ok).fails_from
    why = states.settable.largest.get(rule.rule_id, "")
    return rule.model_copy(update={"watch_from": day, "watch_why": why})


def _level(finding: Finding, standard: Standard) -> str:
    """Return what a plan keeps of a rule: its Watch level, else its limit."""
    if standard is Standard.ok and finding.watch_words:
        return finding.watch_words
    return f"limit {quantity(finding.limit_value, finding.unit)}"


def lasting(
    facts: DayFacts, kept_by: Mapping[RuleOfSubject, Kept], standards: Standards
) -> dict[str, Any]:
    """Return the last day on which all rules are kept, and those that fail on the day after.

    Neither as far as forecasts reach.
    """
    fails = {pair: kept.fails_from for pair, kept in kept_by.items() if kept.fails_from}
    first = min(fails.values(), default=None)
    ends = [
        PlanEnd(rule_id=pair.rule.id, level=_level(finding, standards.get(pair, Standard.limit)))
        for pair, day in fails.items()
        if day == first and (finding := finding_with(pair, facts)) is not None
    ]
    return {
        "lasts_until": first - timedelta(days=1) if first else None,
        "ended_by": tuple(dict.fromkeys(ends)),
    }


def is_bad(finding: Finding) -> bool:
    """Return whether a finding is Watch or Act."""
    return finding.severity.rank >= Severity.watch.rank
