"""Contexts of the resources of one distributed queue manager."""

from __future__ import annotations

from pathlib import Path

from mqcap.domain.plan import Plan
from mqcap.domain.resource import ResourceKind
from mqcap.judging.evaluate import judge_facts
from mqcap.planning.context import PlanContext, contexts_of
from mqcap.planning.make import plan_of, plans_of_day
from mqcap.whatif.comparison import Baseline
from mqcap.whatif.scenario import Scenario
from tests.mqcap.whatif.distributed import distributed_facts

BAD = {"watch", "act"}


def context_in(folder: Path, kind: ResourceKind, *left_out: str, **steady: float) -> PlanContext:
    """The context of one resource; some metrics are not measured, or do not rise."""
    facts = distributed_facts(folder, *left_out, **steady)
    contexts = contexts_of(facts, judge_facts(facts))
    return next(context for context in contexts if context.resource.kind is kind)


def plan_in(folder: Path, kind: ResourceKind, *left_out: str, **steady: float) -> Plan:
    """The plan of one resource."""
    return plan_of(context_in(folder, kind, *left_out, **steady))


def bad_results(folder: Path, kind: ResourceKind) -> tuple[set[str], set[str]]:
    """Rules of the resource at Watch or Act: as it is, and with its plan typed into what-if."""
    facts = distributed_facts(folder)
    plan = next(one for one in plans_of_day(facts, judge_facts(facts)) if one.kind == kind)
    own = {(rule.rule_id, rule.subject) for rule in plan.rules}
    before = {(v.finding.rule_id, v.finding.subject): v.finding for v in judge_facts(facts)}
    scenario = Scenario.model_validate({"configuration": plan.scenario_parts})
    still = {(each.rule_id, each.subject) for each in Baseline(facts).compare(scenario).still}
    return (
        {key[0] for key in own if key in before and before[key].severity.value in BAD},
        {key[0] for key in own & still},
    )
