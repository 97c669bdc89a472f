"""What is done first of a plan whose hours do not fit before its due day."""

from __future__ import annotations

from datetime import timedelta

import pytest

from mqcap.domain.plan import Plan, PlanCost
from mqcap.domain.resource import ResourceKind
from mqcap.judging.bound_dates import Standard
from mqcap.judging.evaluate import judge_facts
from mqcap.planning.context import contexts_of
from mqcap.planning.levers.chinit_storage_31bit import CHINIT_STORAGE_31BIT
from mqcap.planning.states import States
from mqcap.planning.work_schedule import with_schedule
from tests.factories import DAY
from tests.mqcap.planning.estates import Load, facts_under
from tests.mqcap.rulebook.builders import new_store
from tests.plan_factories import plan

STATE = {"channels_moved": 2_000}
"""2 h of the change and 0.1 h for each channel: 202 h."""


@pytest.fixture(scope="module")
def states(tmp_path_factory: pytest.TempPathFactory) -> States:
    facts = facts_under(Load(0.9, 0.85, 0.0005), new_store(tmp_path_factory.mktemp("work")))
    [context] = [
        context
        for context in contexts_of(facts, judge_facts(facts))
        if context.resource.kind is ResourceKind.chinit_storage_31bit
    ]
    return States(context, CHINIT_STORAGE_31BIT, {"channels_moved": 0})


def scheduled(states: States, due_after_days: int) -> Plan:
    made = plan(cost=PlanCost(work_hours=202), due_date=DAY + timedelta(days=due_after_days))
    standards = dict.fromkeys(states.context.pairs, Standard.limit)
    return with_schedule(made, states, STATE, standards)


@pytest.mark.parametrize(("due_after_days", "is_late"), [(35, True), (36, False), (37, False)])
def test_hours_that_fit_before_the_due_day_need_no_schedule(
    states: States, due_after_days: int, is_late: bool
) -> None:
    """40 h a week are 200 h in 35 days and 205.7 h in 36."""
    assert (scheduled(states, due_after_days).schedule is not None) is is_late


def test_the_most_that_is_done_by_the_due_day_comes_first_with_the_limits_that_it_keeps(
    states: States,
) -> None:
    """In 14 days 80 h are 780 channels; 202 h are 35.35 days."""
    schedule = scheduled(states, 14).schedule
    assert schedule is not None
    [change] = schedule.first.changes
    assert change.settings == {"channels_moved": 780}
    assert schedule.first.cost.work_hours == 80
    assert (schedule.until, schedule.done_date) == (
        DAY + timedelta(days=14),
        DAY + timedelta(days=36),
    )
    assert schedule.first_keeps == ("CHI-80-31BIT",)
    earliest = states.context.earliest_date
    assert schedule.first.lasts_until == earliest - timedelta(days=1)


@pytest.mark.parametrize(("days", "moved"), [(0, None), (1, 37)])
def test_where_no_part_is_done_by_the_due_day_nothing_comes_first(
    states: States, days: int, moved: int | None
) -> None:
    """40 h a week are 5.71 h a day: 37 channels."""
    schedule = scheduled(states, days).schedule
    assert schedule is not None
    found = [change.settings["channels_moved"] for change in schedule.first.changes]
    assert found == ([] if moved is None else [moved])


def test_a_plan_without_changes_has_no_schedule(states: States) -> None:
    nothing = plan(changes=(), cost=PlanCost(work_hours=500), due_date=DAY)
    assert with_schedule(nothing, states, {"channels_moved": 0}, {}) == nothing
