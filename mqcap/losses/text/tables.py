"""Losses as matrices, lost by survivor, and as lines of findings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from mqcap.domain.finding import Severity
from mqcap.domain.metric import SubjectKind, sysplex_of
from mqcap.losses.model import Loss
from mqcap.losses.text.figures import limits_text, name_of
from mqcap.losses.text.sentences import worst_text
from mqcap.presentation.fleet import FleetLine


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


_URGENT: Final = frozenset({Severity.act, Severity.watch})


def is_of_urgent_loss(line: FleetLine) -> bool:
    """Return whether a line is about a loss at Act or Watch, of which something is to decide."""
    return line.finding.severity in _URGENT and line.finding.is_of_loss


def one_of_each_loss(lines: Sequence[FleetLine], losses: Iterable[Loss]) -> list[FleetLine]:
    """Return the lines with one for each loss at Act or Watch: its first, with all of its limits.

    A loss is one thing to decide on, however many limits it passes; their number is that of the
    loss everywhere. ``losses`` are those of the day.
    """
    limits = {loss.lost: limits_text(loss.decisive_cells) for loss in losses}
    seen: set[str] = set()
    shown: list[FleetLine] = []
    for line in lines:
        lost = line.finding.subject
        if not is_of_urgent_loss(line):
            shown.append(line)
        elif lost not in seen:
            seen.add(lost)
            shown.append(line.model_copy(update={"limits": limits.get(lost, "")}))
    return shown
