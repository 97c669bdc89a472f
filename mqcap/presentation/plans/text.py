"""Plans in words: the same lines in mail, command line, page and reports."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import date
from typing import Final

from mqcap.domain.finding import Severity
from mqcap.domain.plan import (
    NotKept,
    Plan,
    PlanChange,
    PlanRule,
    PlanTier,
    PlanVariant,
)
from mqcap.domain.problem import Acknowledgement
from mqcap.presentation.dates import near_day, short_day
from mqcap.presentation.labels import SEVERITY_LABELS
from mqcap.presentation.plans.cost import cost_text, takes_text
from mqcap.presentation.plans.lasting import (
    lasts_text,
    sized_text,
    until_text,
)

COST_OF_CAUSE: Final = "not known before the cause is found"
"""What it takes to mend the cause of what the console reported."""
FIND_CAUSE: Final = "find the cause now"
FIND_CAUSE_OF_ENDED: Final = "find the cause"
AS_SOON_AS_POSSIBLE: Final = "as soon as possible"
NOTHING_TO_DO: Final = "nothing to do"
NO_SETTING: Final = "no setting keeps it"


def headline(plan: Plan) -> str:
    """Return the resource, its severity and what is wrong in one line."""
    return f"{plan.label}: {plan.severity.value.upper()}, {plan.summary}"


def plan_lines(plan: Plan) -> list[str]:
    """Return what is wrong, what to do, what it takes, what more buys, what does instead."""
    return [headline(plan), *change_lines(plan), *tier_lines(plan), *option_lines(plan)]


def change_lines(plan: Plan, *, with_bound: bool = True) -> list[str]:
    """Return what to do by when, what it takes for how long, and alternatives, one line each.

    ``with_bound`` names the bound of the forecast; a list of plans says it once (``bound_text``).
    """
    lines = [*_to_do(plan)]
    if plan.changes:
        lasts = lasts_text(plan, plan) if with_bound else until_text(plan, plan)
        takes = f"{takes_text(plan.cost)}; {lasts}."
        lines.append(" ".join(filter(None, (takes, sized_text(plan)))))
    elif plan.is_cause_alone:
        lines.append(f"Takes: {COST_OF_CAUSE}.")
    return lines


def change_in_brief(plan: Plan) -> str:
    """Return the first operand to be typed with the due day: ``13 x CYL(5825) by 5 Dec``."""
    due = when_text(plan, near_day)
    if not plan.changes:
        words = without_change_in_brief(plan)
        return f"{words}, decide {due}" if words == NO_SETTING else words
    typed = list(dict.fromkeys(brief_text(change) for change in plan.changes))
    more = f" (+{len(typed) - 1})" if len(typed) > 1 else ""
    return f"{cause_first(plan)}{typed[0]}{more} {due}"


def when_text(plan: Plan, shown: Callable[[date, date], str] | None = None) -> str:
    """Return when to begin: ``by 5 Dec 2026``, or ``as soon as possible``."""
    if plan.is_due_at_once:
        return AS_SOON_AS_POSSIBLE
    day = shown(plan.due_date, plan.site_date) if shown else short_day(plan.due_date)
    return f"by {day}"


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
    """Return when to begin, with the owner: ``Begin by 5 Dec 2026 (Payments MQ team)``.

    It names the day on which a limit breaks.
    """
    owner = f" ({plan.owner})" if plan.owner else ""
    if plan.has_ended:
        return f"Ended{owner}"
    if plan.is_cause_alone:
        return f"Do now{owner}"
    breaks = ""
    if plan.breaks_on is not None and plan.breaks_on > plan.site_date:
        breaks = f"; {plan.due_rule} breaks on {short_day(plan.breaks_on)}"
    when = when_text(plan)
    return f"{'Do' if plan.is_due_at_once else 'Begin'} {when}{owner}{breaks}"


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
    first += f"If {plan.condition}: " if plan.condition else ""
    return f"{first}{every}" if every else without_change(plan)


def typed_text(variant: PlanVariant) -> str:
    """Return the changes as typed alone; each in words where ``brief_text`` is."""
    return "; ".join(dict.fromkeys(brief_text(change) for change in variant.changes))


def brief_text(change: PlanChange) -> str:
    """Return a change as it is typed; in words where nothing is typed."""
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
    yield from filter(None, (rule.level,))


def not_kept_text(not_kept: Iterable[NotKept]) -> str:
    """Return the rules that no setting keeps, from when they fail and the ways out, each once."""
    reasons: dict[str, list[str]] = {}
    for rule in not_kept:
        fails = f"{rule.rule_id} fails from {short_day(rule.fails_from)}"
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
        return "Nothing to do: what is planned or in place keeps its limits."
    return not_kept_text(plan.not_kept)


def tier_lines(plan: Plan) -> list[str]:
    """Return a line for each tier: what more is typed, what it buys, and what all of it takes."""
    return [
        f"Recommended: {typed_text(tier)} buys {buys_text(plan, tier)} ({cost_text(tier.cost)})"
        for tier in plan.tiers
    ]


def buys_text(plan: Plan, tier: PlanTier) -> str:
    """Return the recommended rules that a tier keeps, with their limits."""
    titles = {rule.rule_id: rule.title for rule in plan.rules}
    every = (f"{titles.get(end.rule_id, end.rule_id)} ({end.level})" for end in tier.buys)
    return " and ".join(every)


def option_lines(plan: Plan) -> list[str]:
    """Return a line for each change that does instead."""
    return [_option_text(option) for option in plan.options]


def _option_text(option: PlanVariant) -> str:
    condition = f", if {option.condition}" if option.condition else ""
    last = option.lasts_until
    until = f"; until {short_day(last)}" if last else ""
    effect = f"; {option.effect}" if option.effect else ""
    cost = cost_text(option.cost)
    return f"Or {typed_text(option)}{condition}: {cost}{effect}{until}."


def _change_with_rule(plan: Plan, change: PlanChange) -> str:
    return ", ".join(filter(None, (change_text(change), decided_text(plan, change))))
