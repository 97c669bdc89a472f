"""Losses as lines of findings."""

from collections.abc import Iterable, Sequence

from mqcap.losses.model import Loss
from mqcap.losses.text.figures import limits_text
from mqcap.presentation.fleet import FleetLine


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
        if not line.finding.is_of_loss or not line.finding.severity.is_urgent:
            shown.append(line)
        elif lost not in seen:
            seen.add(lost)
            shown.append(line.model_copy(update={"limits": limits.get(lost, "")}))
    return shown
