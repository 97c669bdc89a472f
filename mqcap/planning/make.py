"""The plan of each resource whose limits break before the horizon, from the facts of a day."""

from collections.abc import Iterable, Mapping, Sequence

from pydantic import ValidationError

from mqcap.domain.finding import Finding
from mqcap.domain.plan import Incident, Plan
from mqcap.domain.plan_order import following
from mqcap.domain.resource import ResourceKind
from mqcap.judging.evaluate import DayFacts, Verdict, no_amount
from mqcap.planning.compose import plan_by_hand, plan_with
from mqcap.planning.context import PlanContext, RuleOfSubject, contexts_of
from mqcap.planning.continuity import continued_state, steadied
from mqcap.planning.evaluation import finding_with
from mqcap.planning.least_state import base_pairs, keepable, least_state, reachable_dates
from mqcap.planning.move_target import with_targets
from mqcap.planning.options import options_of, tiers_of
from mqcap.planning.settable import settable_of
from mqcap.planning.states import States
from mqcap.progress.shown import tracked
from sizing.rulebook.registry import all_rules


def plans_of_day(
    facts: DayFacts, verdicts: Sequence[Verdict], previous: Mapping[str, Plan] | None = None
) -> list[Plan]:
    """Return the plans of all resources that need something, by path of the resource.

    Those are resources with a rule at Watch or Act whose limits break before the horizon, and what
    the console reported. ``previous`` holds the plans of the day before by resource. One of them
    stays, even where no rule is Watch or Act today, until its resource keeps its rules without it.
    """
    before = previous or {}
    plans: list[Plan] = []
    # in their order, those that count the plans of others last
    contexts = sorted(contexts_of(facts, verdicts), key=lambda context: bool(_counts_on(context)))
    for each in tracked(contexts, "plans", "resources"):
        context = each._replace(counted=_counted_by(each, plans))
        old = before.get(context.resource.path)
        is_wrong = any(_asks(verdict.finding) for verdict in context.verdicts)
        if not is_wrong and (old is None or not old.changes or _is_settled(context, old)):
            continue
        plan = following(_due_now(_plan_or_reason(context, old)), old)
        if not plan.needs_nothing and (is_wrong or (old and plan.settings == old.settings)):
            plans.append(plan)
    return with_targets(facts, contexts, sorted(plans, key=lambda plan: plan.resource))


def _counts_on(context: PlanContext) -> frozenset[ResourceKind]:
    settable = settable_of(context.resource.kind)
    return settable.counts_on if settable is not None else frozenset()


def _counted_by(context: PlanContext, plans: Iterable[Plan]) -> tuple[Plan, ...]:
    """Return the plans with settings of its owner that a context counts as done."""
    kinds, owner = _counts_on(context), context.resource.owner_subject
    own = (plan for plan in plans if plan.about.kind in kinds and plan.about.owner_subject == owner)
    return tuple(plan for plan in own if plan.settings)


def _is_settled(context: PlanContext, old: Plan) -> bool:
    """Return whether a plan that the context counts sets what the plan of the night before set."""
    return any(old.settings.keys() & plan.settings.keys() for plan in context.counted)


def _plan_or_reason(context: PlanContext, previous: Plan | None) -> Plan:
    """Return the plan of a resource; where a figure of it is none that MQ has, the reason.

    A record may state what no operand can be, such as 60 buffers; other resources keep their plans.
    """
    try:
        return plan_of(context, previous)
    except ValidationError as error:
        reasons = tuple(
            str(each.get("ctx", {}).get("error", each["msg"])) for each in error.errors()
        )
        return plan_by_hand(context, base_pairs(context), reasons=reasons)


def _due_now(plan: Plan) -> Plan:
    """Return a plan that is due on its day where the cause of what happened is to be found."""
    if isinstance(plan, Incident) and plan.is_cause_alone:
        return plan.dated(earliest_date=plan.site_date, due_date=plan.site_date, due_rule="")
    return plan


def _asks(finding: Finding) -> bool:
    """Return whether a finding may ask for something.

    A rise does not, and what happened is told once: with what it led to.
    """
    is_told_elsewhere = finding.is_event and bool(finding.superseded_by)
    is_own_past = all_rules()[finding.rule_id].traits.limit_is_own_past
    return finding.severity.is_urgent and not is_own_past and not is_told_elsewhere


def plan_of(context: PlanContext, previous: Plan | None = None, *, with_more: bool = True) -> Plan:
    """Return the least-cost changes that keep the limits of a resource until the horizon.

    Those are the limits of its mandatory rules, at the bound of the forecast. The previous plan
    stays while it lasts to half of the horizon and costs little more. ``with_more`` looks for tiers
    of recommended rules, and for other changes, beside them.
    """
    freezes = context.facts.settings.alerts.change_freezes
    settable = settable_of(context.resource.kind)
    today = settable.today(context) if settable is not None else None
    base = base_pairs(context)
    if settable is None or today is None:
        missing = settable.needs if settable is not None else ()
        return steadied(plan_by_hand(context, base, missing), previous, freezes)
    states = States(context, settable, today)
    why = _why_no_amount(context, (pair for pair in base if states.breaks(pair, today)))
    if why:
        if previous is not None and previous.settings:
            return previous.dated(site_date=context.site_date)
        return plan_by_hand(context, base, reasons=(why,))
    pairs = keepable(states, base)
    best = least_state(states, pairs, reachable_dates(states, base, pairs)) or today
    state = continued_state(states, previous, best, pairs) or best
    plan = steadied(plan_with(states, state, base, pairs), previous, freezes)
    if not with_more or not plan.changes or not plan.is_feasible:
        return plan
    update = {
        "tiers": tiers_of(states, state, pairs),
        "options": options_of(states, state, pairs),
    }
    return plan.model_copy(update=update)


def _why_no_amount(context: PlanContext, pairs: Iterable[RuleOfSubject]) -> str:
    """Return why no amount is stated for the limits of rules; empty where it can be."""
    facts = context.facts
    reasons = (
        no_amount(finding, pair.rule, facts)
        for pair in pairs
        if (finding := finding_with(pair, facts)) is not None
    )
    return next(filter(None, reasons), "")
