"""Losses as matrices, lost by survivor: one for the facilities of a sysplex, one for each group."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from mqcap.domain.finding import Severity
from mqcap.domain.metric import SubjectKind, sysplex_of
from mqcap.losses.model import Loss
from mqcap.presentation.losses.cell_text import name_of
from mqcap.presentation.losses.text import worst_text


class MatrixCell(NamedTuple):
    """What one survivor carries when one part is lost."""

    text: str
    """Empty where it takes nothing, or is the lost part itself."""
    fails: bool


class MatrixRow(NamedTuple):
    """The loss of one part."""

    loss: Loss
    cells: tuple[MatrixCell, ...]


class LossMatrix(NamedTuple):
    """Losses of parts that stand in for each other."""

    title: str
    parts: tuple[str, ...]
    """Paths of the columns: every part that is lost or survives."""
    rows: tuple[MatrixRow, ...]

    @property
    def names(self) -> list[str]:
        """Headings of the columns."""
        return [name_of(part) for part in self.parts]

    @property
    def severity(self) -> Severity:
        """The highest severity of its rows."""
        return max((row.loss.severity for row in self.rows), key=lambda severity: severity.rank)


def matrices(losses: Iterable[Loss]) -> list[LossMatrix]:
    """Return the matrices of losses in the order of their paths; facilities come first."""
    groups: list[tuple[set[str], list[Loss]]] = []
    for loss in sorted(losses, key=lambda each: (each.kind, each.lost)):
        parts = {loss.lost, *loss.survivors}
        joined = [group for group in groups if group[0] & parts]
        for group in joined:
            groups.remove(group)
        members = [each for group in joined for each in group[1]]
        groups.append((parts.union(*(group[0] for group in joined)), [*members, loss]))
    return [_matrix(tuple(sorted(parts)), losses) for parts, losses in groups]


def _matrix(parts: tuple[str, ...], losses: list[Loss]) -> LossMatrix:
    kind = losses[0].kind
    what = "Coupling facilities" if kind is SubjectKind.coupling_facility else "Members"
    return LossMatrix(
        f"{what} of {sysplex_of(parts[0])}",
        parts,
        tuple(
            MatrixRow(loss, tuple(_cell(loss, part) for part in parts))
            for loss in sorted(losses, key=lambda each: each.lost)
        ),
    )


def _cell(loss: Loss, part: str) -> MatrixCell:
    fails = any(cell.fails for cell in loss.cells_of(part))
    return MatrixCell(worst_text(loss, part), fails)
