"""A plan in a cell or an entry of a list: what is typed, and by when all of it is done."""

from __future__ import annotations

from mqcap.domain.plan import Plan
from mqcap.presentation.dates import short_day
from mqcap.presentation.plans.text import (
    NO_SETTING,
    NOTHING_TO_DO,
    cause_first,
    typed_text,
    without_change_in_brief,
)


def typed_by_day(plan: Plan) -> str:
    """Return the changes as typed alone; empty without any.

    Where not all of the work is done by the due day, what is, and by when all of it is:
    ``900 channels (300 channels by 5 Dec 2026, all by 20 Dec 2026)``; of a loss all alone.
    """
    typed = typed_text(plan)
    schedule = plan.schedule
    if not typed or schedule is None:
        return typed
    until, done = short_day(schedule.until), short_day(schedule.done_date)
    if not schedule.is_in_parts:
        return f"{typed} (all by {done}, not by {until})"
    first = typed_text(schedule.first) or "nothing"
    return f"{typed} ({first} by {until}, all by {done})"


def text_for_rule(plan: Plan, rule_id: str, subject: str) -> str:
    """Return in a few words what a plan does for one of its rules: the changes as typed.

    Of a rule that they miss, that no setting keeps it and from when on: the plan says what does.
    """
    missed = [each for each in plan.not_kept if (each.rule_id, each.subject) == (rule_id, subject)]
    if plan.changes and missed:
        below = " below Watch" if missed[0].is_watch_alone else ""
        day = "" if below else f" from {short_day(missed[0].fails_from)} on"
        return f"{NO_SETTING}{below}{day}"
    if plan.needs_nothing:
        return f"{NOTHING_TO_DO.capitalize()} up to {short_day(plan.horizon_date)}"
    if not plan.changes:
        return without_change_in_brief(plan)
    return f"{cause_first(plan)}{typed_by_day(plan)}"
