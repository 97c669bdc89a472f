"""Size of a structure, in steps of 8 MiB in both copies of a duplexed one (CFS-FULL)."""

from __future__ import annotations

from math import ceil
from typing import Final

from mqcap.domain.metric import SERIES_SEPARATOR
from mqcap.domain.numbers import figure
from mqcap.domain.plan import PlanCost
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from mqcap.planning.context import PlanContext
from mqcap.planning.settable import register
from mqcap.planning.single_setting import Number, SingleSetting, round_values

_STEP_MIB: Final = 8
_MOST_RATIO: Final = 20
"""Largest growth that a plan proposes (ours)."""
_KIB_PER_MIB: Final = 1_024


def _values(context: PlanContext, today: Number) -> list[int]:
    del context
    rounded = (ceil(value / _STEP_MIB) * _STEP_MIB for value in round_values(
        today, _MOST_RATIO * today
    ))  # fmt: skip
    return sorted({value for value in rounded if value > today})


def _cost(context: PlanContext, before: Number, after: Number) -> PlanCost:
    copies = len({pair.subject for pair in context.pairs})
    hours = context.facts.settings.plan.change_hours
    return PlanCost(cf_storage_mib=ceil((after - before) * copies), work_hours=hours)


def _name(context: PlanContext) -> str:
    return context.resource.path.rpartition(SERIES_SEPARATOR)[2]


STRUCTURE: Final = register(
    SingleSetting(
        kind=ResourceKind.structure,
        key="structure_size_mib",
        today=lambda context: context.input_of("size_mib"),
        needs=("the size of the structure (RMF 74 subtype 4)",),
        values=_values,
        cost=_cost,
        text=lambda context, before, after: (
            f"Give structure {_name(context)} {figure(after)} MiB instead of {figure(before)} MiB."
        ),
        typed=lambda mib: TypedAmount.of(TypedKind.structure_kib, ceil(mib) * _KIB_PER_MIB),
        ways_out="offload messages to shared message data sets, spread the queues over more "
        "structures, or find what keeps messages on them",
        side_effects="SIZE of the CFRM policy must allow it; the facility needs the storage",
    ).settable()
)
