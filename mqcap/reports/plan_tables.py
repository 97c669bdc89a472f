"""Tables of plans: one row for each plan with its cost as figures, and the totals."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from typing import Final, NamedTuple

from mqcap.domain.numbers import figure
from mqcap.domain.plan import Plan, PlanCost, PlanVariant, total_cost
from mqcap.domain.problem import Acknowledgement
from mqcap.presentation.plans.text import acknowledged_text, buys_text, changes_text, typed_text
from mqcap.reports.document import (
    Cell,
    Column,
    Table,
    amount_cell,
    count_cell,
    day_cell,
    text_cell,
)
from mqcap.reports.tables import severity_cell

_PRODUCTION: Final = "Production"
_ALL: Final = "All, with other systems"
_RECOMMENDED: Final = "with what is recommended"
_PEAK: Final = "peak_cylinders"
_FILE_SYSTEMS: Final = "file_system_mib"
PEAK_MEANS: Final = (
    "Peak cylinders are needed until the old data sets are deleted, after the new ones are in use."
)
_NO_OWNER: Final = "no owner configured"


class _CostPart(NamedTuple):
    """A part of a cost as a column."""

    name: str
    heading: str
    width: float


_PARTS: Final = (
    _CostPart("cylinders", "3390 cylinders", 0.8),
    _CostPart(_PEAK, "Peak cylinders", 0.8),
    _CostPart("dasd_mib", "DASD, MiB", 0.8),
    _CostPart("real_storage_mib", "Real storage, MiB", 0.85),
    _CostPart("above_bar_mib", "Virtual storage above the bar, MiB", 0.85),
    _CostPart("chinit_31bit_mib", "CHINIT 31-bit storage, MiB", 0.85),
    _CostPart("cf_storage_mib", "CF storage, MiB", 0.85),
    _CostPart("engines", "CF engines", 0.85),
    _CostPart("chinit_restarts", "CHINIT restarts", 0.8),
    _CostPart("queue_manager_restarts", "Queue manager restarts", 0.9),
    _CostPart("ipls", "IPLs", 0.6),
    _CostPart(_FILE_SYSTEMS, "File systems, MiB", 0.85),
    _CostPart("work_hours", "Hours of work", 0.7),
)


def plans_table(
    plans: Sequence[Plan], acknowledged: Mapping[str, Acknowledgement] | None = None
) -> Table:
    """Return the plans in their order; a part of the cost that none has gets no column.

    Peak cylinders are a note beside the difference.
    """
    parts = [part for part in _parts_of(plan.cost for plan in plans) if part.name != _PEAK]
    return Table(
        name="Plans",
        columns=(
            Column(heading="Severity", width=0.75),
            Column(heading="Resource", width=2.3),
            Column(heading="Change", width=2.6),
            Column(heading="Begin by", width=0.95, right=True),
            Column(heading="Owner", width=0.85),
            *_columns(parts),
            Column(heading="Lasts until", width=1.05, right=True),
            Column(heading="Recommended", width=1.15),
        ),
        rows=tuple(_plan_row(plan, parts, acknowledged or {}) for plan in plans),
        blank="No change is to be requested: no rule is at Act or Watch.",
    )


def totals_by_month(plans: Sequence[Plan]) -> Table:
    """Return what the plans take by the month of their due day, and the sums of classes."""
    return _totals("By month", "Due in", plans, lambda plan: plan.due_date.replace(day=1))


def totals_by_owner(plans: Sequence[Plan]) -> Table:
    """Return what the plans take by owner, and the sums of classes."""
    return _totals("By owner", "Owner", plans, lambda plan: plan.owner or _NO_OWNER)


def _label(plan: Plan) -> str:
    return plan.label if plan.is_production else f"{plan.label} (not production)"


def _acknowledged(plan: Plan, acknowledged: Mapping[str, Acknowledgement]) -> str:
    found = acknowledged.get(plan.resource)
    return acknowledged_text(found) if found else ""


def _plan_row(
    plan: Plan, parts: Sequence[_CostPart], acknowledged: Mapping[str, Acknowledgement]
) -> tuple[Cell, ...]:
    lasting = plan.lasts_until is None and plan.changes
    return (
        severity_cell(plan.severity),
        text_cell(_label(plan), plan.summary),
        text_cell(changes_text(plan)),
        day_cell(plan.due_date),
        text_cell(plan.owner, _acknowledged(plan, acknowledged)),
        *_cost_cells(plan.cost, parts),
        text_cell("as far as forecast") if lasting else day_cell(plan.lasts_until),
        text_cell(_recommended_text(plan)),
    )


def _recommended_text(plan: Plan) -> str:
    return "; ".join(f"{typed_text(tier)}: {buys_text(plan, tier)}" for tier in plan.tiers)


def _totals(
    name: str, heading: str, plans: Sequence[Plan], key: Callable[[Plan], date | str]
) -> Table:
    parts = _parts_of(plan.cost for plan in plans)
    groups = defaultdict[date | str, list[Plan]](list)
    for plan in sorted(plans, key=lambda plan: str(key(plan))):
        groups[key(plan)].append(plan)
    rows: list[tuple[Cell, ...]] = []
    for group, members in groups.items():
        rows += _rows_of_classes(_group_text(group), members, parts)
    if rows:
        own = _production(plans)
        rows += [_row(_PRODUCTION, own, parts), _row(_PRODUCTION, own, parts, recommended=True)]
        rows += [_row(_ALL, plans, parts), _row(_ALL, plans, parts, recommended=True)]
    return Table(
        name=name,
        columns=(
            Column(heading=heading, width=1.6),
            Column(heading="Plans", width=0.6, right=True),
            *_columns(parts),
        ),
        rows=tuple(rows),
        blank="No change is to be requested.",
    )


def _rows_of_classes(
    name: str, plans: Sequence[Plan], parts: Sequence[_CostPart]
) -> list[tuple[Cell, ...]]:
    """Return the sum of production's plans, and that of all where there are others."""
    own = _production(plans)
    if len(own) == len(plans):
        return [_row(name, plans, parts, "production")]
    first = [_row(name, own, parts, "production")] if own else []
    return [*first, _row(name, plans, parts, "all" if own else "all, none of production")]


