"""Server-connection channel of a distributed queue manager: MAXINST and MAXINSTC.

A channel has a plan where one of them is set; the default is no limit. Instances count for
MaxActiveChannels and MaxChannels of the queue manager too, which no change here raises.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mqcap.domain.metric import SubjectKind
from mqcap.domain.numbers import figure
from mqcap.domain.plan import PlanChange, PlanCost
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from mqcap.planning.context import PlanContext, State
from mqcap.planning.search import Grids
from mqcap.planning.settable import Settable, register
from mqcap.planning.single_setting import measured_count, round_values
from mqcap.whatif.sizes import COUNTS
from sizing.operands import highest

ALL: Final = "max_instances"
OF_CLIENT: Final = "max_client_instances"
_TYPED: Final = {ALL: TypedKind.max_instances, OF_CLIENT: TypedKind.max_client_instances}
_WORDS: Final = {
    ALL: "Allow {after} instances of the channel instead of {before}.",
    OF_CLIENT: "Allow {after} instances from one network address instead of {before}.",
}
_EFFECTS: Final = "more instances count for MaxActiveChannels and MaxChannels of the queue manager"
_WHO: Final = (
    "look who connects so often (DISPLAY CHSTATUS: CONNAME, RAPPLTAG); a higher limit helps only "
    "where so many instances are meant"
)


def _today(context: PlanContext) -> State | None:
    measured = {key: measured_count(context, COUNTS[key]) for key in _TYPED}
    return {key: value for key, value in measured.items() if value is not None} or None


def _grids(context: PlanContext, today: State) -> Grids:
    del context
    return {
        key: [value, *round_values(int(value), highest(SubjectKind.distributed_channel, key))]
        for key, value in today.items()
    }


def _cost(context: PlanContext, today: State, after: State) -> PlanCost:
    changed = sum(after[key] != value for key, value in today.items())
    return PlanCost(work_hours=changed * context.facts.settings.plan.change_hours)


def _changes(context: PlanContext, today: State, after: State) -> tuple[PlanChange, ...]:
    return tuple(_each_change(context, today, after))


def _each_change(context: PlanContext, today: State, after: State) -> Iterator[PlanChange]:
    for key, before in today.items():
        value = int(after[key])
        if value != before:
            yield PlanChange(
                subject=context.resource.path,
                text=_WORDS[key].format(after=figure(value), before=figure(int(before))),
                typed=TypedAmount.of(_TYPED[key], value).text,
                settings={key: value},
                before={key: before},
                side_effects=_EFFECTS,
            )


MQ_CHANNEL: Final = register(
    Settable(
        kind=ResourceKind.mq_channel,
        today=_today,
        needs=("MAXINST of the channel (DISPLAY CHANNEL)",),
        grids=_grids,
        cost=_cost,
        changes=_changes,
        rises=True,
        cause=lambda _: _WHO,
        ways_out="fewer connections of the application, or a channel of its own for each",
    )
)
