"""Section of what is to be decided: a row per resource."""

from datetime import date
from typing import Final

from mqcap.notifications.sparklines import spark
from mqcap.presentation.plan_summary import PlanSummary
from mqcap.presentation.summary_text import crossing_words
from mqcap.queries.courses import Weeks, weeks_of_rows
from mqcap.reports.document import (
    Cell,
    Course,
    ReportKind,
    Section,
    Table,
    columns,
    day_cell,
    severity_cell,
    text_cell,
)
from mqcap.reports.registry import ReportBasis, SectionEntry

PRINTED_ROWS: Final = 24
"""Resources on paper; the workbook has all (ours)."""


def decisions(basis: ReportBasis) -> Section:
    """Return a row per resource with its course, and the courses for the workbook."""
    weeks = weeks_of_rows(basis.engine, basis.day, basis.rows)
    return Section(
        heading="What to decide",
        tables=(
            Table(
                name="Decisions",
                columns=columns(
                    "Severity 0.85, Resource 2.7, Now of limit 1.35, 180 days around 1.4, "
                    "Limit passed 1.75, Change 2.9, Begin by 1, Owner 1.5"
                ),
                rows=tuple(_row(row, basis.day, weeks.get(row.resource)) for row in basis.rows),
                blank="No change is to be requested: nothing is at Act or Watch.",
                printed_rows=PRINTED_ROWS,
            ),
        ),
        courses=tuple(
            Course(
                name=row.title,
                unit=found.unit,
                measured=found.measured,
                expected=found.expected,
                limit=found.limit,
            )
            for row in basis.rows
            if (found := weeks.get(row.resource)) is not None
        ),
    )


def _row(row: PlanSummary, day: date, weeks: Weeks | None) -> tuple[Cell, ...]:
    expected, _, span = crossing_words(row).partition(" (")
    name = row.title if row.is_production else f"{row.title} (not production)"
    return (
        severity_cell(row.severity),
        text_cell(name, row.problem),
        text_cell(row.now_of_limit),
        Cell(text="", png=spark(weeks, day) if weeks else b""),
        text_cell(expected, span.rstrip(")")),
        text_cell(row.change, ", ".join(filter(None, (row.cost, row.lasts)))),
        text_cell(row.due) if row.is_due_at_once else day_cell(row.due_date),
        text_cell(row.owner, row.acknowledged),
    )


SECTION: Final = SectionEntry(5, frozenset(ReportKind), decisions)