def _row(
    name: str,
    plans: Sequence[Plan],
    parts: Sequence[_CostPart],
    note: str = "",
    *,
    recommended: bool = False,
) -> tuple[Cell, ...]:
    variants: Sequence[PlanVariant] = plans
    if recommended:
        variants = [plan.tiers[-1] if plan.tiers else plan for plan in plans]
    return text_cell(name, _RECOMMENDED if recommended else note), *_sums(variants, parts)


def _production(plans: Sequence[Plan]) -> list[Plan]:
    return [plan for plan in plans if plan.is_production]


def _group_text(group: date | str) -> str:
    return group if isinstance(group, str) else f"{group:%B %Y}"


def _sums(plans: Sequence[PlanVariant], parts: Sequence[_CostPart]) -> list[Cell]:
    return [count_cell(len(plans)), *_cost_cells(total_cost(plan.cost for plan in plans), parts)]


def _cost_cells(cost: PlanCost, parts: Sequence[_CostPart]) -> list[Cell]:
    is_noted = cost.replaced_cylinders and all(part.name != _PEAK for part in parts)
    notes = {
        "cylinders": f"peak {figure(cost.peak_cylinders)}" if is_noted else "",
        _FILE_SYSTEMS: "; ".join(f"{each} (size not known)" for each in cost.unsized),
    }
    return [
        amount_cell(getattr(cost, part.name)).model_copy(update={"note": notes.get(part.name, "")})
        for part in parts
    ]


def _columns(parts: Sequence[_CostPart]) -> list[Column]:
    return [Column(heading=part.heading, width=part.width, right=True) for part in parts]


def _parts_of(costs: Iterable[PlanCost]) -> list[_CostPart]:
    """Return the parts that some plan has; the peak only where it differs from the difference."""
    every = [*costs]
    has_peak = any(cost.replaced_cylinders for cost in every)
    return [
        part
        for part in _PARTS
        if any(
            getattr(cost, part.name) or (cost.unsized and part.name == _FILE_SYSTEMS)
            for cost in every
        )
        and (has_peak or part.name != _PEAK)
    ]
