"""A change pack: control statements for the plans of a day, as text to be reviewed.

Nothing here is ever executed. What only the site knows (data set names, volumes, job cards)
is written as ``++NAME++``, so that a statement fails until somebody has replaced it.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Final, NamedTuple

from mqcap.change_pack.logs import log_change, log_needs, log_statements, manager_after
from mqcap.change_pack.statements import (
    LOG_KEYS,
    LOGS,
    NewValue,
    needs_of,
    operands_of,
    statements,
    values_of_findings,
    values_of_plan,
)
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.estate import Estate
from mqcap.domain.finding import Finding
from mqcap.domain.numbers import counted
from mqcap.domain.plan import Plan, PlanChange, PlanVariant, total_cost
from mqcap.losses.cell import RULES_OF_LOSSES
from mqcap.losses.model import Loss, NeededBy, needed_changes
from mqcap.losses.text.as_plan import needed_text
from mqcap.losses.text.sentences import BESIDE_PLANS
from mqcap.operands.declared import TOPICS
from mqcap.presentation.dates import short_day
from mqcap.presentation.plan_summary import NOW
from mqcap.presentation.summary_rows import plan_row
from mqcap.presentation.summary_words import cost_text, typed_words
from mqcap.store.database import Store
from mqcap.store.findings import require_finding, require_findings
from mqcap.store.plans import read_losses, read_plans
from sizing.rulebook.registry import all_rules

WIDTH: Final = 71
"""Last column of a statement; 72 to 80 belong to continuation and sequence numbers."""
PREFIX: Final = "//* "
BY_HAND: Final = "//* by hand: no statement is typed for this"

_HEADER: Final = (
    "CHANGE PACK FOR REVIEW. It was never executed and never syntax-checked on z/OS.",
    "Replace everything between ++ and ++: data set names, volumes, job cards, policy names.",
    "Take the parts that you approve; nothing here is one job.",
    "DASD and storage that a change needs are its side effects: see that they exist first.",
)


def change_pack(
    engine: Store,
    estate: Estate,
    day: date,
    chosen: Sequence[tuple[str, str]] = (),
    *,
    recommended: bool = False,
    log_names: Mapping[str, tuple[str, ...]] | None = None,
) -> str:
    """Return statements for the plans of a day, or of the resources of (rule, subject) pairs.

    The notes on each kind of change are written once, before the plans. ``log_names`` are those of
    the console where the estate has others, by queue manager; the pack says so once for each. A day
    that was not evaluated and a chosen finding that does not exist are a ConfigurationError.
    """
    findings = require_findings(engine, day)
    plans = read_plans(engine, day)
    lost = {pair[1] for pair in chosen if pair[0].startswith(RULES_OF_LOSSES)}
    losses = [loss for loss in read_losses(engine, day) if not chosen or loss.lost in lost]
    planned = _items(findings, plans, chosen, recommended=recommended)
    items = [*planned, *items_of_losses(losses, plans)]
    summary = _summary(day, items, len(planned), losses, recommended=recommended)
    lines = [*_comment(_HEADER), *_comment(summary)]
    for topic in TOPICS:
        if any(topic in item.topics for item in items):
            lines += _notes(topic)
    console = log_names or {}
    for number, item in enumerate(items, 1):
        lines += _lines_of(number, item, estate, day, console)
    return "\n".join(lines)


def pairs(arguments: Sequence[str]) -> list[tuple[str, str]]:
    """Return ``RULE SUBJECT RULE SUBJECT ...`` as pairs; a ConfigurationError without a subject."""
    if len(arguments) % 2:
        raise ConfigurationError(
            "a rule comes without its subject",
            found=" ".join(arguments),
            expected="pairs such as LOG-FILL-30MIN PLEX1/CSQ1",
        )
    return list(zip(arguments[::2], arguments[1::2], strict=True))


def _items(
    findings: Sequence[Finding],
    plans: Sequence[Plan],
    chosen: Sequence[tuple[str, str]],
    *,
    recommended: bool,
) -> list[PackItem]:
    if not chosen:
        return items_of_plans(plans, findings, recommended=recommended)
    wanted = [require_finding(findings, *pair) for pair in dict.fromkeys(chosen)]
    own = [(finding, _plan_of(finding, plans)) for finding in wanted]
    resources = {plan.resource for _, plan in own if plan is not None}
    planned = [plan for plan in plans if plan.resource in resources]
    rest = (finding for finding, plan in own if plan is None)
    return [
        *items_of_plans(planned, findings, recommended=recommended),
        *(item_of_finding(item) for item in rest if not item.rule_id.startswith(RULES_OF_LOSSES)),
    ]


def _plan_of(finding: Finding, plans: Iterable[Plan]) -> Plan | None:
    rule = all_rules().get(finding.rule_id)
    path = rule.resource_of(finding.subject).path if rule is not None else ""
    judged = (finding.rule_id, finding.subject)
    return next((plan for plan in plans if plan.resource == path or judged in plan.judged), None)


def _summary(
    day: date,
    items: Sequence[PackItem],
    planned_count: int,
    losses: Iterable[Loss],
    *,
    recommended: bool,
) -> Iterator[str]:
    """Yield the day, what all changes take together, and their order; losses apart."""
    total = cost_text(total_cost(item.variant.cost for item in items[:planned_count]))
    part = ", with what is recommended" if recommended else ""
    yield f"Day: {day}; {counted(planned_count, 'resource')}{part}. Takes in all {total}."
    for_losses = needed_text(losses)
    if for_losses:
        yield for_losses
    if items:
        last = "; what losses need comes after the plans" if for_losses else ""
        yield f"Order: by due day{last}."
    yield from (f"{number}. {item.entry}" for number, item in enumerate(items, 1))


def _notes(topic: str) -> Iterator[str]:
    notes = TOPICS[topic]
    yield ""
    yield from _comment([f"-------- notes on {notes.name}: {notes.when} --------"])
    yield from _listed("operands", [*operands_of(topic)])
    yield from _listed("check first", notes.checks)
    yield from _listed("steps", notes.steps)
    yield from _listed("back out", notes.back_out)


def _lines_of(
    number: int, item: PackItem, estate: Estate, day: date, console: Mapping[str, tuple[str, ...]]
) -> Iterator[str]:
    yield ""
    yield from _comment([f"{'=' * 8} {number}. {item.heading} {'=' * 8}", *item.reasons])
    logs = []
    for change in item.log_changes:
        names = console.get(change.subject)
        if manager := estate.queue_manager(*change.subject.names):
            manager = manager.as_of(day)
        if manager is not None and names:
            other = f"active_log_names of the estate begin with {manager.active_log_names[0]}"
            found = f"the console names {names[0]} to {names[-1]}, used here"
            yield from _comment([f"CONTRADICTION: {found}; {other}: correct them."])
            manager = manager.model_copy(update={"active_log_names": names})
        logs.append(log_change(change, manager_after(manager, change.subject, item.after)))
    for log in logs:
        if log is not None:
            yield from _comment(log_needs(log))
            yield from log_statements(log)
    for new in item.values:
        yield from _comment(needs_of(new))
        yield from statements(new)
    if not item.values and not any(logs):
        yield BY_HAND


def _listed(heading: str, sentences: Sequence[str]) -> Iterator[str]:
    if sentences:
        yield from _comment([f"{heading}:"])
        yield from _comment(f"{number}. {line}" for number, line in enumerate(sentences, 1))


def _comment(sentences: Iterable[str]) -> Iterator[str]:
    """Yield JCL comments within the columns; a long sentence continues indented."""
    for sentence in sentences:
        width = WIDTH - len(PREFIX)
        for line in textwrap.wrap(sentence, width, subsequent_indent="  "):
            yield f"{PREFIX}{line}"


class PackItem(NamedTuple):
    """Something to change, with its reason."""

    heading: str
    entry: str
    """Line of the table of contents."""
    reasons: tuple[str, ...]
    variant: PlanVariant
    """Without changes and cost for a finding without a plan."""
    values: tuple[NewValue, ...]
    due: date | None = None
    """``None``: without a plan, or with nothing to do; both come last."""
    after: tuple[PlanChange, ...] = ()
    """Changes of plans that are made before it."""

    @property
    def log_changes(self) -> list[PlanChange]:
        """The changes of active logs."""
        return [change for change in self.variant.changes if LOG_KEYS & change.settings.keys()]

    @property
    def topics(self) -> list[str]:
        """Topics whose notes concern it."""
        logs = [LOGS] if self.log_changes else []
        return [*logs, *(new.target.topic for new in self.values)]


def items_of_plans(
    plans: Iterable[Plan], findings: Sequence[Finding], *, recommended: bool
) -> list[PackItem]:
    """Return the plans by due day; with ``recommended`` each with its largest tier."""
    ordered = sorted(plans, key=lambda plan: (plan.due_date, -plan.severity.rank, plan.resource))
    return [_item(plan, findings, recommended=recommended) for plan in ordered]


def items_of_losses(losses: Iterable[Loss], plans: Iterable[Plan]) -> list[PackItem]:
    """Return what losses need beside the plans, one item of each resource, by due day."""
    planned = tuple(change for plan in plans for change in plan.changes)
    needed = sorted(needed_changes(losses), key=lambda change: (change.due_date, change.resource))
    return [_item_of_loss(change, planned) for change in needed]


def _item_of_loss(needed: NeededBy, planned: tuple[PlanChange, ...]) -> PackItem:
    names = " and ".join(lost.name for lost in needed.lost)
    heading = f"{needed.label}, for the loss of {names}"
    owner = f", {needed.owner}" if needed.owner else ""
    changes = "; ".join(change.sentence for change in needed.changes)
    effects = (change.side_effects for change in needed.changes if change.side_effects)
    return PackItem(
        heading=heading,
        entry=f"{short_day(needed.due_date)}{owner}: {heading}: {typed_words(needed)}",
        reasons=(
            f"Do by {short_day(needed.due_date)}{owner}, {BESIDE_PLANS}: {changes}.",
            f"Takes {cost_text(needed.cost)}. Only if the loss is to be carried (mqcap lose).",
            *([f"Only if {needed.condition}."] if needed.condition else []),
            *(f"Side effects: {effect.rstrip('.')}." for effect in dict.fromkeys(effects)),
        ),
        variant=needed,
        values=tuple(values_of_plan(needed.changes)),
        due=needed.due_date,
        after=planned,
    )


def item_of_finding(finding: Finding) -> PackItem:
    """Return a chosen finding whose resource has no plan; its active logs get no statement."""
    changes = (f"change: {change.action} [{change.typed}]" for change in finding.changes)
    heading = f"{finding.rule_id} {finding.subject} ({finding.severity})"
    return PackItem(
        heading=heading,
        entry=f"no plan: {heading}",
        reasons=(
            finding.summary,
            f"source: {finding.citation}",
            *(list(changes) or [finding.advice]),
        ),
        variant=PlanVariant(),
        values=tuple(values_of_findings([finding])),
    )


def _item(plan: Plan, findings: Sequence[Finding], *, recommended: bool) -> PackItem:
    variant = plan.with_recommended if recommended else plan.base
    values = values_of_plan(variant.changes)
    if not plan.changes and not plan.is_feasible:
        values = values_of_findings(
            finding
            for finding in findings
            if finding.severity.is_urgent and (finding.rule_id, finding.subject) in plan.judged
        )
    row = plan_row(plan, findings)
    owner = f", {plan.about.owner}" if plan.about.owner else ""
    due = row.due or "ended"
    changes = "; ".join(dict.fromkeys(change.sentence for change in variant.changes))
    option = next((option for option in row.options if option.parts == variant.cost), None)
    is_more = variant is not plan.base
    lasts = f", enough {option.lasts}" if option and option.lasts else ""
    passed = f" Now {row.now_of_limit}." if row.now_of_limit else ""
    return PackItem(
        heading=plan.about.label,
        entry=f"{due}{owner}: {plan.about.label}: {typed_words(variant) or row.change}",
        reasons=(
            f"{plan.about.label}: {row.story or f'{row.problem}.'}{passed}",
            f"Do {'' if due == NOW else 'by '}{due}{owner}: {changes or row.change}.",
            *([f"Only if {variant.condition}."] if variant.condition else []),
            f"Takes {cost_text(variant.cost)}{lasts}.",
            *([f"Buys beyond the limits: {option.buys}."] if option and is_more else []),
            *row.check_first,
        ),
        variant=variant,
        values=tuple(values),
        due=plan.due_date,
    )
