"""Engines of a coupling facility: at most 16 (CF-BUSY-N)."""

from __future__ import annotations

from typing import Final

from mqcap.domain.numbers import counted
from mqcap.domain.plan import PlanCost
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedKind
from mqcap.planning.context import PlanContext
from mqcap.planning.settable import register
from mqcap.planning.single_setting import Number, SingleSetting, amount

ENGINES_MAX: Final = 16


def _cost(context: PlanContext, before: Number, after: Number) -> PlanCost:
    hours = context.facts.settings.plan.change_hours
    return PlanCost(engines=round(after - before), work_hours=hours)


COUPLING_FACILITY: Final = register(
    SingleSetting(
        kind=ResourceKind.coupling_facility,
        key="engines",
        today=lambda context: context.whole_input_of("engines"),
        needs=("engines of the coupling facility in the estate, or RMF 74 subtype 4",),
        values=lambda _, today: range(int(today) + 1, ENGINES_MAX + 1),
        cost=_cost,
        text=lambda _, before, after: (
            f"Give the coupling facility {counted(int(after), 'engine')} instead of {before}."
        ),
        typed=amount(TypedKind.engines),
        ways_out="move structures to another coupling facility, large messages to shared message "
        "data sets, or queues to channels",
        side_effects="load is assumed to spread evenly over the engines",
    ).settable()
)
