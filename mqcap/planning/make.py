"""The plan of each resource with a rule at Watch or Act, from the facts of a day."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from pydantic import ValidationError

from mqcap.domain.finding import Finding
from mqcap.domain.plan import Plan, PlanVariant, following
from mqcap.judging.bound_dates import Standard
from mqcap.judging.evaluate import DayFacts, Verdict
from mqcap.planning.compose import (
    is_bad,
    plan_by_hand,
    plan_with,
    variant_with,
)
from mqcap.planning.context import (
    PlanContext,
    RuleOfSubject,
    State,
    contexts_of,
    is_mandatory,
)
from mqcap.planning.continuity import (
    continued_standards,
    continued_state,
    is_good_enough,
    steadied,
)
from mqcap.planning.due_dates import asks_for_change, due_pairs
from mqcap.planning.evaluation import kept
from mqcap.planning.log_room import counting_log_files, due_with, is_grown_by
from mqcap.planning.move_target import with_targets
from mqcap.planning.search import cheapest, cheapest_of_rising
from mqcap.planning.settable import settable_of
from mqcap.planning.states import Standards, States
from mqcap.planning.task_storage import counting_tasks, judged_with_counted, storage_last
from mqcap.planning.work_schedule import with_schedule
from mqcap.progress.shown import tracked
from sizing.rulebook.registry import all_rules


class _Best(NamedTuple):
    """A state that keeps as many rules as can be kept, and the standard that it keeps them at."""

    state: State
    standards: Standards


def plans_of_day(
    facts: DayFacts, verdicts: Sequence[Verdict], previous: Mapping[str, Plan] | None = None
) -> list[Plan]:
    """Return the plans of all resources with a rule at Watch or Act, by path of the resource.

    ``previous`` holds the plans of the day before by resource. One of them stays, even where no
    rule is Watch or Act today, until its resource keeps its rules without it.
    """
    before = previous or {}
    plans: list[Plan] = []
    contexts = storage_last(contexts_of(facts, verdicts))
    for each in tracked(contexts, "plans", "resources"):
        context = counting_tasks(counting_log_files(each, plans), plans)
        old = before.get(context.resource.path)
        is_wrong = any(is_bad(v.finding) and not _is_own_past(v.finding) for v in context.verdicts)
        if not is_wrong and (old is None or not old.changes or is_grown_by(context, plans)):
            continue
        made = _naming_counted(_plan_or_reason(context, old), context, plans)
        plan = following(due_with(context, _due_now(made), plans), old)
        if is_wrong or (old is not None and plan.settings == old.settings):
            plans.append(plan)
    return with_targets(facts, contexts, sorted(plans, key=lambda plan: plan.resource))


def _naming_counted(plan: Plan, context: PlanContext, plans: Sequence[Plan]) -> Plan:
    """Return a plan with the changes of the plans that its context counts."""
    counted = (
        change
        for each in plans
        if each.label in context.presupposes
        and each.owner_subject == context.resource.owner_subject
        for change in each.changes
    )
    return plan.model_copy(update={"counted": tuple(counted) if plan.changes else ()})


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
        plan = plan_by_hand(context, ())
        return plan.model_copy(update={"missing": (*plan.missing, *reasons)})


def _due_now(plan: Plan) -> Plan:
    """Return a plan that is due on its day where the cause of what happened is to be found."""
    if not plan.is_cause_alone:
        return plan
    return plan.model_copy(
        update={"earliest_date": plan.site_date, "due_date": plan.site_date, "due_rule": ""}
    )


def _is_own_past(finding: Finding) -> bool:
    return all_rules()[finding.rule_id].traits.limit_is_own_past


def plan_of(
    context: PlanContext, previous: Plan | None = None, *, with_mandatory_only: bool = True
) -> Plan:
    """Return the least-cost changes that keep every rule of a resource until the horizon.

    The previous plan stays while it lasts to half of the horizon and costs little more.
    ``with_mandatory_only`` searches the changes for the mandatory rules that are due beside them.
    """
    freezes = context.facts.settings.alerts.change_freezes
    settable = settable_of(context.resource.kind)
    today = settable.today(context) if settable is not None else None
    if settable is None or today is None:
        missing = settable.needs if settable is not None else ()
        return steadied(plan_by_hand(context, missing), previous, freezes)
    states = States(context, settable, today)
    counting = judged_with_counted(context)
    if not _is_needed(counting, previous):
        return steadied(_plan_of_nothing(states), previous, freezes)
    best = _search(states, context.pairs)
    state = continued_state(states, previous)
    if (
        previous is not None
        and state is not None
        and is_good_enough(states, state, best.state, best.standards, previous)
    ):
        best = _Best(state, continued_standards(states, state, best.standards, previous))
    plan = steadied(plan_with(states, *best), previous, freezes)
    plan = with_schedule(plan, states, *best)
    if not with_mandatory_only:
        return plan
    fewer = _search(states, due_pairs(counting))
    if fewer.state == best.state:
        return plan
    return plan.model_copy(update={"mandatory_only": variant_with(states, *fewer)})


def _is_needed(context: PlanContext, previous: Plan | None) -> bool:
    """Return whether a resource asks for a change, or has no rule at Watch or Act at all.

    A previous plan with changes stays while any date of a limit is known, so that it does not come
    and go where that is near the horizon.
    """
    is_changing = previous is not None and bool(previous.settings)
    until = date.max if is_changing else context.horizon_date
    return any(asks_for_change(verdict, until) for verdict in context.verdicts) or not any(
        is_bad(verdict.finding) for verdict in context.verdicts
    )


def _plan_of_nothing(states: States) -> Plan:
    """Return the plan without changes of a resource at Watch whose limits are not passed.

    It names the least change after which the day's own results are below Watch.
    """
    limits = dict.fromkeys(states.context.pairs, Standard.limit)
    plan = plan_with(states, states.today, limits)
    reached = standards_of(states, states.context.pairs)
    best = _cheapest(states, dict.fromkeys(reached, Standard.limit), {})
    least = PlanVariant() if best is None else variant_with(states, best, reached)
    return plan.model_copy(update={"to_end_watch": least})


def _search(states: States, pairs: Sequence[RuleOfSubject]) -> _Best:
    standards = standards_of(states, pairs)
    state = _cheapest(states, standards, reachable_dates(states, pairs, standards))
    return _Best(state if state is not None else states.today, standards)


def _cheapest(
    states: States, standards: Standards, reachable: Mapping[RuleOfSubject, date]
) -> State | None:
    search = cheapest_of_rising if states.settable.rises else cheapest
    return search(
        states.grids,
        lambda state: keeps_as_much(states, state, standards, reachable),
        lambda state: states.cost(state).weighted,
    )


def keeps_as_much(
    states: States, state: State, standards: Standards, reachable: Mapping[RuleOfSubject, date]
) -> bool:
    """Return whether a state keeps what can be kept, and the other rules as long as they can be."""
    return states.keeps(state, standards) and not any(
        states.fails_bound(pair, state, Standard.limit, until) for pair, until in reachable.items()
    )


def reachable_dates(
    states: States, pairs: Sequence[RuleOfSubject], standards: Standards
) -> Mapping[RuleOfSubject, date]:
    """Return the last day to which any state keeps each mandatory rule that none keeps to the end.

    The state with the most of each setting lasts longest. Rules that fail in it from the earliest
    day on are left out: no state is better than another.
    """
    context = states.context
    facts = states.facts(_most(states))
    reachable: dict[RuleOfSubject, date] = {}
    for pair in pairs:
        if pair in standards or not is_mandatory(context, pair):
            continue
        fails_from = kept(context, pair, facts, Standard.limit).fails_from
        if fails_from is not None and fails_from > context.earliest_date:
            reachable[pair] = min(fails_from - timedelta(days=1), context.horizon_date)
    return reachable


def standards_of(states: States, pairs: Sequence[RuleOfSubject]) -> Standards:
    """Return the rules that the state with the most of each setting keeps, and how well."""
    most = _most(states)
    standards: dict[RuleOfSubject, Standard] = {}
    for pair in pairs:
        if states.fails_proof(pair, most):
            continue
        for standard in Standard:
            if not states.fails_bound(pair, most, standard):
                standards[pair] = standard
                break
    return standards


def _most(states: States) -> State:
    """Return the state with the most of each setting."""
    return {name: values[-1] for name, values in states.grids.items()}
