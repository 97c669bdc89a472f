"""Figure of a capture."""

from __future__ import annotations

from typing import NamedTuple

from mqcap.domain.distributed.qmgr_figure import QmgrFigure


class CaptureFigure(NamedTuple):
    """One figure of a capture."""

    figure: QmgrFigure
    object: str
    value: float


def number(text: str | None) -> float | None:
    """Return a whole number of an answer; ``None`` for blanks and words."""
    return float(text) if text and text.isascii() and text.isdigit() else None
