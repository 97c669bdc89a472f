"""Schedules of backups, of page sets (REC-FORMULA-A) and of structures (CFB-INTERVAL).

They are such as people keep: each week, every so many days, each day, parts of a day.
"""

from typing import Final

from mqcap.domain.numbers import counted, figure
from mqcap.domain.plan import PlanChange, PlanCost
from mqcap.domain.resource import ResourceKind
from mqcap.domain.subject import Subject
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from mqcap.domain.units import HOURS_PER_DAY
from mqcap.planning.context import PlanContext, State
from mqcap.planning.search import Grids
from mqcap.planning.settable import Settable, register

_HOURS_PER_WEEK: Final = 168
_SCHEDULES_HOURS: Final = (168, 120, 96, 72, 48, 24, 12, 8, 6, 4, 3, 2, 1)
_READ_RATE: Final = "log_read_mib_per_s"
_SUBJECTS: Final = {
    "structure_backup_hours": "structures (BACKUP CFSTRUCT)",
    "page_set_backup_hours": "page sets",
}


def _today(context: PlanContext) -> State | None:
    sysplex, name = Subject(context.resource.owner_subject).names
    manager = context.facts.estate.queue_manager(sysplex, name)
    hours = {key: getattr(manager, key, None) for key in _SUBJECTS}
    stated: State = {key: value for key, value in hours.items() if value is not None}
    return stated or None


def _grids(context: PlanContext, today: State) -> Grids:
    del context
    return {
        key: [hours, *(value for value in _SCHEDULES_HOURS if value < float(hours))]
        for key, hours in today.items()
    }


def _recovery_cost(context: PlanContext, today: State, after: State) -> PlanCost:
    """Return the work of the change, and of the backups that a week has more."""
    if after == today:
        return PlanCost()
    plan = context.facts.settings.plan
    more = sum(
        _HOURS_PER_WEEK / float(after[key]) - _HOURS_PER_WEEK / float(today[key]) for key in today
    )
    return PlanCost(work_hours=round(plan.change_hours + more * plan.backup_hours, 2))


def _changes(context: PlanContext, today: State, after: State) -> tuple[PlanChange, ...]:
    return tuple(
        PlanChange(
            subject=context.resource.owner_subject,
            text=f"Back up the {_SUBJECTS[key]} {schedule_text(float(after[key]))} instead of "
            f"{schedule_text(float(today[key]))}.",
            typed=TypedAmount.of(TypedKind.backup_hours, int(after[key])).text,
            settings={key: after[key]},
            before={key: today[key]},
        )
        for key in today
        if after[key] != today[key]
    )


def schedule_text(hours: float) -> str:
    """Return ``every 5 days``, ``every day`` or ``every 12 h``."""
    days, rest = divmod(hours, HOURS_PER_DAY)
    if rest:
        return f"every {figure(hours)} h"
    return "every day" if days == 1 else f"every {counted(int(days), 'day')}"


RECOVERY: Final = register(
    Settable(
        kind=ResourceKind.recovery,
        today=_today,
        needs=("page_set_backup_hours", "structure_backup_hours"),
        grids=_grids,
        cost=_recovery_cost,
        each_change=_changes,
        counts_on=frozenset({ResourceKind.active_log}),
        ways_out=f"measure the rate at which the log is read ({_READ_RATE}), allow more time for a "
        "recovery, or log less",
    )
)
