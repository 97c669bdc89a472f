"""Plan of one resource: its changes, its rules with and without them, and what it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from mq_capacity_page.pages.plan.cards import PlanCard, scenario_of
from mq_capacity_page.queries import fleet_lines_on, plan_of_resource
from mq_capacity_page.web.context import PageContext
from mq_capacity_page.web.page_frame import ViewModel
from mqcap.domain.plan import PlanRule
from mqcap.notifications.acknowledged_resources import acknowledged_plans
from mqcap.presentation.fleet import FleetLine


class PlannedRule(ViewModel):
    """A rule of the plan, and its finding of the day."""

    rule: PlanRule
    line: FleetLine | None
    """``None`` for a rule that applies only once the plan is carried out."""


class PlanView(ViewModel):
    """The plan of one resource on a day."""

    card: PlanCard
    tier_scenario: dict[str, str]
    """Parameters of the what-if form for what is recommended; empty without such a tier."""
    rules: Sequence[PlannedRule]


def plan_view(context: PageContext, resource: str, day: date) -> PlanView | None:
    """Return the plan of a resource on a day; ``None`` when there is none."""
    plan = plan_of_resource(context, resource, day)
    if plan is None:
        return None
    lines = {line.key: line for line in fleet_lines_on(context, day)}
    acknowledged = acknowledged_plans(context.engine, [plan], day)
    return PlanView(
        card=PlanCard.of(plan, acknowledged.get(plan.resource)),
        tier_scenario=(scenario_of(plan, plan.tiers[0], plan.earliest_date) if plan.tiers else {}),
        rules=[
            PlannedRule(rule=rule, line=lines.get((rule.rule_id, rule.subject)))
            for rule in plan.rules
        ],
    )
