"""Work of a plan that is not done by its due day: what comes first, and when all of it is done."""

from __future__ import annotations

from mqcap.domain.plan import Plan, PlanVariant, WorkSchedule
from mqcap.judging.bound_dates import Standard
from mqcap.planning.compose import lasting
from mqcap.planning.context import State, is_mandatory
from mqcap.planning.evaluation import kept
from mqcap.planning.states import Standards, States
from mqcap.presentation.due_dates import done_date, hours_until


def with_schedule(plan: Plan, states: States, state: State, standards: Standards) -> Plan:
    """Return a plan with the schedule of its work, where its hours do not fit before its due day.

    Args:
        plan: The plan, with its due day.
        states: The states of its resource.
        state: The state that the plan leads to.
        standards: The rules that this state keeps.
    """
    week = states.context.facts.settings.plan.week_hours
    hours = plan.cost.work_hours
    done = done_date(plan.site_date, hours, week)
    if not plan.changes or done <= plan.due_date:
        return plan
    until_due = hours_until(plan.site_date, plan.due_date, week)
    mandatory = [pair for pair in standards if is_mandatory(states.context, pair)]
    pairs = mandatory or list(standards)
    first = _part(states, state, until_due)
    variant = PlanVariant()
    if first is not None:
        facts = states.facts(first)
        limits = dict.fromkeys(pairs, Standard.limit)
        kept_by = {pair: kept(states.context, pair, facts, limits[pair]) for pair in pairs}
        variant = PlanVariant(
            changes=states.changes(first),
            cost=states.cost(first),
            **lasting(facts, kept_by, limits),
        )
    schedule = WorkSchedule(
        hours_per_week=week,
        until=plan.due_date,
        done_date=done,
        first=variant,
        first_keeps=tuple(dict.fromkeys(pair.rule.id for pair in pairs)),
    )
    return plan.model_copy(update={"schedule": schedule})


def _part(states: States, state: State, hours: float) -> State | None:
    """Return the most of the last setting that these hours are enough for; ``None`` for none."""
    key = list(states.grids)[-1]
    values = states.grids[key]
    parts = [{**state, key: value} for value in values[1 : values.index(state[key])]]
    done = [part for part in parts if states.cost(part).work_hours <= hours]
    return done[-1] if done else None
