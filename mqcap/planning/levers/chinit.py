"""Tasks and MEMLIMIT of a channel initiator.

MEMLIMIT is in whole GiB (CHI-80-64BIT). Dispatchers and TLS tasks, and the processes that OMVS
allows, are planned together.
"""

from math import ceil
from typing import Final

from mqcap.domain.plan import PlanCost
from mqcap.domain.units import GIB_BYTES, MIB_BYTES
from mqcap.planning.context import PlanContext, State
from mqcap.planning.settable import Number, measured_count, operand, register
from mqcap.whatif.sizes import task_storage_mib

_MIB_PER_GIB: Final = GIB_BYTES // MIB_BYTES


def _memlimit_today(context: PlanContext) -> Number | None:
    mib = context.whole_of("used_mib")
    return None if mib is None else round(mib / _MIB_PER_GIB, 3)


CHINIT_STORAGE_64BIT: Final = register(
    operand(
        "memlimit_gib",
        today=_memlimit_today,
        cost=lambda _, before, after: {
            "above_bar_mib": ceil((after - before) * _MIB_PER_GIB),
            "chinit_restarts": 1,
        },
    )
)


_TASKS: Final = ("dispatchers", "ssltasks")
_TASK_HOURS: Final = 0.001
"""Makes the fewest tasks the cheapest; it is no work (ours)."""


def _tasks_cost(context: PlanContext, today: State, after: State) -> PlanCost:
    """Return the cost of one change request, whatever changes, and of one restart for tasks."""
    more = {key: int(after[key]) - int(today[key]) for key in today if after[key] != today[key]}
    if not more:
        return PlanCost()
    tasks = {key: count for key, count in more.items() if key in _TASKS}
    hours = context.facts.settings.plan.change_hours
    return PlanCost(
        chinit_restarts=1 if tasks else 0,
        chinit_31bit_mib=round(sum(task_storage_mib(*item) for item in tasks.items()), 2),
        work_hours=hours + round(sum(more.values()) * _TASK_HOURS, 3),
    )


CHINIT_TASKS: Final = register(
    operand("dispatchers", today=lambda context: measured_count(context, "dispatchers") or None),
    operand("ssltasks", today=lambda context: measured_count(context, "ssltasks") or None),
    operand("omvs_maxprocuser", today=lambda context: context.whole_input_of("maxprocuser")),
    cost=_tasks_cost,
)
