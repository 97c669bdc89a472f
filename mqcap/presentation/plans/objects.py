"""Plans as programs read them: the same objects from ``mqcap plan --format json`` and REST API."""

from __future__ import annotations

from datetime import date

from pydantic import Field

from mqcap.domain.plan import Plan, PlanRule


class PlanRuleObject(PlanRule, serialize_by_alias=True):
    """A rule of the resource with and without the plan; its id has the key ``rule``."""

    rule_id: str = Field(serialization_alias="rule")


class PlanObject(Plan, serialize_by_alias=True):
    """The plan of one resource on one day; its due day is also under the key ``due``."""

    rules: tuple[PlanRuleObject, ...] = ()
    feasible: bool
    """True when the limits that the plan is about are kept until the horizon."""
    due: date | None
    """Last day to begin, the lead time before a limit breaks; ``None`` where nothing is to do."""


def plan_object(plan: Plan) -> PlanObject:
    """Return a plan as programs read it."""
    values = {name: getattr(plan, name) for name in Plan.model_fields if name != "rules"}
    rules = tuple(PlanRuleObject(**dict(rule)) for rule in plan.rules)
    due = None if plan.needs_nothing else plan.due_date
    return PlanObject(**values, rules=rules, feasible=plan.is_feasible, due=due)
