"""MEMLIMIT of a channel initiator, in whole GiB (CHI-80-64BIT)."""

from __future__ import annotations

from math import ceil
from typing import Final

from mqcap.domain.numbers import figure
from mqcap.domain.plan import PlanCost
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedKind
from mqcap.domain.units import GIB_BYTES, MIB_BYTES
from mqcap.planning.context import PlanContext
from mqcap.planning.settable import register
from mqcap.planning.single_setting import Number, SingleSetting, amount

_MIB_PER_GIB: Final = GIB_BYTES // MIB_BYTES
_GIB_MAX: Final = 64
"""Largest value that a plan proposes (ours; MEMLIMIT itself goes much further)."""


def _today(context: PlanContext) -> Number | None:
    used, share = context.input_of("used_mib"), context.input_of("used_pct")
    return None if used is None or not share else round(100 * used / share / _MIB_PER_GIB, 3)


def _cost(context: PlanContext, before: Number, after: Number) -> PlanCost:
    return PlanCost(
        above_bar_mib=ceil((after - before) * _MIB_PER_GIB),
        chinit_restarts=1,
        work_hours=context.facts.settings.plan.change_hours,
    )


CHINIT_STORAGE_64BIT: Final = register(
    SingleSetting(
        kind=ResourceKind.chinit_storage_64bit,
        key="memlimit_gib",
        today=_today,
        needs=("the 64-bit storage of the channel initiator (CSQX004I)",),
        values=lambda _, today: range(int(today) + 1, _GIB_MAX + 1),
        cost=_cost,
        text=lambda _, before, after: (
            f"Raise MEMLIMIT of the channel initiator to {after} GiB from {figure(before)} GiB."
        ),
        typed=amount(TypedKind.memlimit_gib),
        ways_out="run fewer or smaller channels here, on more queue managers",
        side_effects="MEMLIMIT bounds virtual storage and takes none: real and auxiliary storage "
        "must back what is used of it; IEFUSI and SMFLIMxx can override it",
    ).settable()
)
