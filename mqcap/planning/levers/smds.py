"""Buffers of shared message data sets: DSBUFS, 1 to 9,999."""

from __future__ import annotations

from math import ceil
from typing import Final

from mqcap.domain.metric import SubjectKind
from mqcap.domain.numbers import figure
from mqcap.domain.plan import PlanCost
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedKind
from mqcap.domain.units import KIB_BYTES, MIB_BYTES
from mqcap.planning.context import PlanContext
from mqcap.planning.settable import register
from mqcap.planning.single_setting import Number, SingleSetting, amount, round_values
from sizing.operands import highest

DSBUFS_MAX: Final = highest(SubjectKind.queue_manager, "smds_buffers")
_DSBLOCK_BYTES: Final = 256 * KIB_BYTES
"""Default size of a buffer (MP16); a structure with another DSBLOCK takes more or less."""


def _cost(context: PlanContext, before: Number, after: Number) -> PlanCost:
    return PlanCost(
        real_storage_mib=ceil((after - before) * _DSBLOCK_BYTES / MIB_BYTES),
        work_hours=context.facts.settings.plan.change_hours,
    )


SMDS: Final = register(
    SingleSetting(
        kind=ResourceKind.smds,
        key="smds_buffers",
        today=lambda context: context.whole_input_of("buffers"),
        needs=("DSBUFS of the structures (SMF 115 subtype 201)",),
        values=lambda _, today: round_values(today, DSBUFS_MAX),
        cost=_cost,
        text=lambda _, before, after: (
            f"Give each structure {figure(after)} buffers instead of {figure(before)}."
        ),
        typed=amount(TypedKind.smds_buffers),
        ways_out="enlarge the shared message data sets, or find what keeps messages on their "
        "queues",
        side_effects="buffers are storage above the bar of each queue manager",
    ).settable()
)
