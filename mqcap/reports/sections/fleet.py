"""Section of the heat table."""

from __future__ import annotations

from typing import Final

from mqcap.presentation.heat_table import heat_table
from mqcap.reports.document import ReportKind, Section
from mqcap.reports.registry import ReportBasis, SectionEntry
from mqcap.reports.tables import fleet_table


def fleet(basis: ReportBasis) -> Section:
    """Return the most urgent headroom of each queue manager or CF and resource."""
    return Section(heading="The fleet", tables=(fleet_table(heat_table(basis.lines)),))


SECTION: Final = SectionEntry(60, frozenset(ReportKind), fleet)
