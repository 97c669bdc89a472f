"""Plans as they are told, and what they ask for when today's settings are not known."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqcap.domain.estate import Estate, QueueManager, Sysplex
from mqcap.domain.resource import ResourceKind
from mqcap.judging.evaluate import judge_facts
from mqcap.judging.inputs import Observed
from mqcap.planning.compose import plan_by_hand
from mqcap.planning.context import PlanContext, contexts_of
from mqcap.planning.make import plan_of
from mqcap.planning.settable import settable_of
from tests.mqcap.planning.builders import DAY, plan_of_active_log
from tests.mqcap.planning.estates import Load, facts_under
from tests.mqcap.rulebook.builders import new_store

BARE = Estate(
    sysplexes=(Sysplex(sysplex="PLEX1", qmgrs=(QueueManager.model_validate({"name": "CSQ1"}),)),)
)


@pytest.fixture(scope="module")
def contexts(tmp_path_factory: pytest.TempPathFactory) -> dict[ResourceKind, PlanContext]:
    engine = new_store(Path(tmp_path_factory.mktemp("compose")))
    facts = facts_under(Load(0.9, 0.85, 0.0005), engine)
    return {one.resource.kind: one for one in contexts_of(facts, judge_facts(facts))}


def without_inputs(context: PlanContext) -> PlanContext:
    """The context with nothing configured, and no figure that its rules or series state."""
    verdicts = tuple(
        verdict._replace(finding=verdict.finding.model_copy(update={"inputs": ()}))
        for verdict in context.verdicts
    )
    facts = context.facts._replace(observed=Observed([], DAY, 35), estate=BARE)
    return context._replace(verdicts=verdicts, facts=facts)


def test_a_resource_of_any_kind_without_its_inputs_says_what_to_type_into_the_settings(
    contexts: dict[ResourceKind, PlanContext],
) -> None:
    asked = {}
    for kind, context in contexts.items():
        settable = settable_of(kind)
        if settable is None:
            continue
        plan = plan_of(without_inputs(context))
        assert plan.missing == settable.needs != (), kind
        assert not plan.is_feasible, kind
        assert plan.changes == (), kind
        asked[kind.value] = plan.missing
    assert {"active_log", "recovery", "buffer_pool", "page_set", "structure"} <= asked.keys()
    assert asked["active_log"] == ("active_log_size_mib", "active_logs", "dual_logging")


def test_a_plan_without_typed_changes_states_what_each_rule_advises(
    contexts: dict[ResourceKind, PlanContext],
) -> None:
    plan = plan_by_hand(contexts[ResourceKind.buffer_pool], ("the buffers of the pool",))
    assert plan.missing == ("the buffers of the pool",)
    wrong = {one.rule_id for one in plan.not_kept}
    assert wrong
    assert all(one.why for one in plan.not_kept)
    assert wrong <= {one.rule_id for one in plan.rules}


def test_the_plan_names_the_resource_its_owner_and_its_worst_rule(tmp_path: Path) -> None:
    facts = facts_under(Load(0.9, 0.85, 0.0005), new_store(tmp_path))
    plan = plan_of_active_log(facts)
    assert plan is not None
    assert plan.owner_subject == "PLEX1/CSQ1"
    assert plan.worst_rule in {one.rule_id for one in plan.rules}
    assert plan.site_date == plan.made_on == DAY
    assert plan.site_date < plan.earliest_date <= plan.due_date
    assert plan.mandatory_only is not None
    assert plan.mandatory_only.cost.weighted < plan.cost.weighted
