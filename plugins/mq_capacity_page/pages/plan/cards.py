"""Plans as cards: what to change of a resource, by when, at what cost, and links from there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from mq_capacity_page.pages.whatif.further import parameters_of
from mq_capacity_page.web.page_frame import ViewModel
from mqcap.domain.plan import Plan, PlanVariant
from mqcap.domain.problem import Acknowledgement
from mqcap.domain.resource import ResourceKind
from mqcap.notifications.resources import resource_path
from mqcap.presentation.fleet import FleetLine

PlansByKey = Mapping[tuple[str, str], Plan]
"""The plan of the resource that a rule and subject are about."""


class PlanCard(ViewModel):
    """A plan, and the scenario that holds its changes."""

    plan: Plan
    scenario: dict[str, str]
    """Parameters of the what-if form; empty when nothing that the plan changes can be tried, and
    for a loss, which the page of losses tries together with its changes."""
    acknowledgement: Acknowledgement | None = None
    """That of the open problems of its resource; ``None`` unless each of them has one."""

    @classmethod
    def of(cls, plan: Plan, acknowledgement: Acknowledgement | None = None) -> PlanCard:
        """Return the card of a plan."""
        is_loss = plan.kind == ResourceKind.loss
        scenario = {} if is_loss else scenario_of(plan, plan, plan.due_date)
        return cls(plan=plan, scenario=scenario, acknowledgement=acknowledgement)


def scenario_of(plan: Plan, variant: PlanVariant, start: date) -> dict[str, str]:
    """Return the parameters of the what-if form with a set of changes, in force from ``start``.

    Changes of other plans that the plan counts are among them, so that figures agree.
    """
    return parameters_of(plan.tried(variant), start)


def plans_by_key(plans: Iterable[Plan], lines: Iterable[FleetLine]) -> PlansByKey:
    """Return the plan of the resource of each line that has one, by rule and subject."""
    by_resource = {plan.resource: plan for plan in plans}
    if not by_resource:
        return {}
    paths = {line.key: resource_path("/".join(line.key)) for line in lines}
    return {key: by_resource[path] for key, path in paths.items() if path in by_resource}


def plans_of_lines(
    plans: Sequence[Plan], lines: Iterable[FleetLine], of_line: PlansByKey
) -> list[tuple[Plan, bool]]:
    """Return the plans of the resources of these lines, and whether production depends on each.

    Production first, else in their order. ``of_line`` is what ``plans_by_key`` returns of them.
    """
    production: dict[str, bool] = {}
    for line in lines:
        plan = of_line.get(line.key)
        if plan is not None:
            production[plan.resource] = production.get(plan.resource, False) or line.is_production
    shown = [(plan, production[plan.resource]) for plan in plans if plan.resource in production]
    return sorted(shown, key=lambda pair: not pair[1])
