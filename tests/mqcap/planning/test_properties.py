"""Properties of plans over many estates, loads and growths."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mqcap.domain.plan import Plan
from mqcap.judging.evaluate import DayFacts, judge_facts
from mqcap.planning.make import plans_of_day
from mqcap.store.database import Store
from tests.mqcap.planning.estates import Load, facts_under
from tests.mqcap.planning.properties import (
    BAD,
    violations,
    wrong_values,
)
from tests.plan_factories import with_base

LOADS = st.builds(
    Load,
    log_mib_per_s=st.floats(0.02, 2.2),
    share=st.floats(0.2, 0.97),
    growth_per_day=st.floats(0.0, 0.003),
)


@pytest.fixture(scope="module")
def loaded(engine: Store) -> dict[float, list[Plan]]:
    """Plans of a quiet and of a loaded estate, by share in use."""
    return {share: plans_under(Load(0.9, share, 0.0005), engine)[1] for share in (0.2, 0.85)}


def plans_under(load: Load, engine: Store) -> tuple[DayFacts, list[Plan]]:
    facts = facts_under(load, engine)
    return facts, plans_of_day(facts, judge_facts(facts))


def violated(facts: DayFacts, plans: list[Plan], states: int) -> list[str]:
    return list(violations(facts, judge_facts(facts), plans, states))


@pytest.mark.thorough
def test_what_violates_a_property_is_found(engine: Store) -> None:
    facts, plans = plans_under(Load(0.9, 0.85, 0.0005), engine)
    [plan] = [item for item in plans if item.about.kind == "buffer_pool"]
    [change] = plan.changes
    nothing = with_base(plan, changes=())
    assert any("BP-FREE-15" in item for item in violated(facts, [nothing], 0))
    [old] = change.settings
    out_of_range = change.model_copy(update={"settings": {old: -1}})
    assert list(wrong_values(with_base(plan, changes=(out_of_range,))))
    dear = plan.base.cost.model_copy(update={"weighted": plan.base.cost.weighted * 2})
    assert violated(facts, [with_base(plan, cost=dear)], 6)


@pytest.mark.thorough
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(LOADS)
def test_plans_of_any_load_keep_what_they_claim(engine: Store, load: Load) -> None:
    facts, plans = plans_under(load, engine)
    assert violated(facts, plans, states=6) == []


def test_a_plan_is_made_only_where_a_rule_is_wrong(loaded: dict[float, list[Plan]]) -> None:
    for plans in loaded.values():
        assert all(plan.severity in BAD for plan in plans)
        assert all(any(rule.before in BAD for rule in plan.evidence.rules) for plan in plans)
        assert len({plan.resource for plan in plans}) == len(plans)
    assert len(loaded[0.2]) < len(loaded[0.85])


def test_each_kind_of_resource_has_feasible_changes(loaded: dict[float, list[Plan]]) -> None:
    assert {plan.about.kind for plan in loaded[0.85]} == {
        "active_log", "buffer_pool", "chinit_storage_31bit", "chinit_storage_64bit",
        "coupling_facility", "page_set", "smds", "structure",
    }  # fmt: skip
    for plan in loaded[0.85]:
        assert plan.is_feasible, (plan.resource, plan.evidence.not_kept, plan.missing)
        assert plan.changes, plan.resource
        assert plan.base.cost.weighted > 0


def test_both_copies_of_a_structure_get_the_same_size(loaded: dict[float, list[Plan]]) -> None:
    [plan] = [plan for plan in loaded[0.85] if plan.about.kind == "structure"]
    assert {change.subject.split("/")[1] for change in plan.changes} == {"CF01", "CF02"}
    assert len({str(change.settings) for change in plan.changes}) == 1
    size = plan.changes[0].settings["structure_size_mib"]
    assert isinstance(size, int | float)
    assert plan.base.cost.cf_storage_mib == 2 * (size - 512)
