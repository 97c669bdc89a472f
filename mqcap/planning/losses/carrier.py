"""The survivors of the losses of a what-if scenario, ranked as those of the losses of a day."""

from __future__ import annotations

from mqcap.domain.losses.cell import LossCell
from mqcap.domain.losses.loss import badness
from mqcap.planning.losses.cells import cells_of
from mqcap.presentation.losses.cell_text import worst_of_cells
from mqcap.whatif.comparison import WhatIfResult
from mqcap.whatif.losses.carrier import Carrying


def carried(result: WhatIfResult) -> list[Carrying]:
    """Return each loss that any one of several survivors can carry, the best one first.

    That is the survivor that goes on working, then with the fewest limits passed, today and up to
    the horizon of plans, then the least full one. Of several corners the worst counts. A survivor
    that the scenario loses too is none.
    """
    losses = result.losses[0] if result.losses else ()
    gone = {loss.lost for loss in losses}
    found: list[Carrying] = []
    for number, loss in enumerate(losses):
        left = [each for each in loss.survivors if each not in gone]
        if loss.is_any_enough and len(left) > 1:
            worst = {each: _worst_cells(result, number, each) for each in left}
            ranked = sorted(left, key=lambda each: badness(worst[each]))
            states = {each: worst_of_cells(worst[each]) or "takes nothing" for each in ranked}
            found.append(Carrying(loss.lost, states))
    return found


def _worst_cells(result: WhatIfResult, number: int, survivor: str) -> list[LossCell]:
    """Return what a survivor carries of one of the losses, at the corner where that is worst."""
    corners = []
    for facts, losses in zip(result.unlost, result.losses, strict=True):
        before = losses[number - 1].facts if number else facts
        corners.append(list(cells_of(before, losses[number], [survivor])))
    return max(corners, key=badness)
