"""Appendix of the limits that nothing has to be done about."""

from __future__ import annotations

from typing import Final

from mqcap.reports.document import ReportKind, Section
from mqcap.reports.registry import ReportBasis, SectionEntry
from mqcap.reports.tables import limits_table


def limits_in_order(basis: ReportBasis) -> Section:
    """Return the limits with a forecast that are neither to act on nor to watch."""
    urgent = {line.key for line in basis.urgent_lines}
    limited = [line for line in basis.lines if line.crossing is not None and line.key not in urgent]
    return Section(
        is_detail=True,
        heading="Appendix: limits in order",
        tables=(limits_table(limited, basis.forecasts, basis.plans, "In order"),),
    )


SECTION: Final = SectionEntry(90, frozenset({ReportKind.monthly}), limits_in_order)
