"""Lines of findings with one for each loss."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from mqcap.domain.finding import Severity
from mqcap.losses.model import Loss
from mqcap.presentation.fleet import FleetLine
from mqcap.presentation.losses.cell_text import limits_text

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
