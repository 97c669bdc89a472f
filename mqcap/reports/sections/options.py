"""Section of every option of every resource, for the workbook."""

from datetime import date
from typing import Final

from mqcap.domain.plan import PlanCost
from mqcap.presentation.plan_summary import COLUMNS, option_rows
from mqcap.reports.document import Cell, Column, ReportKind, Section, Table, day_cell
from mqcap.reports.registry import ReportBasis, SectionEntry


def options(basis: ReportBasis) -> Section:
    """Return every option of every resource with its cost in parts."""
    costs = set(PlanCost.model_fields)
    rows = list(option_rows(basis.rows))
    used = [name for name in COLUMNS if name not in costs or any(row[name] for row in rows)]
    return Section(
        heading="Options",
        tables=(
            Table(
                name="Options",
                columns=tuple(Column(heading=name.replace("_", " ")) for name in used),
                rows=tuple(tuple(_plain(row[name]) for name in used) for row in rows),
                blank="No change is to be requested.",
            ),
        ),
        is_detail=True,
    )


def _plain(value: object) -> Cell:
    if isinstance(value, date):
        return day_cell(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return Cell(text=f"{value:g}", value=float(value), number_format="General")
    return Cell(text="" if value is None else str(value))


SECTION: Final = SectionEntry(6, frozenset(ReportKind), options)
