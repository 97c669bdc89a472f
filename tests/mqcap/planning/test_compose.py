"""Plans as they are stated, and what they ask for when today's settings are not known."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from mqcap.domain.crossing import CrossingState
from mqcap.domain.estate import Estate, QueueManager, Sysplex
from mqcap.domain.finding import Severity
from mqcap.domain.resource import ResourceKind
from mqcap.judging.evaluate import Verdict, judge_facts
from mqcap.judging.observed import Observed
from mqcap.planning.compose import plan_by_hand
from mqcap.planning.context import PlanContext, contexts_of
from mqcap.planning.due_dates import asks_for_change
from mqcap.planning.make import plan_of
from mqcap.planning.settable import settable_of
from tests.factories import crossing, finding
from tests.mqcap.planning.builders import DAY, facts_of, plan_of_active_log
from tests.mqcap.planning.estates import Load, facts_under
from tests.mqcap.rulebook.builders import new_store

BARE = Estate(
    sysplexes=(Sysplex(sysplex="PLEX1", qmgrs=(QueueManager.model_validate({"name": "CSQ1"}),)),)
)


@pytest.fixture(scope="module")
def contexts(tmp_path_factory: pytest.TempPathFactory) -> dict[ResourceKind, PlanContext]:
    engine = new_store(Path(tmp_path_factory.mktemp("compose")))
    facts = facts_under(Load(0.9, 0.85, 0.0005), engine)
    return {context.resource.kind: context for context in contexts_of(facts, judge_facts(facts))}


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
    contexts: dict[ResourceKind, PlanContext],
) -> None:
    plan = plan_by_hand(contexts[ResourceKind.buffer_pool], ("the buffers of the pool",))
    assert plan.missing == ("the buffers of the pool",)
    wrong = {item.rule_id for item in plan.not_kept}
    assert wrong
    assert all(item.why for item in plan.not_kept)
    assert wrong <= {rule.rule_id for rule in plan.rules}


@pytest.mark.thorough
def test_the_plan_names_the_resource_its_owner_and_its_worst_rule(tmp_path: Path) -> None:
    facts = facts_under(Load(0.9, 0.85, 0.0005), new_store(tmp_path))
    plan = plan_of_active_log(facts)
    assert plan is not None
    assert plan.owner_subject == "PLEX1/CSQ1"
    assert plan.worst_rule in {rule.rule_id for rule in plan.rules}
    assert plan.site_date == plan.made_on == DAY
    assert plan.site_date < plan.earliest_date <= plan.due_date
    assert plan.mandatory_only is not None
    assert plan.mandatory_only.cost.weighted < plan.cost.weighted


@pytest.mark.thorough
@pytest.mark.parametrize(("growth_per_day", "is_at_watch"), [(0.001, False), (0.002, True)])
def test_a_rule_that_the_largest_logs_do_not_keep_below_watch_has_the_day_and_the_reason(
    tmp_path: Path, growth_per_day: float, is_at_watch: bool
) -> None:
    plan = plan_of_active_log(facts_of(tmp_path, 1.2, growth_per_day=growth_per_day))
    assert plan is not None
    assert plan.changes
    [fill] = [rule for rule in plan.rules if rule.rule_id == "LOG-FILL-30MIN"]
    assert fill.level == ("limit 30 min" if is_at_watch else "Watch below 45 min")
    assert (fill.watch_why == "CYL(5825) is the largest log") is is_at_watch
    assert (fill.watch_from is not None) is is_at_watch
    if fill.watch_from is not None:
        assert plan.earliest_date < fill.watch_from <= plan.horizon_date


def verdict(rule_id: str, **changed: Any) -> Verdict:
    """A result of a rule of the active logs that is not wrong unless changed, with no date."""
    values: dict[str, Any] = {
        "severity": Severity.ok,
        "breach": False,
        "headroom_ratio": 0.5,
    } | changed
    return Verdict(finding(rule_id=rule_id, statement=f"on {rule_id}.", **values), None)


def crossing_in(days: int, **changed: Any) -> Verdict:
    """A result whose limit is passed after so many days at the earliest."""
    later = verdict("LOG-RUNWAY-12H", **changed)
    dates = {"earliest_date": DAY + timedelta(days=days), "expected_date": None}
    return later._replace(crossing=crossing(later.finding, state=CrossingState.will_cross, **dates))


NEAR = verdict("LOG-DAY-ACTIVE", severity=Severity.watch, headroom_ratio=0.1)
ROSE = verdict("LOG-RATE-MBH", severity=Severity.watch, breach=True, headroom_ratio=None)
OVER = verdict("LOG-COUNT-MIN", severity=Severity.watch, breach=True, headroom_ratio=-0.1)


@pytest.mark.parametrize(
    ("verdicts", "due_after_days", "due_rule"),
    [
        ((NEAR,), 179, ""),
        ((NEAR, crossing_in(100)), 99, "LOG-RUNWAY-12H"),
        ((crossing_in(200),), 199, "LOG-RUNWAY-12H"),
        ((NEAR, crossing_in(3)), 14, "LOG-RUNWAY-12H"),
        ((NEAR, ROSE), 179, ""),
        ((NEAR, OVER), 14, "LOG-COUNT-MIN"),
        ((OVER, crossing_in(3)), 14, "LOG-COUNT-MIN"),
    ],
)
def test_a_plan_is_due_before_the_first_limit_is_passed_that_a_setting_can_keep(
    contexts: dict[ResourceKind, PlanContext],
    verdicts: tuple[Verdict, ...],
    due_after_days: int,
    due_rule: str,
) -> None:
    earliest: date = DAY + timedelta(days=14)
    context = contexts[ResourceKind.active_log]._replace(
        verdicts=verdicts, earliest_date=earliest, horizon_date=DAY + timedelta(days=180)
    )
    plan = plan_by_hand(context, ())
    assert plan.due_date == DAY + timedelta(days=due_after_days)
    assert plan.due_rule == due_rule


def test_a_plan_is_named_after_the_rule_that_supersedes_the_others(
    contexts: dict[ResourceKind, PlanContext],
) -> None:
    worse = verdict(
        "LOG-FILL-30MIN",
        severity=Severity.watch,
        headroom_ratio=0.01,
        superseded_by="LOG-RUNWAY-12H",
    )
    leading = verdict("LOG-RUNWAY-12H", severity=Severity.watch, headroom_ratio=0.1)
    context = contexts[ResourceKind.active_log]
    both = context._replace(verdicts=(verdict("LOG-COUNT-MIN"), worse, leading))
    assert plan_by_hand(both, ()).worst_rule == "LOG-RUNWAY-12H"
    alone = context._replace(verdicts=(verdict("LOG-COUNT-MIN"), worse))
    assert plan_by_hand(alone, ()).worst_rule == "LOG-FILL-30MIN"


def test_a_plan_is_named_after_what_is_over_its_limit_before_what_is_only_forecast(
    contexts: dict[ResourceKind, PlanContext],
) -> None:
    over = verdict(
        "LOG-DAY-ACTIVE",
        severity=Severity.watch,
        breach=True,
        headroom_ratio=-0.4,
        superseded_by="LOG-RUNWAY-12H",
    )
    later = crossing_in(280, severity=Severity.watch, headroom_ratio=0.1)
    context = contexts[ResourceKind.active_log]
    assert plan_by_hand(context._replace(verdicts=(later, over)), ()).worst_rule == "LOG-DAY-ACTIVE"
    act = crossing_in(20, severity=Severity.act, headroom_ratio=0.1)
    assert plan_by_hand(context._replace(verdicts=(over, act)), ()).worst_rule == "LOG-RUNWAY-12H"
    own_past = context._replace(verdicts=(later, ROSE))
    assert plan_by_hand(own_past, ()).worst_rule == "LOG-RUNWAY-12H"


def beyond(severity: Severity = Severity.watch) -> Verdict:
    """A result near its limit, which is not passed within a year."""
    kept = verdict("LOG-DAY-ACTIVE", severity=severity, headroom_ratio=0.1)
    state = CrossingState.not_within_horizon
    return kept._replace(crossing=crossing(kept.finding, state=state, earliest_date=None))


@pytest.mark.parametrize(
    ("result", "asks"),
    [
        (NEAR, True),
        (OVER, True),
        (ROSE, False),
        (beyond(), False),
        (beyond(Severity.act), True),
        (crossing_in(179), True),
        (crossing_in(180), True),
        (crossing_in(181), False),
        (crossing_in(181, severity=Severity.watch), False),
    ],
)
def test_a_limit_that_is_not_passed_up_to_the_horizon_asks_for_no_change_at_watch(
    result: Verdict, asks: bool
) -> None:
    assert asks_for_change(result, DAY + timedelta(days=180)) is asks
