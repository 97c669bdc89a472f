"""Plans as programs read them: the same objects from ``mqcap plan --format json`` and REST API."""

from datetime import date

from pydantic import BaseModel, Field

from mqcap.domain.plan import (
    Plan,
    PlanDates,
    PlanEvidence,
    PlanReason,
    PlanRule,
    PlanTier,
    PlanTopic,
    PlanVariant,
)


class PlanRuleObject(PlanRule, serialize_by_alias=True):
    """A rule of the resource with and without the plan; its id has the key ``rule``."""

    rule_id: str = Field(serialization_alias="rule")


class PlanEvidenceObject(PlanEvidence):
    """What a plan is held against."""

    rules: tuple[PlanRuleObject, ...] = ()


class PlanObject(BaseModel):
    """The plan of one resource on one day."""

    form: str
    """``changes``, ``incident`` or ``inputs_missing``."""
    feasible: bool
    """True when the limits that the plan is about are kept until the horizon."""
    due: date | None
    """Last day to begin, the lead time before a limit breaks; ``None`` where nothing is to do."""
    about: PlanTopic
    dates: PlanDates
    reason: PlanReason
    evidence: PlanEvidenceObject
    base: PlanVariant
    tiers: tuple[PlanTier, ...] = ()
    options: tuple[PlanVariant, ...] = ()
    missing: tuple[str, ...] = ()
    cause: str = ""
    notes: tuple[str, ...] = ()
    advice: str = ""
    is_over: bool | None = None
    """Whether what happened is over; ``None`` for plans of what did not happen."""


def plan_object(plan: Plan) -> PlanObject:
    """Return a plan as programs read it."""
    rules = tuple(PlanRuleObject(**dict(rule)) for rule in plan.evidence.rules)
    values = dict(plan) | {
        "evidence": PlanEvidenceObject(**dict(plan.evidence) | {"rules": rules}),
        "feasible": plan.is_feasible,
        "due": None if plan.needs_nothing else plan.due_date,
    }
    return PlanObject(**values)
