"""A coupling facility, its structures, and shared message data sets.

Engines are at most 16 (CF-BUSY-N); a structure grows in steps of 8 MiB in both copies of a duplexed
one (CFS-FULL); shared message data sets have buffers (DSBUFS, 1 to 9,999) and space (DSEXPAND). No
record carries the size of a data set, so a plan states the new one in per cent of that of today.
"""

from collections.abc import Iterator
from math import ceil
from typing import Final

from mqcap.domain.metric import SubjectKind
from mqcap.domain.numbers import counted, figure
from mqcap.domain.plan import PlanChange, PlanCost, PlanVariant
from mqcap.domain.resource import ResourceKind
from mqcap.domain.subject import Subject
from mqcap.domain.typed_amount import TypedAmount
from mqcap.domain.units import KIB_BYTES, MIB_BYTES
from mqcap.operands.declared import SETTINGS
from mqcap.planning.context import PlanContext, State, Value
from mqcap.planning.search import Grids
from mqcap.planning.settable import Settable, register
from mqcap.planning.single_setting import (
    SIZES_PCT,
    TODAY_PCT,
    Number,
    SingleSetting,
    amount,
    least_used,
    round_values,
)

ENGINES_MAX: Final = 16
_BUSY: Final = "cf_busy_pct"


def _engines_cost(context: PlanContext, before: Number, after: Number) -> PlanCost:
    hours = context.facts.settings.plan.change_hours
    return PlanCost(engines=round(after - before), work_hours=hours)


def _other_facilities(context: PlanContext, _: State) -> tuple[PlanVariant, ...]:
    """Return the move of structures to the least busy facility; none where no other is measured."""
    least = least_used(context, SubjectKind.coupling_facility, _BUSY)
    if least is None:
        return ()
    name, busy = least
    change = PlanChange(
        subject=context.resource.path,
        text=f"Move structures to {name}, which is at most {figure(busy)} % busy, by their "
        "preference lists (CFRM policy): each takes its requests x service time along.",
        typed=f"PREFLIST: structures to {name}",
        settings={},
    )
    return (PlanVariant(changes=(change,)),)


COUPLING_FACILITY: Final = register(
    SingleSetting(
        kind=ResourceKind.coupling_facility,
        key="engines",
        today=lambda context: context.whole_input_of("engines"),
        needs=("engines of the coupling facility in the estate, or RMF 74 subtype 4",),
        values=lambda _, today: range(int(today) + 1, ENGINES_MAX + 1),
        cost=_engines_cost,
        text=lambda _, before, after: (
            f"Give the coupling facility {counted(int(after), 'engine')} instead of {before}."
        ),
        typed=amount("engines"),
        ways_out="move structures to another coupling facility, large messages to shared message "
        "data sets, or queues to channels",
        alternatives=_other_facilities,
        side_effects="load is assumed to spread evenly over the engines",
    ).settable()
)


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


def _structure_cost(context: PlanContext, before: Number, after: Number) -> PlanCost:
    copies = len({pair.subject for pair in context.pairs})
    hours = context.facts.settings.plan.change_hours
    return PlanCost(cf_storage_mib=ceil((after - before) * copies), work_hours=hours)


STRUCTURE: Final = register(
    SingleSetting(
        kind=ResourceKind.structure,
        key="structure_size_mib",
        today=lambda context: context.input_of("size_mib"),
        needs=("the size of the structure (RMF 74 subtype 4)",),
        values=_values,
        cost=_structure_cost,
        text=lambda context, before, after: (
            f"Give structure {Subject(context.resource.path).name} {figure(after)} MiB "
            f"instead of {figure(before)} MiB."
        ),
        typed=lambda mib: TypedAmount.of("structure_kib", ceil(mib) * _KIB_PER_MIB),
        ways_out="offload messages to shared message data sets, spread the queues over more "
        "structures, or find what keeps messages on them",
        side_effects="SIZE of the CFRM policy must allow it; the facility needs the storage",
    ).settable()
)


BUFFERS: Final = "smds_buffers"
SIZE: Final = "smds_size_pct"
DSBUFS_MAX: Final = SETTINGS[BUFFERS].highest
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


def _smds_cost(context: PlanContext, today: State, after: State) -> PlanCost:
    more = {key: float(after[key]) - float(today[key]) for key in today}
    added = more.get(SIZE, 0.0)
    name = Subject(context.resource.owner_subject).name
    return PlanCost(
        real_storage_mib=ceil(more.get(BUFFERS, 0.0) * _DSBLOCK_BYTES / MIB_BYTES),
        unsized=(f"+{figure(added)} % of the shared message data sets of {name}",) if added else (),
        work_hours=sum(map(bool, more.values())) * context.facts.settings.plan.change_hours
        + added * _PCT_HOURS,
    )


_PCT_HOURS: Final = 0.001
"""Makes the least space the cheapest; it is no work (ours)."""


def _changes(context: PlanContext, today: State, after: State) -> Iterator[PlanChange]:
    subject = context.resource.owner_subject
    if BUFFERS in today and after[BUFFERS] != today[BUFFERS]:
        buffers = int(after[BUFFERS])
        yield PlanChange(
            subject=subject,
            text=f"Give each structure {figure(buffers)} buffers instead of "
            f"{figure(int(today[BUFFERS]))}.",
            typed=TypedAmount.of("smds_buffers", buffers).text,
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
        cost=_smds_cost,
        each_change=_changes,
        ways_out="find what keeps messages on their queues, or keep smaller messages in the "
        "structure",
        rises=True,
    )
)
