"""Section of the changes to request, by the day on which each is due."""

from __future__ import annotations

from typing import Final

from mqcap.reports.document import ReportKind, Section
from mqcap.reports.registry import ReportBasis, SectionEntry
from mqcap.reports.tables import changes_table


def requested_changes(basis: ReportBasis) -> Section:
    """Return the recommended changes of the findings graded act or watch."""
    return Section(
        heading="Changes to request",
        sentences=("What is due at once first, then by the last day on which each is in time.",),
        tables=(changes_table(basis.urgent_lines),),
    )


SECTION: Final = SectionEntry(40, frozenset({ReportKind.monthly}), requested_changes)
