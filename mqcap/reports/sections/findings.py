"""Section of the findings to act on and to watch, and of other limits with a forecast."""

from typing import Final

from mqcap.reports.document import ReportKind, Section
from mqcap.reports.registry import ReportBasis, SectionEntry
from mqcap.reports.tables import findings_table


def findings(basis: ReportBasis) -> Section:
    """Return the findings graded act or watch, of the monthly plan all limits with a forecast."""
    is_plan = basis.kind is ReportKind.monthly
    urgent = {line.key for line in basis.urgent_lines}
    lines = [
        line
        for line in basis.lines
        if line.key in urgent or (is_plan and line.crossing is not None)
    ]
    return Section(
        heading="Findings, growth and dates",
        sentences=(
            "The limit is passed by the earliest, expected and latest day with 10, 50 and 90 %.",
        ),
        tables=(findings_table(lines, basis.forecasts, basis.plans_of_lines),),
        is_detail=True,
    )


SECTION: Final = SectionEntry(10, frozenset(ReportKind), findings)
