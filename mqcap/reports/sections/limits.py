"""Section of limits with forecasts: growth and crossing dates, for the workbook."""

from __future__ import annotations

from typing import Final

from mqcap.reports.document import ReportKind, Section
from mqcap.reports.registry import ReportBasis, SectionEntry
from mqcap.reports.tables import limits_table


def limits(basis: ReportBasis) -> Section:
    """Return the limits to act on or to watch that have a forecast."""
    limited = [line for line in basis.urgent_lines if line.crossing is not None]
    return Section(
        heading="Limits, growth and dates",
        sentences=(
            "The limit is passed by the earliest, expected and latest day with 10, 50 and 90 %.",
        ),
        tables=(limits_table(limited, basis.forecasts, basis.plans),),
        is_detail=True,
    )


SECTION: Final = SectionEntry(30, frozenset({ReportKind.weekly, ReportKind.monthly}), limits)
