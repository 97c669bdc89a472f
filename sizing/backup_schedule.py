"""Backup interval as it is typed: hours, or minutes where an hour is too long."""

from __future__ import annotations

import math

from mqcap.domain.finding import Change
from mqcap.domain.numbers import figure
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from sizing.log_space import spread

SIDE_EFFECTS = "log and CPU of each backup; a fuzzy one needs up to three more checkpoints."


def as_often(allowed_h: float, what: str) -> Change:
    """Return a change to backups every ``allowed_h`` hours at most; below a minute spread the load.

    So many queue managers, each with its share of the load, may be backed up every hour.
    """
    if allowed_h * 60 < 1:
        return spread(
            math.ceil(1 / allowed_h),
            f"and back up {what} every hour: no interval of a minute or more is short enough here",
        )
    hours, minutes = math.floor(allowed_h), math.floor(allowed_h * 60)
    amount = (
        TypedAmount.of(TypedKind.backup_hours, hours)
        if hours
        else TypedAmount.of(TypedKind.backup_minutes, minutes)
    )
    return Change(
        action=f"Back up {what} at least every {figure(allowed_h)} h of logging.",
        amount=amount,
        side_effects=SIDE_EFFECTS,
    )
