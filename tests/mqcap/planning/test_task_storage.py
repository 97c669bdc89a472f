"""31-bit storage of tasks in the plans of one channel initiator."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from mqcap.domain.plan import Plan
from mqcap.domain.resource import ResourceKind
from mqcap.judging.bound_dates import Standard
from mqcap.judging.evaluate import DayFacts, Verdict, judge_facts
from mqcap.planning.context import PlanContext, contexts_of
from mqcap.planning.evaluation import facts_with, kept
from mqcap.planning.make import plan_of, plans_of_day
from mqcap.planning.task_storage import counting_tasks, judged_with_counted, storage_last
from tests.mqcap.planning.estates import CHINIT, Load, facts_under
from tests.mqcap.rulebook.builders import new_store

STORAGE = ResourceKind.chinit_storage_31bit
ADAPTERS, TASKS = ResourceKind.chinit_adapters, ResourceKind.chinit_tasks


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> DayFacts:
    """All 8 adapters in use, and 93.75 % of the 31-bit storage; forecasts outlast the horizon."""
    engine = new_store(tmp_path_factory.mktemp("tasks"))
    facts = facts_under(Load(0.1, 0.9375, 0.001), engine)
    plan = facts.settings.plan.model_copy(update={"horizon_days": 60})
    return facts._replace(settings=facts.settings.model_copy(update={"plan": plan}))


@pytest.fixture(scope="module")
def verdicts(facts: DayFacts) -> list[Verdict]:
    return [each for each in judge_facts(facts) if each.finding.subject == CHINIT]


@pytest.fixture(scope="module")
def planned(facts: DayFacts, verdicts: list[Verdict]) -> list[Plan]:
    return plans_of_day(facts, verdicts)


@pytest.fixture(scope="module")
def plans(planned: list[Plan]) -> dict[str, Plan]:
    return {each.kind: each for each in planned}


@pytest.fixture(scope="module")
def storage(facts: DayFacts, verdicts: list[Verdict]) -> PlanContext:
    return next(each for each in contexts_of(facts, verdicts) if each.resource.kind is STORAGE)


def first_failure(context: PlanContext, *plans: Plan) -> date | None:
    parts = [part for plan in plans for part in plan.scenario_parts]
    facts = facts_with(context._replace(counted=()), parts)
    days = (kept(context, pair, facts, Standard.ok).fails_from for pair in context.pairs)
    return min((day for day in days if day is not None), default=None)


def test_adapters_and_channels_of_one_day_keep_the_promised_day_together(
    plans: dict[str, Plan], storage: PlanContext
) -> None:
    channels, adapters, tasks = (plans[kind] for kind in (STORAGE, ADAPTERS, TASKS))
    assert channels.lasts_until is not None
    after = channels.lasts_until + timedelta(days=1)
    assert first_failure(storage, adapters, tasks, channels) == after
    assert f"; this counts the plan of {adapters.label} and {tasks.label}" in (
        channels.changes[0].text
    )
    assert [*channels.counted] == [*adapters.changes, *tasks.changes]
    assert (adapters.counted, tasks.counted) == ((), ())


def test_the_storage_plan_alone_promises_a_later_day_than_all_keep(
    plans: dict[str, Plan], storage: PlanContext
) -> None:
    counted = counting_tasks(storage, list(plans.values()))
    added = (*plans[ADAPTERS].scenario_parts, *plans[TASKS].scenario_parts)
    assert counted.counted == added
    alone = plan_of(storage)
    alone_fails = first_failure(storage, alone)
    together_fails = first_failure(storage, alone, plans[ADAPTERS], plans[TASKS])
    assert alone_fails is not None and together_fails is not None
    assert together_fails < alone_fails


def test_the_adapters_take_their_31_bit_storage(plans: dict[str, Plan]) -> None:
    """22 more x 150 KB / 1,024."""
    assert plans[ADAPTERS].settings == {(CHINIT, "adapters"): 30}
    assert plans[ADAPTERS].cost.chinit_31bit_mib == 3.22


def test_the_day_s_results_are_judged_with_what_is_counted(
    plans: dict[str, Plan], storage: PlanContext
) -> None:
    counted = counting_tasks(storage, list(plans.values()))
    rule = storage.pairs[0].rule.id

    def used_pct(context: PlanContext) -> float | None:
        [verdict] = (each for each in context.verdicts if each.finding.rule_id == rule)
        return verdict.finding.observed

    before, after = used_pct(storage), used_pct(judged_with_counted(counted))
    assert before is not None and after is not None and after > before
    assert counted.verdicts == storage.verdicts
    assert judged_with_counted(storage) is storage


def test_only_plans_of_the_same_channel_initiator_count(
    plans: dict[str, Plan], storage: PlanContext
) -> None:
    other = plans[ADAPTERS].model_copy(update={"owner_subject": "PLEX1/CSQ2"})
    assert counting_tasks(storage, [other, plans[STORAGE]]).counted == ()


def test_storage_is_planned_after_the_tasks_and_listed_by_path(
    facts: DayFacts, verdicts: list[Verdict], planned: list[Plan]
) -> None:
    assert storage_last(contexts_of(facts, verdicts))[-1].resource.kind is STORAGE
    paths = [each.resource for each in planned]
    assert paths == sorted(paths)
