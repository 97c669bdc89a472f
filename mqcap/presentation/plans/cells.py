"""A plan in a cell or an entry of a list: what is typed for one of its rules."""

from __future__ import annotations

from mqcap.domain.plan import Plan
from mqcap.presentation.dates import short_day
from mqcap.presentation.plans.text import (
    NO_SETTING,
    cause_first,
    typed_text,
    without_change_in_brief,
)


def text_for_rule(plan: Plan, rule_id: str, subject: str) -> str:
    """Return in a few words what a plan does for one of its rules: the changes as typed.

    Of a rule that they miss, that no setting keeps it and from when on: the plan says what does.
    """
    missed = [each for each in plan.not_kept if (each.rule_id, each.subject) == (rule_id, subject)]
    if plan.changes and missed:
        return f"{NO_SETTING} from {short_day(missed[0].fails_from)} on"
    if not plan.changes:
        return without_change_in_brief(plan)
    return f"{cause_first(plan)}{typed_text(plan)}"
