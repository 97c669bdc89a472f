"""The load of a lost facility spread over all survivors in words."""

from __future__ import annotations

from datetime import date

from mqcap.domain.losses.loss import Loss
from mqcap.domain.numbers import figure
from mqcap.presentation.dates import near_day, short_day
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


def instead_text(loss: Loss) -> str:
    """Return that preference lists do in place of more engines; empty where they do not."""
    if not _is_enough(loss):
        return ""
    names = " and ".join(name_of(each) for each in loss.survivors)
    lists = f"preference lists that spread the structures over {names} are enough"
    once = f" once {plans_text(loss, *loss.survivors)} is done" if _needs_plans(loss) else ""
    due = _due_date(loss)
    when = f" (due {short_day(due)})" if once and due else ""
    return f"Or without more engines: {lists}{once}{when}"


def instead_in_brief(loss: Loss) -> str:
    """Return ``instead_text`` for a line: ``preference lists after the plan of ... (3 Jan)``."""
    if not _is_enough(loss):
        return ""
    if not _needs_plans(loss):
        return "preference lists"
    due = _due_date(loss)
    when = f" ({near_day(due, loss.site_date)})" if due else ""
    return f"preference lists after {plans_text(loss, *loss.survivors)}{when}"


def _is_enough(loss: Loss) -> bool:
    spread = loss.spread
    return spread is not None and spread.room_engine_pct >= spread.moved_engine_pct


def _needs_plans(loss: Loss) -> bool:
    """Return whether the survivors have room for the load only with plans of the day."""
    spread = loss.spread
    if spread is None or not spread.is_planned:
        return False
    today = spread.room_today_engine_pct
    return today is None or today < spread.moved_engine_pct


def _due_date(loss: Loss) -> date | None:
    """Return the last due day of the plans of the survivors; ``None`` where none has one."""
    days = (
        plan.due_date
        for plan in loss.reckoned
        if any(each in loss.survivors for each in plan.subjects)
    )
    return max((day for day in days if day is not None), default=None)


def plans_text(loss: Loss, *parts: str) -> str:
    """Return the one plan of the day of these parts by its name, several together."""
    labels = loss.plan_labels_of(*parts)
    return f"the plan of {labels[0]}" if len(labels) == 1 else "the plans of the day"
