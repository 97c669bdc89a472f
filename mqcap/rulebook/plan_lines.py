"""The plan of a finding's resource, for the explanation of the finding."""

from __future__ import annotations

from typing import Final

from mqcap.domain.finding import Finding
from mqcap.presentation.plan_text import change_lines
from mqcap.store.database import Store
from mqcap.store.plans import read_plans
from sizing.rulebook.registry import all_rules

OF_RULE_ALONE: Final = (
    "The change below is of this rule alone; type that of the plan, which is of all rules together."
)


def lines_of_plan(engine: Store, finding: Finding) -> list[str]:
    """Return what the plan of the finding's resource does and takes; empty without a plan.

    The last line says that the change after it, if there is one, is of the finding's rule alone.
    """
    rule = all_rules().get(finding.rule_id)
    if rule is None:
        return []
    path = rule.resource_of(finding.subject).path
    plans = read_plans(engine, finding.site_date)
    plan = next((plan for plan in plans if plan.resource == path), None)
    if plan is None:
        return []
    first, *rest = change_lines(plan)
    note = [OF_RULE_ALONE] if finding.changes else []
    return [f"Plan of the resource: {first}", *rest, *note]
