"""Shared message data sets: their space (DSEXPAND), and their buffers (DSBUFS, 1 to 9,999).

No record carries the size of a data set, so a plan states the new one in per cent of that of today.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from typing import Final

from mqcap.domain.metric import SERIES_SEPARATOR, SubjectKind
from mqcap.domain.numbers import figure
from mqcap.domain.plan import PlanChange, PlanCost
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from mqcap.domain.units import KIB_BYTES, MIB_BYTES
from mqcap.planning.context import PlanContext, State, Value
from mqcap.planning.log_room import SIZES_PCT, TODAY_PCT
from mqcap.planning.search import Grids
from mqcap.planning.settable import Settable, register
from mqcap.planning.single_setting import round_values
from sizing.operands import highest

BUFFERS: Final = "smds_buffers"
SIZE: Final = "smds_size_pct"
DSBUFS_MAX: Final = highest(SubjectKind.queue_manager, BUFFERS)
_DSBLOCK_BYTES: Final = 256 * KIB_BYTES
"""Default size of a buffer (MP16); a structure with another DSBLOCK takes more or less."""


def _today(context: PlanContext) -> State | None:
    """Return what is measured of buffers and space; ``None`` where neither is."""
    buffers = context.whole_input_of("buffers")
    state: dict[str, Value] = {} if buffers is None else {BUFFERS: buffers}
    if context.facts.observed.days("smds_used_pct", context.resource.owner_subject):
        state[SIZE] = TODAY_PCT
    return state or None


def _grids(_: PlanContext, today: State) -> Grids:
    every: Grids = {SIZE: (TODAY_PCT, *SIZES_PCT)}
    if BUFFERS in today:
        buffers = int(today[BUFFERS])
        every = {BUFFERS: [buffers, *round_values(buffers, DSBUFS_MAX)], **every}
    return {key: every[key] for key in every if key in today}


def _cost(context: PlanContext, today: State, after: State) -> PlanCost:
    more = {key: float(after[key]) - float(today[key]) for key in today}
    added = more.get(SIZE, 0.0)
    name = context.resource.owner_subject.rpartition(SERIES_SEPARATOR)[2]
    return PlanCost(
        real_storage_mib=ceil(more.get(BUFFERS, 0.0) * _DSBLOCK_BYTES / MIB_BYTES),
        unsized=(f"+{figure(added)} % of the shared message data sets of {name}",) if added else (),
        work_hours=sum(map(bool, more.values())) * context.facts.settings.plan.change_hours
        + added * _PCT_HOURS,
    )


_PCT_HOURS: Final = 0.001
"""Makes the least space the cheapest; it is no work (ours)."""


def _changes(context: PlanContext, today: State, after: State) -> tuple[PlanChange, ...]:
    return tuple(_each_change(context, today, after))


def _each_change(context: PlanContext, today: State, after: State) -> Iterator[PlanChange]:
    subject = context.resource.owner_subject
    if BUFFERS in today and after[BUFFERS] != today[BUFFERS]:
        buffers = int(after[BUFFERS])
        yield PlanChange(
            subject=subject,
            text=f"Give each structure {figure(buffers)} buffers instead of "
            f"{figure(int(today[BUFFERS]))}.",
            typed=TypedAmount.of(TypedKind.smds_buffers, buffers).text,
            settings={BUFFERS: buffers},
            before={BUFFERS: today[BUFFERS]},
            side_effects="buffers are storage above the bar of each queue manager",
        )
    if SIZE in today and after[SIZE] != today[SIZE]:
        times = figure(int(after[SIZE]) / TODAY_PCT)
        yield PlanChange(
            subject=subject,
            text=f"Let its shared message data sets become {times} times as large as they are: "
            "DSEXPAND(YES) of their structures, or larger data sets.",
            typed=f"DSEXPAND(YES), {times} times the space",
            settings={SIZE: after[SIZE]},
            before={SIZE: today[SIZE]},
            side_effects="the volumes must have the space; a data set expands by its secondary "
            "allocation",
        )


SMDS: Final = register(
    Settable(
        kind=ResourceKind.smds,
        today=_today,
        needs=("the use of the shared message data sets (SMF 115 subtype 201)",),
        grids=_grids,
        cost=_cost,
        changes=_changes,
        ways_out="find what keeps messages on their queues, or keep smaller messages in the "
        "structure",
        rises=True,
    )
)
