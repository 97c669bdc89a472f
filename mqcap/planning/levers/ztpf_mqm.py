"""Memory of the 64-bit queues of a z/TPF system (MQM), in whole MB, up to ten times that of today.

A display shows blocks of 4 KB and MQM is defined in MB, read here as the million bytes that they
are elsewhere in the report; where they are more, there are more blocks than planned. That a new
size counts from the next IPL on was found in no document (ours), and what an IPL costs is ours.
"""

from typing import Final

from mqcap.domain.numbers import figure
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedAmount
from mqcap.domain.units import MIB_BYTES, PAGE_BYTES
from mqcap.planning.context import PlanContext
from mqcap.planning.settable import Number, operand, register, round_values
from sizing.mqm import blocks_of, megabytes_of

TIMES_MAX: Final = 10
"""Times the size of today that is looked at (ours)."""


def _values(_: PlanContext, today: Number) -> list[int]:
    megabytes = megabytes_of(today)
    return [blocks_of(size) for size in round_values(megabytes, TIMES_MAX * megabytes)]


def _text(_: PlanContext, before: Number, after: Number) -> str:
    return (
        f"Define {figure(megabytes_of(after))} MB of MQM, in MB of 10^6 bytes as it is typed "
        f"({figure(after)} blocks of {figure(PAGE_BYTES)} bytes), instead of "
        f"{figure(megabytes_of(before))} MB ({figure(before)} blocks): {figure(after - before)} "
        f"blocks more are {figure(_mib_of(after - before))} MiB."
    )


def _mib_of(blocks: Number) -> float:
    return round(blocks * PAGE_BYTES / MIB_BYTES, 2)


ZTPF_MQM: Final = register(
    operand(
        "mqm_blocks",
        today=lambda context: context.whole_input_of("blocks"),
        values=_values,
        cost=lambda _, before, after: {"real_storage_mib": _mib_of(after - before), "ipls": 1},
        text=_text,
        typed=lambda blocks: TypedAmount.of("mqm_mb", megabytes_of(blocks)).text,
        side_effects="memory of that size; the next planned IPL is soon enough while it is "
        "before the day on which the limit breaks; that it counts from the next IPL on was "
        "found in no document (ours)",
    ),
    kind=ResourceKind.ztpf_mqm,
    needs=("blocks of MQM (ZMQSC DISPLAY QMGR)",),
    ways_out="get messages sooner, so that fewer wait, or move queues to another system",
)
