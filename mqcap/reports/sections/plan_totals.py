"""Section of the totals of all plans, by month and by owner."""

from __future__ import annotations

from typing import Final

from mqcap.reports.document import ReportKind, Section
from mqcap.reports.plan_tables import totals_by_month, totals_by_owner
from mqcap.reports.registry import ReportBasis, SectionEntry


def plan_totals(basis: ReportBasis) -> Section:
    """Return what the plans take, as sums of the plans that follow; losses are not in them."""
    changed = [plan for plan in basis.plans if plan.changes]
    return Section(
        heading="What it takes", tables=(totals_by_month(changed), totals_by_owner(changed))
    )


SECTION: Final = SectionEntry(2, frozenset({ReportKind.monthly}), plan_totals)
