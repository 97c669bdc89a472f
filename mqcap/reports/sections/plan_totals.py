"""Section of the totals of all plans, by month and by owner."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from typing import Final

from mqcap.domain.plan import Plan, PlanVariant, total_cost
from mqcap.reports.document import (
    Cell,
    Column,
    ReportKind,
    Section,
    Table,
    amount_cell,
    count_cell,
    text_cell,
)
from mqcap.reports.registry import ReportBasis, SectionEntry

_PARTS: Final = {
    "cylinders": "Cylinders",
    "peak_cylinders": "Peak cylinders",
    "real_storage_mib": "Real storage, MiB",
    "above_bar_mib": "Virtual, MiB",
    "cf_storage_mib": "CF storage, MiB",
    "engines": "CF engines",
    "file_system_mib": "Disk, MiB",
    "chinit_restarts": "Chinit restarts",
    "queue_manager_restarts": "Restarts",
    "ipls": "IPLs",
    "work_hours": "Hours",
    "money": "Money",
}
"""Parts of a cost and their headings."""


def totals_by_month(plans: Sequence[Plan]) -> Table:
    """Return what the plans take by the month of their due day, and the sums of classes."""
    table = _totals("By month", "Due in", plans, lambda plan: plan.due_date.replace(day=1))
    parts = _parts_of(plans)
    own = [plan for plan in plans if plan.about.is_production]
    most = [plan.with_recommended for plan in own]
    sums = [
        _sums("Production", own, parts),
        _row("Production", most, parts, "with what is recommended"),
    ]
    if len(own) < len(plans):
        sums.append(_sums("All, with other systems", plans, parts))
    return table.model_copy(update={"rows": (*table.rows, *sums)}) if plans else table


def totals_by_owner(plans: Sequence[Plan]) -> Table:
    """Return what the plans take by owner."""
    return _totals(
        "By owner", "Owner", plans, lambda plan: plan.about.owner or "no owner configured"
    )


def _totals(
    name: str, heading: str, plans: Sequence[Plan], key: Callable[[Plan], date | str]
) -> Table:
    parts = _parts_of(plans)
    groups = defaultdict[date | str, list[Plan]](list)
    for plan in sorted(plans, key=lambda plan: str(key(plan))):
        groups[key(plan)].append(plan)
    rows = [
        _sums(group if isinstance(group, str) else f"{group:%B %Y}", members, parts)
        for group, members in groups.items()
    ]
    return Table(
        name=name,
        columns=(
            Column(heading=heading, width=2.2),
            Column(heading="Plans", width=0.6, right=True),
            *(Column(heading=_PARTS[part], right=True) for part in parts),
        ),
        rows=tuple(rows),
        blank="No change is to be requested.",
    )


def _row(
    name: str, variants: Sequence[PlanVariant], parts: Sequence[str], note: str = ""
) -> tuple[Cell, ...]:
    cost = total_cost(variant.cost for variant in variants)
    sums = (amount_cell(getattr(cost, part) or 0) for part in parts)
    return text_cell(name, note), count_cell(len(variants)), *sums


def _sums(name: str, plans: Sequence[Plan], parts: Sequence[str]) -> tuple[Cell, ...]:
    return _row(name, [plan.base for plan in plans], parts)


def _parts_of(plans: Iterable[Plan]) -> list[str]:
    """Return the parts that some tier has; the peak only where it differs from the difference."""
    every = [tier.cost for plan in plans for tier in (plan.base, plan.with_recommended)]
    has_peak = any(cost.replaced_cylinders for cost in every)
    return [
        part
        for part in _PARTS
        if any(getattr(cost, part) for cost in every) and (has_peak or part != "peak_cylinders")
    ]


def plan_totals(basis: ReportBasis) -> Section:
    """Return what the plans take, as sums of the plans that follow; losses are not in them."""
    changed = [plan for plan in basis.plans if plan.changes]
    return Section(
        heading="What it takes", tables=(totals_by_month(changed), totals_by_owner(changed))
    )


SECTION: Final = SectionEntry(2, frozenset({ReportKind.monthly}), plan_totals)
