"""Plans as they are stated, and what they ask for when today's settings are not known."""

from typing import Any

from mqcap.domain.estate import Estate, QueueManager, Sysplex
from mqcap.domain.finding import Severity
from mqcap.domain.plan import InputsMissing
from mqcap.domain.resource import ResourceKind
from mqcap.judging.evaluate import Verdict
from mqcap.judging.observed import Observed
from mqcap.planning.compose import plan_by_hand
from mqcap.planning.context import PlanContext
from mqcap.planning.make import plan_of
from mqcap.planning.settable import settable_of
from tests.factories import finding
from tests.mqcap.planning.builders import DAY
from tests.mqcap.planning.conftest import ContextByKind

BARE = Estate(
    sysplexes=(Sysplex(sysplex="PLEX1", qmgrs=(QueueManager.model_validate({"name": "CSQ1"}),)),)
)


def without_inputs(context: PlanContext) -> PlanContext:
    """The context with nothing configured, and no figure that its rules or series state."""
    verdicts = tuple(
        verdict._replace(finding=verdict.finding.model_copy(update={"inputs": ()}))
        for verdict in context.verdicts
    )
    facts = context.facts._replace(observed=Observed([], DAY, 35), estate=BARE)
    return context._replace(verdicts=verdicts, facts=facts)


def test_a_resource_of_any_kind_without_its_inputs_says_what_to_type_into_the_settings(
    contexts: ContextByKind,
) -> None:
    asked = {}
    for kind, context in contexts.items():
        settable = settable_of(kind)
        if settable is None:
            continue
        plan = plan_of(without_inputs(context))
        assert [one.partition(": ")[0] for one in plan.missing] == [*settable.needs] != [], kind
        assert not plan.is_feasible, kind
        assert plan.changes == (), kind
        asked[kind.value] = plan.missing
    assert {"active_log", "recovery", "buffer_pool", "page_set", "structure"} <= asked.keys()
    assert asked["active_log"][1] == (
        "active_logs: set active_logs of this subject in the estate (see DISPLAY LOG)"
    )
    assert asked["log_writing"][0].startswith("outbuff_kb: set outbuff_kb of this subject")


def test_a_plan_without_typed_changes_states_what_each_rule_advises(
    contexts: ContextByKind,
) -> None:
    plan = plan_by_hand(contexts[ResourceKind.buffer_pool], (), ("the buffers of the pool",))
    assert isinstance(plan, InputsMissing)
    assert plan.missing == ("the buffers of the pool",)
    wrong = {item.rule_id for item in plan.evidence.not_kept}
    assert wrong
    assert all(item.why for item in plan.evidence.not_kept)
    assert wrong <= {rule.rule_id for rule in plan.evidence.rules}


def test_what_is_near_a_limit_that_its_bound_keeps_needs_nothing_by_hand(
    contexts: ContextByKind,
) -> None:
    context = contexts[ResourceKind.active_log]
    near = context._replace(verdicts=(verdict("LOG-COUNT-MIN", severity=Severity.watch),))
    assert plan_by_hand(near, near.pairs).needs_nothing
    over = context._replace(
        verdicts=(verdict("LOG-COUNT-MIN", severity=Severity.act, breach=True),)
    )
    assert [each.fails_from for each in plan_by_hand(over, ()).evidence.not_kept] == [DAY]


def verdict(rule_id: str, **changed: Any) -> Verdict:
    """A result of a rule of the active logs that is not wrong unless changed, with no date."""
    values = {"severity": Severity.ok, "breach": False, "headroom_ratio": 0.5, **changed}
    return Verdict(finding(rule_id=rule_id, statement=f"on {rule_id}.", **values), None)


def test_a_plan_is_named_after_the_rule_that_supersedes_the_others(
    contexts: ContextByKind,
) -> None:
    watch = {"severity": Severity.watch, "headroom_ratio": 0.01}
    worse = verdict("LOG-FILL-30MIN", **watch, superseded_by="LOG-RUNWAY-12H")
    leading = verdict("LOG-RUNWAY-12H", **watch | {"headroom_ratio": 0.1})
    context = contexts[ResourceKind.active_log]
    both = context._replace(verdicts=(verdict("LOG-COUNT-MIN"), worse, leading))
    assert plan_by_hand(both, both.pairs).reason.rule_id == "LOG-RUNWAY-12H"
    alone = context._replace(verdicts=(verdict("LOG-COUNT-MIN"), worse))
    assert plan_by_hand(alone, alone.pairs).reason.rule_id == "LOG-FILL-30MIN"
