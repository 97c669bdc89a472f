"""Section of the losses of coupling facilities and members, as matrices lost by survivor."""

from __future__ import annotations

from typing import Final

from mqcap.domain.finding import Severity
from mqcap.losses.text.figures import minutes_text
from mqcap.losses.text.sentences import (
    NOTE,
    brief_lines,
    consequence,
)
from mqcap.losses.text.tables import LossMatrix, MatrixRow, matrices
from mqcap.reports.document import Cell, Column, ReportKind, Section, Table, text_cell
from mqcap.reports.registry import ReportBasis, SectionEntry
from mqcap.reports.tables import severity_cell
from mqcap.store.plans import read_losses

_BLANK: Final = "No coupling facility or member of a queue sharing group can be lost."
_SAME: Final = "lost"


def losses(basis: ReportBasis) -> Section:
    """Return a matrix of the facilities of each sysplex and of the members of each group."""
    found = read_losses(basis.engine, basis.day)
    assumptions = dict.fromkeys(line for loss in found for line in loss.assumptions)
    tables = [table for matrix in matrices(found) for table in (_matrix(matrix), _details(matrix))]
    return Section(
        is_detail=True,
        heading="Loss of a coupling facility or member",
        sentences=(NOTE, *assumptions) if found else (_BLANK,),
        tables=tuple(tables),
    )


def _matrix(matrix: LossMatrix) -> Table:
    return Table(
        name=f"{_short(matrix)}: lost",
        columns=(
            Column(heading="Lost", width=0.9),
            Column(heading="Severity", width=0.7),
            *(Column(heading=name, width=1.6) for name in matrix.names),
        ),
        rows=tuple(_row(matrix, row) for row in matrix.rows),
    )


def _short(matrix: LossMatrix) -> str:
    """Return its title so short that the name of a sheet has room for it."""
    return matrix.title.replace("Coupling facilities", "CFs")


def _row(matrix: LossMatrix, row: MatrixRow) -> tuple[Cell, ...]:
    return (
        text_cell(row.loss.lost),
        severity_cell(row.loss.severity),
        *(
            text_cell(_SAME if part == row.loss.lost else cell.text)
            for part, cell in zip(matrix.parts, row.cells, strict=True)
        ),
    )


def _details(matrix: LossMatrix) -> Table:
    rows = [row.loss for row in matrix.rows if row.loss.severity is not Severity.ok]
    return Table(
        name=f"{_short(matrix)}: what to change",
        columns=(
            Column(heading="Lost", width=0.9),
            Column(heading="What fails", width=2.4),
            Column(heading="Work stops", width=0.8),
            Column(heading="Change", width=3.0),
        ),
        rows=tuple(
            (
                text_cell(loss.lost),
                text_cell(consequence(loss)),
                text_cell(
                    ""
                    if loss.minutes_to_first_failure is None
                    else minutes_text(loss.minutes_to_first_failure)
                ),
                text_cell(" ".join(brief_lines(loss))),
            )
            for loss in rows
        ),
        blank="The survivors carry every loss.",
    )


SECTION: Final = SectionEntry(45, frozenset({ReportKind.monthly}), losses, of_sysplexes=True)
