"""The load of a lost facility spread over all survivors in words."""

from __future__ import annotations

from mqcap.domain.numbers import figure
from mqcap.losses.model import Loss
from mqcap.presentation.losses.cell_text import name_of


def spread_text(loss: Loss) -> str:
    """Return the load of a facility spread over all survivors; empty without it."""
    spread = loss.spread
    if spread is None:
        return ""
    names = " and ".join(name_of(each) for each in loss.survivors)
    is_enough = spread.room_engine_pct >= spread.moved_engine_pct
    fits = (
        "enough without more engines if preference lists spread the structures by hand"
        if is_enough
        else "not enough even if preference lists spread the structures by hand"
    )
    text = f"{names} together would be {figure(spread.busy_pct)} % busy"
    engines = f"{figure(spread.room_engine_pct)} % of an engine"
    moved = f"{figure(spread.moved_engine_pct)} %"
    today = spread.room_today_engine_pct
    if today is None:
        planned = ", with the plans of the day done" if spread.is_planned else ""
        return (
            f"{text}{planned}. Up to their limits they have room for {engines}, and {moved} "
            f"arrive: {fits}."
        )
    less = "enough too" if today >= spread.moved_engine_pct else "not enough"
    return (
        f"{text} with {plans_text(loss, *loss.survivors)} done. Up to their limits they then have "
        f"room for {engines}, and {moved} arrive: {fits}. "
        f"Without it the room is {figure(today)} %: {less}."
    )


def plans_text(loss: Loss, *parts: str) -> str:
    """Return the one plan of the day of these parts by its name, several together."""
    labels = loss.plan_labels_of(*parts)
    return f"the plan of {labels[0]}" if len(labels) == 1 else "the plans of the day"
