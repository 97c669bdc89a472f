"""Channels that may be current: MAXCHL, 1 to 9,999."""

from __future__ import annotations

from typing import Final

from mqcap.domain.metric import SubjectKind
from mqcap.domain.numbers import figure
from mqcap.domain.plan import PlanCost
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedKind
from mqcap.planning.context import PlanContext
from mqcap.planning.settable import register
from mqcap.planning.single_setting import Number, SingleSetting, amount, round_values
from sizing.operands import highest

MAXCHL_MAX: Final = highest(SubjectKind.channel_initiator, "maxchl")


def _cost(context: PlanContext, before: Number, after: Number) -> PlanCost:
    del before, after
    return PlanCost(chinit_restarts=1, work_hours=context.facts.settings.plan.change_hours)


CHINIT_CHANNELS: Final = register(
    SingleSetting(
        kind=ResourceKind.chinit_channels,
        key="maxchl",
        today=lambda context: context.whole_input_of("maxchl"),
        needs=("MAXCHL of the queue manager (SMF 115 subtype 231)",),
        values=lambda _, today: round_values(today, MAXCHL_MAX),
        cost=_cost,
        text=lambda _, before, after: (
            f"Allow {figure(after)} current channels instead of {figure(before)}."
        ),
        typed=amount(TypedKind.maxchl),
        ways_out="spread the channels over more queue managers",
        side_effects="each channel takes storage of the channel initiator; TCPCHL and ACTCHL must "
        "allow as many",
    ).settable()
)
