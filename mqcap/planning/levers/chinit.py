"""Tasks and MEMLIMIT of a channel initiator.

MEMLIMIT is in whole GiB (CHI-80-64BIT). Dispatchers and TLS tasks, and the processes that OMVS
allows, are planned together.
"""

from math import ceil
from typing import Final

from mqcap.domain.plan import PlanChange, PlanCost
from mqcap.domain.resource import ResourceKind
from mqcap.domain.units import GIB_BYTES, MIB_BYTES
from mqcap.operands.declared import SETTINGS
from mqcap.planning.context import PlanContext, State, Value
from mqcap.planning.settable import Settable, register
from mqcap.planning.single_setting import Number, declared, several_changes, several_grids
from mqcap.whatif.sizes import task_storage_mib

_MIB_PER_GIB: Final = GIB_BYTES // MIB_BYTES
_GIB_MAX: Final = 64
"""Largest value that a plan proposes (ours; MEMLIMIT itself goes much further)."""


def _memlimit_today(context: PlanContext) -> Number | None:
    used, share = context.input_of("used_mib"), context.input_of("used_pct")
    return None if used is None or not share else round(100 * used / share / _MIB_PER_GIB, 3)


def _memlimit_cost(context: PlanContext, before: Number, after: Number) -> PlanCost:
    return PlanCost(
        above_bar_mib=ceil((after - before) * _MIB_PER_GIB),
        chinit_restarts=1,
        work_hours=context.facts.settings.plan.change_hours,
    )


CHINIT_STORAGE_64BIT: Final = register(
    declared(
        "memlimit_gib",
        today=_memlimit_today,
        values=lambda _, today: range(int(today) + 1, _GIB_MAX + 1),
        cost=_memlimit_cost,
    ).settable()
)


_TASKS: Final = ("dispatchers", "ssltasks")


def _tasks_today(context: PlanContext) -> State | None:
    subject = context.pairs[0].subject
    state: dict[str, Value] = {}
    for key in _TASKS:
        days = context.facts.observed.days(SETTINGS[key].measured, subject)
        if days and days[-1].peak:
            state[key] = round(days[-1].peak)
    processes = context.whole_input_of("maxprocuser")
    if processes is not None:
        state["omvs_maxprocuser"] = processes
    return state or None


def _tasks_cost(context: PlanContext, today: State, after: State) -> PlanCost:
    changed = [key for key in today if after[key] != today[key]]
    if not changed:
        return PlanCost()
    restarts = 1 if set(changed) & set(_TASKS) else 0
    added = sum(int(after[key]) - int(today[key]) for key in changed)
    hours = context.facts.settings.plan.change_hours
    mib = sum(
        task_storage_mib(key, int(after[key]) - int(today[key])) for key in changed if key in _TASKS
    )
    return PlanCost(
        chinit_restarts=restarts,
        chinit_31bit_mib=round(mib, 2),
        work_hours=hours + round(added * _TASK_HOURS, 3),
    )


_TASK_HOURS: Final = 0.001
"""Makes the fewest tasks the cheapest; it is no work (ours)."""


def _changes(context: PlanContext, today: State, after: State) -> tuple[PlanChange, ...]:
    return several_changes(context, today, after, context.pairs[0].subject)


CHINIT_TASKS: Final = register(
    Settable(
        kind=ResourceKind.chinit_tasks,
        today=_tasks_today,
        needs=("the number of dispatchers (SMF 115 subtype 231)",),
        grids=several_grids,
        cost=_tasks_cost,
        each_change=_changes,
        ways_out="spread the channels over more queue managers",
    )
)
