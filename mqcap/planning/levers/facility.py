"""A coupling facility, its structures, and shared message data sets.

Engines are at most 16 (CF-BUSY-N); a structure grows in steps of 8 MiB in both copies of a duplexed
one (CFS-FULL); shared message data sets have buffers (DSBUFS, 1 to 9,999) and space (DSEXPAND). No
record carries the size of a data set, so a plan states the new one in per cent of that of today.
"""

from math import ceil
from typing import Any, Final

from mqcap.domain.metric import SubjectKind
from mqcap.domain.numbers import figure
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedAmount
from mqcap.domain.units import KIB_BYTES, MIB_BYTES
from mqcap.planning.context import PlanContext
from mqcap.planning.settable import (
    SIZES_PCT,
    TODAY_PCT,
    Number,
    operand,
    register,
    round_values,
    to_least_used,
)

COUPLING_FACILITY: Final = register(
    operand(
        "engines",
        today=lambda context: context.whole_input_of("engines"),
        cost=lambda _, before, after: {"engines": round(after - before)},
    ),
    alternatives=to_least_used(
        SubjectKind.coupling_facility,
        "cf_busy_pct",
        "Move structures to {name}, which is at most {used} % busy, by their preference lists "
        "(CFRM policy): each takes its requests x service time along.",
        "PREFLIST: structures to {name}",
    ),
)


_STEP_MIB: Final = 8
_MOST_RATIO: Final = 20
"""Largest growth that a plan proposes (ours)."""
_KIB_PER_MIB: Final = 1_024


def _sizes(_: PlanContext, today: Number) -> list[int]:
    values = round_values(today, _MOST_RATIO * today)
    rounded = {ceil(value / _STEP_MIB) * _STEP_MIB for value in values}
    return sorted(value for value in rounded if value > today)


STRUCTURE: Final = register(
    operand(
        "structure_size_mib",
        today=lambda context: context.input_of("size_mib"),
        values=_sizes,
        cost=lambda context, before, after: {
            "cf_storage_mib": ceil((after - before) * len({pair.subject for pair in context.pairs}))
        },
        text=lambda context, before, after: (
            f"Give structure {context.resource.path.name} {figure(after)} MiB "
            f"instead of {figure(before)} MiB."
        ),
        typed=lambda mib: TypedAmount.of("structure_kib", ceil(mib) * _KIB_PER_MIB).text,
        side_effects="SIZE of the CFRM policy must allow it; the facility needs the storage",
    ),
    kind=ResourceKind.structure,
    needs=("the size of the structure (RMF 74 subtype 4)",),
    ways_out="offload messages to shared message data sets, spread the queues over more "
    "structures, or find what keeps messages on them",
)


_DSBLOCK_BYTES: Final = 256 * KIB_BYTES
"""Default size of a buffer (MP16); a structure with another DSBLOCK takes more or less."""
_PCT_HOURS: Final = 0.001
"""Makes the least space the cheapest; it is no work (ours)."""


def _space_cost(context: PlanContext, before: Number, after: Number) -> dict[str, Any]:
    added = float(after - before)
    name = context.owner_subject.name
    sets = f"+{figure(added)} % of the shared message data sets of {name}"
    return {"unsized": (sets,), "work_hours": added * _PCT_HOURS}


SMDS: Final = register(
    operand(
        "smds_buffers",
        today=lambda context: context.whole_input_of("buffers"),
        cost=lambda _, before, after: {
            "real_storage_mib": ceil((after - before) * _DSBLOCK_BYTES / MIB_BYTES)
        },
    ),
    operand(
        "smds_size_pct",
        today=lambda context: TODAY_PCT if context.is_measured("smds_used_pct") else None,
        values=lambda *_: SIZES_PCT,
        cost=_space_cost,
        text=lambda *sizes: (
            f"Let its shared message data sets become {figure(sizes[-1] / TODAY_PCT)} times as "
            "large as they are: DSEXPAND(YES) of their structures, or larger data sets."
        ),
        typed=lambda pct: f"DSEXPAND(YES), {figure(pct / TODAY_PCT)} times the space",
        side_effects="the volumes must have the space; a data set expands by its secondary "
        "allocation",
    ),
    rises=True,
)
