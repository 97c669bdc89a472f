"""Settings of a channel initiator: adapters, other tasks, MAXCHL and MEMLIMIT.

Adapters are 30, then more, up to the 120 that MP16 measured; MAXCHL goes to 9,999; MEMLIMIT is in
whole GiB (CHI-80-64BIT). Dispatchers and TLS tasks, and the processes that OMVS allows, are planned
together.
"""

from __future__ import annotations

from math import ceil
from typing import Final

from mqcap.domain.numbers import figure
from mqcap.domain.plan import PlanChange, PlanCost
from mqcap.domain.resource import ResourceKind
from mqcap.domain.units import GIB_BYTES, MIB_BYTES
from mqcap.operands.declared import SETTINGS
from mqcap.planning.context import PlanContext, State, Value
from mqcap.planning.search import Grids
from mqcap.planning.settable import Settable, register
from mqcap.planning.single_setting import Number, SingleSetting, amount, change_cost, round_values
from mqcap.whatif.sizes import task_storage_mib

_VALUES: Final = (30, 40, 60, 80, 120)
"""30 are enough up to four processors, 120 had no significant disadvantage (MP16, CHIADAPS)."""


def _adapters_cost(context: PlanContext, before: Number, after: Number) -> PlanCost:
    return PlanCost(
        chinit_restarts=1,
        chinit_31bit_mib=round(task_storage_mib("adapters", after - before), 2),
        work_hours=context.facts.settings.plan.change_hours,
    )


CHINIT_ADAPTERS: Final = register(
    SingleSetting(
        kind=ResourceKind.chinit_adapters,
        key="adapters",
        today=lambda context: context.whole_input_of("adapters"),
        needs=("the number of adapters (SMF 115 subtype 231)",),
        values=lambda _, today: [value for value in _VALUES if value > today],
        cost=_adapters_cost,
        text=lambda _, before, after: f"Run {after} adapter tasks instead of {before}.",
        typed=amount("adapters"),
        ways_out="find what holds adapters: long MQ calls, such as commits that wait for the log",
        side_effects="each adapter takes 31-bit storage of the channel initiator",
    ).settable()
)


MAXCHL_MAX: Final = SETTINGS["maxchl"].highest


CHINIT_CHANNELS: Final = register(
    SingleSetting(
        kind=ResourceKind.chinit_channels,
        key="maxchl",
        today=lambda context: context.whole_input_of("maxchl"),
        needs=("MAXCHL of the queue manager (SMF 115 subtype 231)",),
        values=lambda _, today: round_values(today, MAXCHL_MAX),
        cost=change_cost(chinit_restarts=1),
        text=lambda _, before, after: (
            f"Allow {figure(after)} current channels instead of {figure(before)}."
        ),
        typed=amount("maxchl"),
        ways_out="spread the channels over more queue managers",
        side_effects="each channel takes storage of the channel initiator; TCPCHL and ACTCHL must "
        "allow as many",
    ).settable()
)


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
    SingleSetting(
        kind=ResourceKind.chinit_storage_64bit,
        key="memlimit_gib",
        today=_memlimit_today,
        needs=("the 64-bit storage of the channel initiator (CSQX004I)",),
        values=lambda _, today: range(int(today) + 1, _GIB_MAX + 1),
        cost=_memlimit_cost,
        text=lambda _, before, after: (
            f"Raise MEMLIMIT of the channel initiator to {after} GiB from {figure(before)} GiB."
        ),
        typed=amount("memlimit_gib"),
        ways_out="run fewer or smaller channels here, on more queue managers",
        side_effects="MEMLIMIT bounds virtual storage and takes none: real and auxiliary storage "
        "must back what is used of it; IEFUSI and SMFLIMxx can override it",
    ).settable()
)


_SERIES: Final = {
    "dispatchers": "chinit_dispatchers_count",
    "ssltasks": "chinit_ssltasks_count",
}
_MOST: Final = {
    "dispatchers": 100,
    "ssltasks": 100,
    "omvs_maxprocuser": SETTINGS["omvs_maxprocuser"].highest,
}
"""TCP/IP uses 100 dispatchers at most; as many TLS tasks are proposed at most (ours)."""
_TYPED: Final = {
    "dispatchers": "CHIDISPS({value})",
    "ssltasks": "SSLTASKS({value})",
    "omvs_maxprocuser": "MAXPROCUSER({value})",
}
_NAMES: Final = {
    "dispatchers": "dispatchers",
    "ssltasks": "TLS tasks",
    "omvs_maxprocuser": "processes for the user of the channel initiator",
}


def _tasks_today(context: PlanContext) -> State | None:
    subject = context.pairs[0].subject
    state: dict[str, Value] = {}
    for key, metric in _SERIES.items():
        days = context.facts.observed.days(metric, subject)
        if days and days[-1].peak:
            state[key] = round(days[-1].peak)
    processes = context.whole_input_of("maxprocuser")
    if processes is not None:
        state["omvs_maxprocuser"] = processes
    return state or None


def _grids(context: PlanContext, today: State) -> Grids:
    del context
    return {key: [value, *round_values(int(value), _MOST[key])] for key, value in today.items()}


def _tasks_cost(context: PlanContext, today: State, after: State) -> PlanCost:
    changed = [key for key in today if after[key] != today[key]]
    if not changed:
        return PlanCost()
    restarts = 1 if set(changed) & _SERIES.keys() else 0
    added = sum(int(after[key]) - int(today[key]) for key in changed)
    hours = context.facts.settings.plan.change_hours
    mib = sum(
        task_storage_mib(key, int(after[key]) - int(today[key]))
        for key in changed
        if key in _SERIES
    )
    return PlanCost(
        chinit_restarts=restarts,
        chinit_31bit_mib=round(mib, 2),
        work_hours=hours + round(added * _TASK_HOURS, 3),
    )


_TASK_HOURS: Final = 0.001
"""Makes the fewest tasks the cheapest; it is no work (ours)."""


def _changes(context: PlanContext, today: State, after: State) -> tuple[PlanChange, ...]:
    subject = context.pairs[0].subject
    return tuple(
        PlanChange(
            subject=subject,
            text=f"Run {figure(int(after[key]))} {_NAMES[key]} instead of "
            f"{figure(int(today[key]))}.",
            typed=_TYPED[key].format(value=after[key]),
            settings={key: after[key]},
            before={key: today[key]},
            side_effects="each task takes 31-bit storage of the channel initiator"
            if key in _SERIES
            else "",
        )
        for key in today
        if after[key] != today[key]
    )


CHINIT_TASKS: Final = register(
    Settable(
        kind=ResourceKind.chinit_tasks,
        today=_tasks_today,
        needs=("the number of dispatchers (SMF 115 subtype 231)",),
        grids=_grids,
        cost=_tasks_cost,
        changes=_changes,
        ways_out="spread the channels over more queue managers",
    )
)
