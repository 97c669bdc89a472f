"""Section of the heat table."""

from __future__ import annotations

from typing import Final

from mqcap.presentation.estate_words import estate_words
from mqcap.presentation.heat_table import heat_table
from mqcap.reports.document import ReportKind, Section
from mqcap.reports.registry import ReportBasis, SectionEntry
from mqcap.reports.tables import fleet_table


def fleet(basis: ReportBasis) -> Section:
    """Return the most urgent headroom of each owner and resource."""
    words = estate_words(basis.settings.complete_estate())
    table = fleet_table(heat_table(basis.lines), words.owner_heading)
    return Section(is_detail=True, heading="The fleet", tables=(table,))


SECTION: Final = SectionEntry(60, frozenset(ReportKind), fleet)
