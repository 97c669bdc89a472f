"""Section of the findings to act on and to watch, for the workbook."""

from __future__ import annotations

from typing import Final

from mqcap.reports.document import ReportKind, Section
from mqcap.reports.registry import ReportBasis, SectionEntry
from mqcap.reports.tables import findings_table


def urgent(basis: ReportBasis) -> Section:
    """Return the findings graded act or watch, most urgent first."""
    return Section(
        heading="To act on and to watch",
        tables=(findings_table(basis.urgent_lines, basis.plans_of_lines),),
        is_detail=True,
    )


SECTION: Final = SectionEntry(10, frozenset(ReportKind), urgent)
