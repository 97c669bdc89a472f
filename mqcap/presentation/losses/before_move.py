"""What to try before channels leave for another queue manager, of which no figure is known."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mqcap.domain.losses.cell import LossQuantity
from mqcap.domain.losses.loss import Loss
from mqcap.presentation.dates import short_day
from mqcap.presentation.losses.cell_text import name_of

_FIRST: Final = "Before another queue manager is set up, with an effect that is in no figure here:"


def before_move_text(loss: Loss) -> str:
    """Return what to try before another queue manager takes channels; empty where none has to.

    Members may share the work, and the log may be compressed where its rate is what is not kept:
    that rate is the same whoever takes the channels.
    """
    parts = [*_shared(loss), *_compressed(loss)] if loss.moves else []
    return f"{_FIRST} {'; '.join(parts)}." if parts else ""


def _shared(loss: Loss) -> Iterator[str]:
    if loss.is_any_enough and len(loss.survivors) > 1:
        *most, last = map(name_of, loss.survivors)
        names = f"{', '.join(most)} and {last}"
        yield (
            f"let {names} share the work of {name_of(loss.lost)}, each of which is evaluated as "
            "though it alone took all of it"
        )


def _compressed(loss: Loss) -> Iterator[str]:
    fills = {cell.rule_id for cell in loss.cells if cell.quantity is LossQuantity.log_fill}
    for unkept in loss.not_kept:
        if unkept.rule_id in fills:
            yield (
                f"compress the log of {name_of(unkept.subject)} (COMPLOG=RLE; log_compression_pct "
                f"in what-if tries what that saves), since channels that leave do not keep "
                f"{unkept.rule_id} from {short_day(unkept.fails_from)} on"
            )
