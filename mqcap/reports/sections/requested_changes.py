"""Section of the plans: one for each resource, most urgent first."""

from __future__ import annotations

from typing import Final

from mqcap.domain.numbers import percent
from mqcap.reports.document import ReportKind, Section
from mqcap.reports.plan_tables import PEAK_MEANS, plans_table
from mqcap.reports.registry import ReportBasis, SectionEntry


def requested_changes(basis: ReportBasis) -> Section:
    """Return the plans of the day; in the monthly report on a page after the summary."""
    bounds = sorted({plan.confidence for plan in basis.plans})
    held = " and ".join(percent(bound) for bound in bounds)
    has_peak = any(plan.cost.replaced_cylinders for plan in basis.plans)
    peak = f" {PEAK_MEANS}" if has_peak else ""
    sentence = (
        "One plan for each resource: the least-cost changes that keep its mandatory limits at the "
        f"{held} bound of the forecast. Begin by leaves the lead time before a limit breaks.{peak}"
    )
    return Section(
        heading="Changes to request",
        sentences=(sentence,) if bounds else (),
        tables=(plans_table(basis.plans, basis.acknowledged),),
        starts_page=basis.kind is ReportKind.monthly,
    )


SECTION: Final = SectionEntry(5, frozenset(ReportKind), requested_changes)
