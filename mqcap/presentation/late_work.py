"""Work of a plan that is not done by its due day, in words."""

from __future__ import annotations

from typing import Final

from mqcap.domain.numbers import figure
from mqcap.domain.plan import WorkSchedule
from mqcap.presentation.dates import short_day

_MORE_HOURS: Final = "more hours a week are needed"


def late_text(schedule: WorkSchedule, part: str) -> str:
    """Return when the work is done, what is done first, and which limits that keeps until when.

    Args:
        schedule: Hours, days and what is done first.
        part: What is done first, with its cost.
    """
    by = short_day(schedule.until)
    words = (
        f"That is not done by {by} at {figure(schedule.hours_per_week)} h a week "
        f"(plan.week_hours), but by {short_day(schedule.done_date)}."
    )
    if not schedule.first.changes:
        return f"{words} Nothing of it is done by {by}: {_MORE_HOURS}."
    begin = f"{words} First, by {by}: {part}"
    keeps = " and ".join(schedule.first_keeps)
    last = schedule.first.lasts_until
    if last is None:
        return f"{begin}, which keeps {keeps} as far as the forecast reaches."
    if last >= schedule.done_date:
        return f"{begin}, which keeps {keeps} until {short_day(last)}."
    if last >= schedule.until:
        return f"{begin}, which keeps {keeps} only until {short_day(last)}: {_MORE_HOURS}."
    return f"{begin}, which does not keep {keeps}: {_MORE_HOURS}."
