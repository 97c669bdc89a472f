"""Backup interval as a job scheduler takes it: days, parts of a day, parts of an hour."""

import math

from mqcap.domain.finding import Change
from mqcap.domain.numbers import counted, figure
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from mqcap.domain.units import HOURS_PER_DAY, MINUTES_PER_HOUR
from sizing.rulebook.assessment import spread


def as_often(allowed_h: float, what: str) -> Change:
    """Return a change to a schedule of at most ``allowed_h`` hours between two backups.

    A number of days, else a number of hours that divides a day, else of minutes that divides an
    hour. Below a minute spread the load: so many queue managers, each with its share, may be backed
    up every hour.
    """
    if allowed_h * MINUTES_PER_HOUR < 1:
        return spread(
            math.ceil(1 / allowed_h),
            f" and back up {what} every hour: no interval of a minute or more is short enough here",
        )
    words, amount = _schedule(allowed_h)
    return Change(
        action=f"Back up {what} every {words}: recovery in time allows at most "
        f"{figure(allowed_h)} h of logging.",
        amount=amount,
        side_effects="log and CPU of each backup; a fuzzy one needs up to three more checkpoints.",
    )


def _schedule(allowed_h: float) -> tuple[str, TypedAmount]:
    days = math.floor(allowed_h / HOURS_PER_DAY)
    if days:
        amount = TypedAmount.of(TypedKind.backup_hours, days * HOURS_PER_DAY)
        return ("day" if days == 1 else counted(days, "day")), amount
    if allowed_h >= 1:
        hours = _largest_divisor(HOURS_PER_DAY, allowed_h)
        amount = TypedAmount.of(TypedKind.backup_hours, hours)
        return ("hour" if hours == 1 else counted(hours, "hour")), amount
    minutes = _largest_divisor(MINUTES_PER_HOUR, allowed_h * MINUTES_PER_HOUR)
    amount = TypedAmount.of(TypedKind.backup_minutes, minutes)
    return ("minute" if minutes == 1 else counted(minutes, "minute")), amount


def _largest_divisor(total: int, most: float) -> int:
    return max(part for part in range(1, total + 1) if total % part == 0 and part <= most)
