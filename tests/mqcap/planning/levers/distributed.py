"""Contexts of the resources of one distributed queue manager."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from mqcap.domain.finding import Finding
from mqcap.domain.plan import Plan
from mqcap.domain.resource import ResourceKind
from mqcap.domain.subject import Subject
from mqcap.judging.evaluate import DayFacts, judge_facts
from mqcap.planning.context import PlanContext, contexts_of
from mqcap.planning.make import plan_of, plans_of_day
from mqcap.whatif.comparison import Baseline
from mqcap.whatif.scenario import Scenario
from tests.mqcap.whatif.distributed import distributed_facts

BAD = {"watch", "act"}


def plan_in(folder: Path, kind: ResourceKind, *left_out: str) -> Plan:
    """The plan of one resource; some metrics are not measured."""
    return plan_of(context_of(distributed_facts(folder, *left_out), kind))


def context_of(facts: DayFacts, kind: ResourceKind) -> PlanContext:
    """The context of one resource of a day."""
    contexts = contexts_of(facts, judge_facts(facts))
    return next(context for context in contexts if context.resource.kind is kind)


class SiteDay(NamedTuple):
    """A day of one distributed queue manager: what was found, its plans, and its what-if."""

    facts: DayFacts
    findings: dict[tuple[str, Subject], Finding]
    plans: list[Plan]
    baseline: Baseline

    @classmethod
    def measured(cls, folder: Path) -> SiteDay:
        """The day with every metric."""
        facts = distributed_facts(folder)
        verdicts = judge_facts(facts)
        found = {
            (verdict.finding.rule_id, verdict.finding.subject): verdict.finding
            for verdict in verdicts
        }
        return cls(facts, found, plans_of_day(facts, verdicts), Baseline(facts))

    def context(self, kind: ResourceKind) -> PlanContext:
        """The context of one resource."""
        return context_of(self.facts, kind)


def bad_results(day: SiteDay, kind: ResourceKind) -> tuple[set[str], set[str]]:
    """Rules of the resource at Watch or Act: as it is, and with its plan typed into what-if."""
    plan = next(one for one in day.plans if one.about.kind == kind)
    own = {(rule.rule_id, rule.subject) for rule in plan.evidence.rules}
    scenario = Scenario.model_validate({"configuration": plan.scenario_parts})
    still = {(each.rule_id, each.subject) for each in day.baseline.compare(scenario).still}
    before = {key for key in own & day.findings.keys() if day.findings[key].severity.value in BAD}
    return {rule_id for rule_id, _ in before}, {rule_id for rule_id, _ in own & still}
