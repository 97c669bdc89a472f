"""Queue of a distributed queue manager: MAXDEPTH and MAXFSIZE, each where it is known."""

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

DEPTH: Final = "max_depth"
FILE: Final = "max_file_mib"
_TYPED: Final = {DEPTH: TypedKind.max_depth, FILE: TypedKind.max_file_mib}
_WORDS: Final = {
    DEPTH: "Let {after} messages wait on the queue instead of {before}.",
    FILE: "Let the file of the queue grow to {after} MiB instead of {before}.",
}
_EFFECTS: Final = {
    DEPTH: "more messages take more of the queue file and of its file system",
    FILE: "where the block size changes the queue must be empty once (AMQ7493)",
}


def _today(context: PlanContext) -> State | None:
    measured = {key: measured_count(context, COUNTS[key]) for key in _TYPED}
    return {key: value for key, value in measured.items() if value is not None} or None


def _grids(context: PlanContext, today: State) -> Grids:
    del context
    return {
        key: [value, *round_values(int(value), highest(SubjectKind.distributed_queue, key))]
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
                side_effects=_EFFECTS[key],
            )


MQ_QUEUE: Final = register(
    Settable(
        kind=ResourceKind.mq_queue,
        today=_today,
        needs=("MAXDEPTH of the queue (DISPLAY QLOCAL)",),
        grids=_grids,
        cost=_cost,
        changes=_changes,
        rises=True,
        ways_out="more or faster consumers, or expiry of messages",
    )
)
