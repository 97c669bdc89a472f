"""Section of the totals of all plans, by month and by owner."""

from __future__ import annotations

from typing import Final

from mqcap.losses.text.as_plan import needed_text
from mqcap.presentation.count_text import plan_count_words
from mqcap.reports.document import ReportKind, Section
from mqcap.reports.plan_tables import totals_by_month, totals_by_owner
from mqcap.reports.registry import ReportBasis, SectionEntry
from mqcap.store.losses import read_losses


def plan_totals(basis: ReportBasis) -> Section:
    """Return what the plans take, as sums of the plans that follow."""
    losses = needed_text(read_losses(basis.engine, basis.day))
    beside = (losses,) if losses else ()
    if not basis.plans:
        return Section(heading="Summary", sentences=("No change is to be requested.", *beside))
    changed = [plan for plan in basis.plans if plan.changes]
    counts = f"{plan_count_words(basis.plans)}; with changes {len(changed)}."
    return Section(
        heading="Summary",
        sentences=(
            f"{counts} The totals are the sums of the plans on the pages after this one.",
            *beside,
        ),
        tables=(totals_by_month(changed), totals_by_owner(changed)),
    )


SECTION: Final = SectionEntry(2, frozenset({ReportKind.monthly}), plan_totals)
