"""Plans in words: the same lines in mail, command line, page and reports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from mqcap.domain.finding import Severity
from mqcap.domain.plan import (
    NotKept,
    Plan,
    PlanChange,
    PlanRule,
    PlanVariant,
    WorkSchedule,
)
from mqcap.domain.problem import Acknowledgement
from mqcap.presentation.dates import near_day, short_day
from mqcap.presentation.due_dates import late_text
from mqcap.presentation.labels import SEVERITY_LABELS
from mqcap.presentation.plans.cost import cost_text, takes_text
from mqcap.presentation.plans.lasting import (
    bound_text,
    lasts_text,
    sized_text,
    until_text,
    watch_text,
)

ANOTHER_QUEUE_MANAGER: Final = "another queue manager"
COST_OF_CAUSE: Final = "not known before the cause is found"
"""What it takes to mend the cause of what the console reported."""
BESIDE_PLAN: Final = "Not part of the plan, since hours and effect here are not known:"
"""What stands before an alternative."""
FIND_CAUSE: Final = "find the cause now"
FIND_CAUSE_OF_ENDED: Final = "find the cause"
NOTHING_TO_DO: Final = "nothing to do"
NO_SETTING: Final = "no setting keeps it"


def headline(plan: Plan) -> str:
    """Return the resource, its severity and what is wrong in one line."""
    return f"{plan.label}: {plan.severity.value.upper()}, {plan.summary}"


def plan_lines(plan: Plan) -> list[str]:
    """Return what is wrong, what to do, what it takes, alternatives, the smaller way."""
    lines = (headline(plan), *change_lines(plan), mandatory_text(plan))
    return list(filter(None, lines))


def change_lines(plan: Plan, *, with_bound: bool = True) -> list[str]:
    """Return what to do by when, what it takes for how long, and alternatives, one line each.

    ``with_bound`` names the bound of the forecast; a list of plans says it once (``bound_text``).
    """
    lines = [*_to_do(plan)]
    if plan.changes:
        lasts = lasts_text(plan, plan) if with_bound else until_text(plan, plan)
        takes = f"{takes_text(plan.cost)}; {lasts}."
        parts = (takes, watch_text(plan), schedule_text(plan), sized_text(plan))
        lines.append(" ".join(filter(None, parts)))
        lines += [f"{BESIDE_PLAN} {text}" for text in plan.alternatives]
    elif plan.is_cause_alone:
        lines.append(cause_text(plan))
    return lines


def change_in_brief(plan: Plan) -> str:
    """Return the first operand to be typed with the due day: ``16 x CYL(5825) by 5 Dec``.

    Where not all of the work is done by then, what is: ``900 channels: 300 channels by 5 Dec, all
    by 20 Dec``. What does in place of it comes last.
    """
    due = f"by {near_day(plan.due_date, plan.site_date)}"
    if not plan.changes:
        words = without_change_in_brief(plan)
        return f"{words}, decide {due}" if words == NO_SETTING else words
    schedule = plan.schedule
    if any(change.is_structural for change in plan.changes):
        if schedule is not None and not schedule.is_in_parts:
            return f"{ANOTHER_QUEUE_MANAGER} {due}, late: {_all_by(plan, schedule)}"
        return f"{ANOTHER_QUEUE_MANAGER} {due}"
    typed = list(dict.fromkeys(brief_text(change) for change in plan.changes))
    more = f" (+{len(typed) - 1})" if len(typed) > 1 else ""
    instead = f", or {plan.instead}" if plan.instead else ""
    if schedule is None:
        return f"{cause_first(plan)}{typed[0]}{more} {due}{instead}"
    done = _all_by(plan, schedule)
    if not schedule.is_in_parts:
        return f"{cause_first(plan)}{typed[0]}{more} {due}, late: {done}{instead}"
    first = typed_text(schedule.first) or "nothing"
    until = near_day(schedule.until, plan.site_date)
    return f"{typed[0]}{more}: {first} by {until}, {done}"


def _all_by(plan: Plan, schedule: WorkSchedule) -> str:
    return f"all by {near_day(schedule.done_date, plan.site_date)}"


def without_change_in_brief(plan: Plan) -> str:
    """Return what is to be done where a plan has no change, in a few words and without a day."""
    if plan.is_cause_alone:
        return FIND_CAUSE_OF_ENDED if plan.has_ended else FIND_CAUSE
    if plan.is_feasible:
        return NOTHING_TO_DO
    return "inputs missing" if plan.missing else NO_SETTING


def cause_first(plan: Plan) -> str:
    """Return what stands before typed operands where a cause is to be found; empty for none."""
    return "find the cause, then " if plan.cause else ""


def cause_text(plan: Plan) -> str:
    """Return what it takes to mend the cause of what happened, and what that does."""
    effect = f" Effect: {plan.event_effect}." if plan.event_effect else ""
    return f"Takes: {COST_OF_CAUSE}.{effect}"


def rule_text(rule: PlanRule, worst_rule: str = "") -> str:
    """Return a rule with and without the plan; that of ``worst_rule`` without its sentence."""
    if rule.before is rule.after is Severity.ok:
        return f"{rule.rule_id}, {rule.title}: OK with and without the plan."
    levels = f"{SEVERITY_LABELS[rule.before]} now, {SEVERITY_LABELS[rule.after]} with the plan"
    before = "" if rule.rule_id == worst_rule else f" Now: {rule.before_text}"
    after = f" Then: {rule.after_text}" if rule.after_text != rule.before_text else ""
    return f"{rule.rule_id}, {rule.title}: {levels}.{before}{after}"


def side_effects(plan: Plan) -> list[str]:
    """Return what else the changes do, and the rules of other resources that they make worse."""
    effects = [change.side_effects for change in plan.changes if change.side_effects]
    return [*dict.fromkeys(effects), *(f"makes worse: {rule}" for rule in plan.affected)]


def due_text(plan: Plan) -> str:
    """Return the due day with the owner, such as ``Do by 5 Dec 2026 (Payments MQ team)``.

    The cause of what the console reported is to be found now, unless it has ended. Where another
    rule than that of the summary sets the day, it is named. Of a plan that a loss needs earlier it
    names the loss, and the due day by its own rules.
    """
    owner = f" ({plan.owner})" if plan.owner else ""
    if plan.has_ended:
        return f"Ended{owner}"
    due = f"Do {'now' if plan.is_cause_alone else f'by {short_day(plan.due_date)}'}{owner}"
    if plan.needs_nothing:
        return f"No change needed up to {short_day(plan.horizon_date)}{owner}"
    if plan.own_due_date is None:
        is_other = plan.due_rule not in ("", plan.worst_rule)
        return f"{due}{f', set by {plan.due_rule}' if is_other else ''}{_late(plan)}"
    return (
        f"{due}, needed by the loss of {plan.needed_by_loss}, else {short_day(plan.own_due_date)}"
    )


def _late(plan: Plan) -> str:
    """Return that its limit may be passed before the first day on which it can be done."""
    first = plan.passed_from
    if first is None or first > plan.due_date or not plan.changes:
        return ""
    is_same = first == plan.due_date
    before = "on that day" if is_same else f"before that day, from {short_day(first)}"
    return f"; the limit may be passed {before}"


def acknowledged_text(acknowledgement: Acknowledgement) -> str:
    """Return who acknowledged, and until when where it ends: ``Acknowledged by anna``."""
    who = f" by {acknowledgement.who}" if acknowledgement.who else ""
    until = acknowledgement.until_date
    return f"Acknowledged{who}{f' until {short_day(until)}' if until else ''}"


def changes_text(plan: Plan) -> str:
    """Return what to do without the due day: the changes, else why there is none."""
    changes = (_change_with_rule(plan, change) for change in plan.changes)
    every = "; ".join(dict.fromkeys(changes))
    first = f"First {plan.cause}. Then: " if plan.cause else ""
    return f"{first}{every}" if every else without_change(plan)


def typed_text(variant: PlanVariant) -> str:
    """Return the changes as typed alone; each in words where ``brief_text`` is."""
    return "; ".join(dict.fromkeys(brief_text(change) for change in variant.changes))


def brief_text(change: PlanChange) -> str:
    """Return a change as it is typed; in words where nothing is typed, or no setting keeps it."""
    if change.is_structural:
        return f"{ANOTHER_QUEUE_MANAGER} for {change.typed}"
    return change.typed or change.text


def change_text(change: PlanChange) -> str:
    """Return a change with the operand to be typed."""
    return f"{change.text.rstrip('.')} [{change.typed}]" if change.typed else change.text


def decided_text(plan: Plan, change: PlanChange) -> str:
    """Return the rules that decide the amount of a change; empty where none is known.

    Such as ``decided by LOG-DAY-ACTIVE (recommended)``.
    """
    rules = {rule.rule_id: rule for rule in plan.rules}
    named = [rules[rule_id] for rule_id in change.decided_by if rule_id in rules]
    words = (f"{rule.rule_id} ({', '.join(_kept_as(rule))})" for rule in named)
    return f"decided by {' and '.join(words)}" if named else ""


def _kept_as(rule: PlanRule) -> Iterator[str]:
    yield "mandatory" if rule.is_mandatory else "recommended"
    if rule.level:
        yield rule.level


def schedule_text(plan: Plan) -> str:
    """Return what is done by the due day where not all of the work is; empty where it is."""
    if plan.schedule is None:
        return ""
    first = plan.schedule.first
    part = f"{typed_text(first)} ({cost_text(first.cost)})"
    return late_text(plan.schedule, part, plan.lasts_until)


def not_kept_text(not_kept: Iterable[NotKept]) -> str:
    """Return the rules that no setting keeps, from when they fail and the ways out, each once."""
    reasons: dict[str, list[str]] = {}
    for rule in not_kept:
        day = short_day(rule.fails_from)
        fails = f"{rule.rule_id} {'stays at Watch' if rule.is_watch_alone else f'fails from {day}'}"
        reasons.setdefault(rule.why.rstrip("."), []).append(fails)
    parts = "; ".join(f"{', '.join(fails)}: {why}" for why, fails in reasons.items())
    return f"Cannot be kept: {parts}." if parts else ""


def open_text(plan: Plan) -> str:
    """Return what a plan leaves open: rules that are not kept, else why it has no change."""
    return not_kept_text(plan.not_kept) if plan.changes else without_change(plan)


def _to_do(plan: Plan) -> list[str]:
    if plan.changes:
        parts = [f"{due_text(plan)}: {changes_text(plan)}.", not_kept_text(plan.not_kept)]
        notes = [f"{note}." for note in plan.notes]
        return [" ".join(filter(None, [*parts, *notes]))]
    if plan.is_cause_alone:
        return [f"{due_text(plan)}: {without_change(plan)}"]
    if plan.missing or plan.is_feasible:
        return [without_change(plan)]
    return [f"{due_text(plan)}: {without_change(plan)}"]


def without_change(plan: Plan) -> str:
    """Return why a plan has no change, or what is missing for one."""
    missing = ""
    if plan.missing and not plan.is_feasible:
        missing = f"No plan can be made for {plan.owner_subject}: {'; '.join(plan.missing)}."
    if plan.is_cause_alone:
        cause = plan.event_advice or "Find the cause of what the console reported."
        return f"{cause} {missing}".rstrip()
    if missing:
        return missing
    if plan.is_feasible:
        return _nothing_to_do(plan)
    return not_kept_text(plan.not_kept)


def _nothing_to_do(plan: Plan) -> str:
    """Return why nothing has to be done, and what would end the Watch of limits that are kept."""
    end = plan.to_end_watch
    if end is None:
        return "Nothing to do: what is planned or in place keeps its rules."
    watched = (rule.rule_id for rule in plan.rules if rule.before is Severity.watch)
    names = " and ".join(dict.fromkeys(watched))
    least = f"{typed_text(end)}, {cost_text(end.cost)}; {until_text(plan, end)}"
    return (
        f"Nothing to do up to {short_day(plan.horizon_date)}: {names} is at Watch for its headroom "
        f"alone, and no limit is passed up to then {bound_text(plan)}. Least that ends the Watch "
        f"of today: {least if end.changes else 'no setting does'}."
    )


def mandatory_text(plan: Plan, *, with_bound: bool = True) -> str:
    """Return what mandatory rules alone need, by when and at what cost; empty where it is all.

    ``with_bound`` is that of ``change_lines``.
    """
    variant = plan.mandatory_only
    if variant is None:
        return ""
    if not variant.changes:
        return "Mandatory only: nothing to change; no mandatory rule is due."
    decided = dict.fromkeys(decided_text(plan, change) for change in variant.changes)
    named = [typed_text(variant), *filter(None, decided)]
    cost = cost_text(variant.cost)
    lasting = lasts_text(plan, variant) if with_bound else until_text(plan, variant)
    due = f" by {short_day(variant.needed_by)}" if variant.needed_by else ""
    return f"Mandatory only{due}: {', '.join(named)}: {cost}; {lasting}."


def _change_with_rule(plan: Plan, change: PlanChange) -> str:
    parts = (change_text(change), decided_text(plan, change), _lasts_for_deciding(plan, change))
    return ", ".join(filter(None, parts))


def _lasts_for_deciding(plan: Plan, change: PlanChange) -> str:
    """Return until when the number of a structural change lasts for the rules that decide it.

    Empty for a setting, where it is as far as the forecast reaches, and where the plan lasts as
    long.
    """
    deciding = [rule for rule in plan.rules if rule.rule_id in change.decided_by]
    days = [rule.kept_until for rule in deciding if rule.kept_until is not None]
    if not change.is_structural or not days or min(days) == plan.lasts_until:
        return ""
    return f"for which it lasts until {short_day(min(days))}"
