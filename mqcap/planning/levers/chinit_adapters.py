"""Adapter tasks of a channel initiator: 30, then more, up to the 120 that MP16 measured."""

from __future__ import annotations

from typing import Final

from mqcap.domain.plan import PlanCost
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedKind
from mqcap.planning.context import PlanContext
from mqcap.planning.settable import register
from mqcap.planning.single_setting import Number, SingleSetting, amount
from mqcap.whatif.sizes import task_storage_mib

_VALUES: Final = (30, 40, 60, 80, 120)
"""30 are enough up to four processors, 120 had no significant disadvantage (MP16, CHIADAPS)."""


def _cost(context: PlanContext, before: Number, after: Number) -> PlanCost:
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
        cost=_cost,
        text=lambda _, before, after: f"Run {after} adapter tasks instead of {before}.",
        typed=amount(TypedKind.adapters),
        ways_out="find what holds adapters: long MQ calls, such as commits that wait for the log",
        side_effects="each adapter takes 31-bit storage of the channel initiator",
    ).settable()
)
