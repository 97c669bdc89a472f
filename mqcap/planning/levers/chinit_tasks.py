"""Tasks of a channel initiator: dispatchers, TLS tasks, and the processes that OMVS allows."""

from __future__ import annotations

from typing import Final

from mqcap.domain.metric import SubjectKind
from mqcap.domain.numbers import figure
from mqcap.domain.plan import PlanChange, PlanCost
from mqcap.domain.resource import ResourceKind
from mqcap.planning.context import PlanContext, State, Value
from mqcap.planning.search import Grids
from mqcap.planning.settable import Settable, register
from mqcap.planning.single_setting import round_values
from mqcap.whatif.sizes import task_storage_mib
from sizing.operands import highest

_SERIES: Final = {
    "dispatchers": "chinit_dispatchers_count",
    "ssltasks": "chinit_ssltasks_count",
}
_MOST: Final = {
    "dispatchers": 100,
    "ssltasks": 100,
    "omvs_maxprocuser": highest(SubjectKind.channel_initiator, "omvs_maxprocuser"),
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


def _today(context: PlanContext) -> State | None:
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


def _cost(context: PlanContext, today: State, after: State) -> PlanCost:
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
        today=_today,
        needs=("the number of dispatchers (SMF 115 subtype 231)",),
        grids=_grids,
        cost=_cost,
        changes=_changes,
        ways_out="spread the channels over more queue managers",
    )
)
