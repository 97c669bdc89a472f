"""The plan of each resource with a rule at Watch or Act, from the facts of a day."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Final, NamedTuple

from mqcap.domain.crossing import CrossingState
from mqcap.domain.finding import Finding, Severity
from mqcap.domain.plan import NotKept, Plan, PlanCost, PlanRule, PlanVariant
from mqcap.domain.urgency import urgency
from mqcap.judging.evaluate import DayFacts, Verdict
from mqcap.planning.arithmetic import arithmetic_of
from mqcap.planning.context import PlanContext, RuleOfSubject, State, contexts_of
from mqcap.planning.cost import weighted
from mqcap.planning.evaluation import (
    Kept,
    Standard,
    advice_on_bound,
    facts_with,
    fails_on_bound,
    fails_proof,
    finding_with,
    kept,
    made_worse,
)
from mqcap.planning.search import Grids, cheapest
from mqcap.planning.settable import Settable, settable_of
from mqcap.presentation.due_dates import last_responsible_date
from sizing.rulebook.registry import all_rules

KEPT_COST_RATIO: Final = 1.25
"""A previous plan stays that costs no more than so many times the cheapest (ours)."""
BY_HAND: Final = "no setting of the plan changes its figure"


Standards = dict[RuleOfSubject, Standard]


class _Found(NamedTuple):
    """A state that keeps as many rules as can be kept, and the standard that it keeps them at."""

    state: State
    standards: Standards


def plans_of_day(
    facts: DayFacts, verdicts: Sequence[Verdict], previous: Mapping[str, Plan] | None = None
) -> list[Plan]:
    """Return the plans of all resources with a rule at Watch or Act, by path of the resource.

    ``previous`` holds the plans of the day before by resource; a change that is on its way is
    not replaced by one that is hardly larger.
    """
    before = previous or {}
    return [
        plan_of(context, before.get(context.resource.path))
        for context in contexts_of(facts, verdicts)
        if any(_is_bad(verdict.finding) for verdict in context.verdicts)
    ]


def plan_of(context: PlanContext, previous: Plan | None = None) -> Plan:
    """Return the least-cost changes that keep every rule of a resource until the horizon.

    The previous plan stays while it lasts to half of the horizon and costs little more.
    """
    settable = settable_of(context.resource.kind)
    today = settable.today(context) if settable is not None else None
    if settable is None or today is None:
        missing = settable.needs if settable is not None else ()
        return _by_hand(context, missing)
    found = _search(context, settable, today, context.pairs)
    continued = _continued(context, settable, today, found, previous)
    if continued is not None:
        found = found._replace(state=continued)
    binding = tuple(pair for pair in context.pairs if _is_mandatory(context, pair))
    fewer = _search(context, settable, today, binding)
    plan = _plan(context, settable, today, found)
    if continued is not None and previous is not None:
        plan = plan.model_copy(update={"made_on": previous.made_on})
    if fewer.state == found.state:
        return plan
    variant = _variant(context, settable, today, fewer)
    return plan.model_copy(update={"mandatory_only": variant})


def _search(
    context: PlanContext,
    settable: Settable,
    today: State,
    pairs: Sequence[RuleOfSubject],
) -> _Found:
    grids = settable.grids(context, today)
    standards = _standards(context, settable, today, grids, pairs)

    def is_kept(state: State) -> bool:
        return _keeps(context, settable.parts(context, today, state), standards)

    def cost(state: State) -> float:
        return _cost(context, settable, today, state).weighted

    state = cheapest(grids, is_kept, cost)
    return _Found(state if state is not None else today, standards)


def _continued(
    context: PlanContext, settable: Settable, today: State, found: _Found, previous: Plan | None
) -> State | None:
    """Return the state of the previous plan where it is still good enough to be carried out."""
    if previous is None or not previous.settings:
        return None
    values = {key: value for (_, key), value in previous.settings.items()}
    if not values.keys() <= today.keys() or all(today[key] == values[key] for key in values):
        return None
    state = {**today, **values}
    cost = _cost(context, settable, today, state).weighted
    if cost > KEPT_COST_RATIO * _cost(context, settable, today, found.state).weighted:
        return None
    days = context.facts.settings.plan.horizon_days // 2
    shorter = context._replace(horizon_date=context.site_date + timedelta(days=days))
    parts = settable.parts(context, today, state)
    return state if _keeps(shorter, parts, found.standards) else None


def _standards(
    context: PlanContext,
    settable: Settable,
    today: State,
    grids: Grids,
    pairs: Sequence[RuleOfSubject],
) -> Standards:
    """Return the rules that the state with the most of each setting keeps, and how well."""
    most = {name: values[-1] for name, values in grids.items()}
    facts = facts_with(context, settable.parts(context, today, most))
    found: Standards = {}
    for pair in pairs:
        if fails_proof(context, pair, facts):
            continue
        for standard in Standard:
            if not fails_on_bound(context, pair, facts, standard):
                found[pair] = standard
                break
    return found


def _keeps(context: PlanContext, parts: list[dict[str, object]], standards: Standards) -> bool:
    facts = facts_with(context, parts)
    if any(fails_on_bound(context, pair, facts, at) for pair, at in standards.items()):
        return False
    return not any(fails_proof(context, pair, facts) for pair in standards)


def _cost(context: PlanContext, settable: Settable, today: State, state: State) -> PlanCost:
    return weighted(settable.cost(context, today, state), context.facts.settings.plan.cost)


def _plan(context: PlanContext, settable: Settable, today: State, found: _Found) -> Plan:
    changes = settable.changes(context, today, found.state)
    facts = facts_with(context, settable.parts(context, today, found.state))
    kept_by = {
        pair: kept(context, pair, facts, found.standards.get(pair, Standard.limit))
        for pair in context.pairs
    }
    failing = [
        NotKept(
            rule_id=pair.rule.id,
            subject=pair.subject,
            fails_from=kept_by[pair].fails_from or context.earliest_date,
            why=settable.ways_out,
        )
        for pair in context.pairs
        if pair not in found.standards
    ]
    return _base(context).model_copy(
        update={
            "is_feasible": not failing,
            "not_kept": tuple(failing),
            "changes": changes,
            "cost": _cost(context, settable, today, found.state),
            "lasts_until": _lasts_until(kept_by[pair] for pair in found.standards),
            "rules": tuple(_rules(context, facts, kept_by)),
            "arithmetic": arithmetic_of(context, settable, today, found.state, found.standards),
            "affected": tuple(
                f"{worse.rule_id} {worse.summary}" for worse in made_worse(context, facts)
            )
            if changes
            else (),
        }
    )


def _variant(
    context: PlanContext,
    settable: Settable,
    today: State,
    found: _Found,
) -> PlanVariant:
    facts = facts_with(context, settable.parts(context, today, found.state))
    return PlanVariant(
        changes=settable.changes(context, today, found.state),
        cost=_cost(context, settable, today, found.state),
        lasts_until=_lasts_until(
            kept(context, pair, facts, standard) for pair, standard in found.standards.items()
        ),
    )


def _by_hand(context: PlanContext, missing: Sequence[str]) -> Plan:
    """Return a plan without typed changes: only the advice of its rules."""
    bad = [verdict.finding for verdict in context.verdicts if _is_bad(verdict.finding)]
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
            "missing": tuple(missing),
            "rules": tuple(_rules(context, context.facts, nothing)),
        }
    )


def _advice(context: PlanContext, finding: Finding) -> str:
    pair = RuleOfSubject(all_rules()[finding.rule_id], finding.subject)
    return advice_on_bound(context, pair)


def _base(context: PlanContext) -> Plan:
    worst = min(context.verdicts, key=lambda one: urgency(one.finding, one.crossing))
    plan = context.facts.settings.plan
    return Plan(
        resource=context.resource.path,
        label=context.resource.label,
        kind=context.resource.kind,
        owner_subject=context.resource.owner_subject,
        site_date=context.site_date,
        severity=max((v.finding.severity for v in context.verdicts), key=lambda one: one.rank),
        is_feasible=True,
        summary=worst.finding.statement,
        worst_rule=worst.finding.rule_id,
        worst_subject=worst.finding.subject,
        made_on=context.site_date,
        earliest_date=context.earliest_date,
        due_date=_due_date(context),
        horizon_date=context.horizon_date,
        confidence=plan.confidence,
        owner=context.facts.settings.alerts.owner_of(context.resource.owner_subject),
    )


def _due_date(context: PlanContext) -> date:
    """Return the last day for the change: before the first limit is passed, and any freeze."""
    passed = [_passed_date(context, v) for v in context.verdicts if _is_bad(v.finding)]
    first = min(passed, default=context.horizon_date)
    last, _ = last_responsible_date(first, 1, context.facts.settings.alerts.change_freezes)
    return max(last, context.earliest_date)


def _passed_date(context: PlanContext, verdict: Verdict) -> date:
    crossing = verdict.crossing
    if crossing is None or crossing.state is not CrossingState.will_cross:
        return context.earliest_date if verdict.finding.breach else context.horizon_date
    return crossing.earliest_date or crossing.expected_date or context.horizon_date


def _rules(
    context: PlanContext, facts: DayFacts, kept_by: dict[RuleOfSubject, Kept]
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
            is_mandatory=_is_mandatory(context, pair),
            before=old.severity if old else Severity.ok,
            after=new.severity if new else Severity.ok,
            before_text=old.statement if old else "",
            after_text=new.statement if new else "",
            kept_until=until - timedelta(days=1) if until else None,
            is_forecast=kept_by[pair].is_forecast,
        )


def _lasts_until(kept_by: Iterable[Kept]) -> date | None:
    """Return the last day on which all rules are kept; ``None``: as far as forecasts reach."""
    first = min((one.fails_from for one in kept_by if one.fails_from), default=None)
    return first - timedelta(days=1) if first else None


def _is_mandatory(context: PlanContext, pair: RuleOfSubject) -> bool:
    """Return whether a breach of the rule breaks something, by the site's policy or its own."""
    policy = context.facts.settings.grade_policy(pair.rule.id)
    return (policy.breach or pair.rule.traits.breach_severity) is Severity.act


def _is_bad(finding: Finding) -> bool:
    return finding.severity.rank >= Severity.watch.rank
