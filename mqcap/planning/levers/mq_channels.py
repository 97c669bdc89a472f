"""Channels of a distributed queue manager: MaxChannels, up to 65,535."""

from __future__ import annotations

from typing import Final

from mqcap.domain.metric import SubjectKind
from mqcap.domain.numbers import figure
from mqcap.domain.plan import PlanCost
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedKind
from mqcap.planning.context import PlanContext
from mqcap.planning.settable import register
from mqcap.planning.single_setting import (
    Number,
    SingleSetting,
    amount,
    measured_count,
    round_values,
)
from mqcap.whatif.sizes import COUNTS
from sizing.operands import highest

KEY: Final = "max_channels"
MAX_CHANNELS_MAX: Final = highest(SubjectKind.distributed_queue_manager, KEY)


def _cost(context: PlanContext, before: Number, after: Number) -> PlanCost:
    del before, after
    return PlanCost(queue_manager_restarts=1, work_hours=context.facts.settings.plan.change_hours)


MQ_CHANNELS: Final = register(
    SingleSetting(
        kind=ResourceKind.mq_channels,
        key=KEY,
        today=lambda context: measured_count(context, COUNTS[KEY]),
        needs=("MaxChannels (qm.ini)",),
        values=lambda _, today: round_values(today, MAX_CHANNELS_MAX),
        cost=_cost,
        text=lambda _, before, after: (
            f"Allow {figure(after)} current channels instead of {figure(before)}."
        ),
        typed=amount(TypedKind.max_channels),
        ways_out="spread the clients over more queue managers, or let them share connections",
        side_effects="MaxActiveChannels must allow as many where it is set; so must the limits of "
        "processes, threads and files of the host (mqconfig)",
    ).settable()
)
