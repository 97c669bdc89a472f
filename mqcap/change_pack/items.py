"""Items of a change pack: one for each plan, one for each chosen finding without a plan."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Final, NamedTuple

from mqcap.change_pack.targets import (
    LOG_KEYS,
    LOGS,
    NewValue,
    values_of_findings,
    values_of_plan,
)
from mqcap.domain.finding import Finding, Severity
from mqcap.domain.metric import SERIES_SEPARATOR
from mqcap.domain.plan import Plan, PlanChange, PlanVariant
from mqcap.losses.model import Loss, NeededBy, needed_changes
from mqcap.losses.text.sentences import BESIDE_PLANS
from mqcap.presentation.dates import short_day
from mqcap.presentation.plan_summary import NOW
from mqcap.presentation.plans.cost import cost_text
from mqcap.presentation.summary_rows import plan_row
from mqcap.presentation.summary_words import condition_words, typed_words

URGENT: Final = frozenset({Severity.act, Severity.watch})


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
    return [_item(plan, findings, recommended=recommended) for plan in sorted(plans, key=_order)]


def items_of_losses(losses: Iterable[Loss], plans: Iterable[Plan]) -> list[PackItem]:
    """Return what losses need beside the plans, one item of each resource, by due day."""
    planned = tuple(change for plan in plans for change in plan.changes)
    needed = sorted(needed_changes(losses), key=lambda each: (each.due_date, each.resource))
    return [_item_of_loss(each, planned) for each in needed]


def _item_of_loss(needed: NeededBy, planned: tuple[PlanChange, ...]) -> PackItem:
    names = " and ".join(lost.rpartition(SERIES_SEPARATOR)[2] for lost in needed.lost)
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
            *([f"Only {condition_words(needed)}."] if needed.condition else []),
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
    variant = plan.tiers[-1] if recommended and plan.tiers else plan
    values = values_of_plan(variant.changes)
    if not plan.changes and not plan.is_feasible:
        judged, urgent = plan.judged, [each for each in findings if each.severity in URGENT]
        values = values_of_findings(
            each for each in urgent if (each.rule_id, each.subject) in judged
        )
    row = plan_row(plan, findings)
    owner = f", {plan.owner}" if plan.owner else ""
    due = row.due or "ended"
    changes = "; ".join(dict.fromkeys(change.sentence for change in variant.changes))
    option = next((each for each in row.options if each.parts == variant.cost), None)
    lasts = f", enough {option.lasts}" if option and option.lasts else ""
    passed = f" Now {row.now_of_limit}." if row.now_of_limit else ""
    return PackItem(
        heading=plan.label,
        entry=f"{due}{owner}: {plan.label}: {typed_words(variant) or row.change}",
        reasons=(
            f"{plan.label}: {row.story or f'{row.problem}.'}{passed}",
            f"Do {'' if due == NOW else 'by '}{due}{owner}: {changes or row.change}.",
            *([f"Only {condition_words(variant)}."] if variant.condition else []),
            f"Takes {cost_text(variant.cost)}{lasts}.",
            *row.check_first,
        ),
        variant=variant,
        values=tuple(values),
        due=plan.due_date,
    )


def _order(plan: Plan) -> tuple[date, int, str]:
    return plan.due_date, -plan.severity.rank, plan.resource
