"""Log data sets in the sizes that one can type: whole MiB and whole 3390 cylinders."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from mqcap.domain.finding import Change, Effect
from mqcap.domain.numbers import counted, figure
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from mqcap.domain.units import CYLINDER_3390_BYTES, MIB_BYTES

LOG_CAP_MIB: Final = 4_096
"""Largest active log data set (LOG-SIZE-MAX)."""
LOG_CAP_CYLINDERS: Final = 5_825
"""Most whole cylinders below that cap: 87,375 tracks."""
LOGS_MAX: Final = 310
"""Most active logs in one copy of the ring with 8-byte RBA (LOG-COUNT-MIN)."""
LOGS_RECOMMENDED: Final = 4
MIB_PER_CYLINDER: Final = CYLINDER_3390_BYTES / MIB_BYTES
LOG_CAP_ALLOCATED_MIB: Final = LOG_CAP_CYLINDERS * MIB_PER_CYLINDER
"""What the most cylinders hold: 4095.7 MiB, the largest log that advice may name."""

RESTART_NOTE: Final = "a larger log can lengthen restart after a failure"


@dataclass(frozen=True)
class Ring:
    """The active logs of one queue manager as configured; ``None`` means not told."""

    size_mib: float
    logs: int | None = None
    dual_logging: bool | None = None


def cylinders_for(needed_mib: float) -> int | None:
    """Whole cylinders that hold so much, or ``None`` when it is over the 4 GiB cap."""
    cylinders = math.ceil(needed_mib / MIB_PER_CYLINDER)
    return cylinders if cylinders <= LOG_CAP_CYLINDERS else None


def resize(ring: Ring, needed_mib: float, gain: str) -> Change:
    """Larger active logs of at least ``needed_mib`` (which must fit), and what they cost."""
    cylinders = cylinders_for(needed_mib) or LOG_CAP_CYLINDERS
    new_mib = min(math.ceil(needed_mib), LOG_CAP_ALLOCATED_MIB)
    growth_cylinders = cylinders - (cylinders_for(ring.size_mib) or LOG_CAP_CYLINDERS)
    return Change(
        action=f"Define active logs of {figure(new_mib)} MiB ({figure(cylinders)} cylinders "
        f"of 3390) instead of {figure(ring.size_mib)} MiB: {gain}.",
        amount=TypedAmount.of(TypedKind.cylinders, cylinders),
        side_effects=f"{_dasd(ring, growth_cylinders, ring.logs)}; {RESTART_NOTE}; the logs "
        "must be pre-formatted before first use.",
    )


def add_logs(ring: Ring, logs: int, gain: str, effect: Effect = Effect.enough) -> Change:
    """More active logs of the size that the ring has (or will have)."""
    cylinders = cylinders_for(ring.size_mib) or LOG_CAP_CYLINDERS
    added = logs - (ring.logs or 0)
    return Change(
        action=f"Define {counted(added, 'more active log')} of {figure(ring.size_mib)} MiB, "
        f"{logs} in each copy of the ring: {gain}.",
        amount=TypedAmount.of(TypedKind.more_data_sets, cylinders, added),
        side_effects=f"{_dasd(ring, cylinders, added)}; the logs must be pre-formatted "
        "before first use.",
        effect=effect,
    )


def spread(managers: int, why: str = "") -> Change:
    """More queue managers, where one does not hold the load."""
    return Change(
        action=f"Spread the persistent load over {managers} queue managers"
        f"{f' {why}' if why else ''}.",
        amount=TypedAmount.of(TypedKind.queue_managers, managers),
        side_effects="each has its own logs, page sets and buffer pools.",
    )


def _dasd(ring: Ring, cylinders_each: int, logs: int | None) -> str:
    """The DASD that a change takes, over all logs and copies as far as they are known."""
    copies = {True: 2, False: 1, None: None}[ring.dual_logging]
    known = cylinders_each * (logs or 1) * (copies or 1)
    text = f"DASD: {figure(known)} cylinders ({figure(round(known * MIB_PER_CYLINDER))} MiB) more"
    number = counted(logs, "log") if logs else "for each log"
    if copies is None:
        return f"{text} ({number}, one copy; twice that with dual logging)"
    return f"{text} ({number}, {'two copies' if copies == 2 else 'one copy'})"
