"""Schedules of backups, of page sets (REC-FORMULA-A) and of structures (CFB-INTERVAL).

They are such as people keep: each week, every so many days, each day, parts of a day.
"""

from typing import Final

from mqcap.domain.numbers import counted, figure
from mqcap.domain.plan import PlanCost
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from mqcap.domain.units import HOURS_PER_DAY
from mqcap.planning.context import PlanContext, State
from mqcap.planning.settable import PlanOperand, operand, register

_HOURS_PER_WEEK: Final = 168
_SCHEDULES_HOURS: Final = (168, 120, 96, 72, 48, 24, 12, 8, 6, 4, 3, 2, 1)
_READ_RATE: Final = "log_read_mib_per_s"


def _schedule(key: str, of: str) -> PlanOperand:
    return operand(
        key,
        today=lambda context: getattr(
            context.facts.estate.queue_manager(*context.owner_subject.names), key, None
        ),
        values=lambda _, today: [hours for hours in _SCHEDULES_HOURS if hours < today],
        text=lambda _, before, after: (
            f"Back up the {of} {schedule_text(after)} instead of {schedule_text(before)}."
        ),
        typed=lambda hours: TypedAmount.of(TypedKind.backup_hours, int(hours)).text,
    )


def _recovery_cost(context: PlanContext, today: State, after: State) -> PlanCost:
    """Return the work of the change, and of the backups that a week has more."""
    if after == today:
        return PlanCost()
    plan = context.facts.settings.plan
    more = sum(
        _HOURS_PER_WEEK / float(after[key]) - _HOURS_PER_WEEK / float(today[key]) for key in today
    )
    return PlanCost(work_hours=round(plan.change_hours + more * plan.backup_hours, 2))


def schedule_text(hours: float) -> str:
    """Return ``every 5 days``, ``every day`` or ``every 12 h``."""
    days, rest = divmod(hours, HOURS_PER_DAY)
    if rest:
        return f"every {figure(hours)} h"
    return "every day" if days == 1 else f"every {counted(int(days), 'day')}"


RECOVERY: Final = register(
    _schedule("structure_backup_hours", "structures (BACKUP CFSTRUCT)"),
    _schedule("page_set_backup_hours", "page sets"),
    kind=ResourceKind.recovery,
    needs=("page_set_backup_hours", "structure_backup_hours"),
    cost=_recovery_cost,
    counts_on=frozenset({ResourceKind.active_log}),
    ways_out=f"measure the rate at which the log is read ({_READ_RATE}), allow more time for a "
    "recovery, or log less",
)
