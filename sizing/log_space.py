"""Active log data sets in the sizes that can be typed: MiB and 3390 cylinders, both integers."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Annotated, Final

from pydantic import AfterValidator, Field

from mqcap.domain.finding import Change, Effect
from mqcap.domain.metric import Statistic
from mqcap.domain.numbers import counted, figure
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from mqcap.domain.units import CYLINDER_3390_BYTES, MIB_BYTES, Amount
from sizing.rulebook.assessment import spread
from sizing.rulebook.input_sources import FromEstate, FromMetric

LOG_CAP_MIB: Final = 4_096
"""Largest active log data set (LOG-SIZE-MAX)."""
LOG_CAP_CYLINDERS: Final = 5_825
"""Most full cylinders below that cap: 87,375 tracks."""
LOGS_MAX: Final = 310
"""Most active logs in one copy with 8-byte RBA (LOG-COUNT-MIN)."""
LOGS_RECOMMENDED: Final = 4
RUNWAY_MIN_H: Final = 12
"""Hours that all logs should last (LOG-RUNWAY-12H): IBM advises 12 to 24, as a guideline."""
MIB_PER_CYLINDER: Final = CYLINDER_3390_BYTES / MIB_BYTES
LOG_CAP_ALLOCATED_MIB: Final = LOG_CAP_CYLINDERS * MIB_PER_CYLINDER
"""Capacity of the most cylinders: 4095.7 MiB, the largest log that advice may name."""

GROWTH: Final = "log_growth_mib_per_s"
GROWTH_RECORD: Final = "SMF 115 subtype 1"

RESTART_NOTE: Final = "a larger log can lengthen restart after a failure"


@dataclass(frozen=True)
class ActiveLogs:
    """The active logs of one queue manager as configured; ``None``: not configured."""

    size_mib: float
    logs: int | None = None
    dual_logging: bool | None = None


def cylinders_for(needed_mib: float) -> int | None:
    """Return the fewest cylinders that hold so much; ``None`` over the cap of 4 GiB."""
    cylinders = math.ceil(needed_mib / MIB_PER_CYLINDER)
    return cylinders if cylinders <= LOG_CAP_CYLINDERS else None


def allocated_mib(size_mib: float) -> float:
    """Return the size of a log as it was allocated: 4,095 MiB are CYL(5825), rounded down."""
    is_rounded = math.floor(LOG_CAP_ALLOCATED_MIB) <= size_mib < LOG_CAP_ALLOCATED_MIB
    return LOG_CAP_ALLOCATED_MIB if is_rounded else size_mib


LogSizeMib = Annotated[float, Field(gt=0, le=LOG_CAP_MIB), AfterValidator(allocated_mib)]
"""Size of an active log as configured."""
LogSize = Annotated[
    LogSizeMib, FromEstate("active_log_size_mib", "DISPLAY LOG or a print of the BSDS")
]
LogCount = Annotated[int, Field(ge=2, le=LOGS_MAX), FromEstate("active_logs", "DISPLAY LOG")]
Dual = Annotated[bool | None, FromEstate("dual_logging", "DISPLAY LOG")]
PeakRate = Annotated[Amount, FromMetric(GROWTH, record=GROWTH_RECORD)]
DayMean = Annotated[Amount, FromMetric(GROWTH, Statistic.mean, record=GROWTH_RECORD)]
"""Inputs of rules about active logs."""


def is_largest(size_mib: float) -> bool:
    """Return whether no larger log can be typed."""
    return size_mib >= LOG_CAP_ALLOCATED_MIB


def resize(configured: ActiveLogs, needed_mib: float, gain: str) -> Change:
    """Return a change to logs of at least ``needed_mib``, which must fit, and what they cost."""
    cylinders = cylinders_for(needed_mib) or LOG_CAP_CYLINDERS
    new_mib = min(math.ceil(needed_mib), LOG_CAP_ALLOCATED_MIB)
    growth_cylinders = cylinders - (cylinders_for(configured.size_mib) or LOG_CAP_CYLINDERS)
    return Change(
        action=f"Define active logs of {figure(new_mib)} MiB ({figure(cylinders)} cylinders "
        f"of 3390) instead of {figure(configured.size_mib)} MiB: {gain}.",
        amount=TypedAmount.of(TypedKind.cylinders, cylinders),
        side_effects=f"{_dasd(configured, growth_cylinders, configured.logs)}; {RESTART_NOTE}; the "
        "logs must be pre-formatted before first use.",
    )


def add_logs(
    configured: ActiveLogs, logs: int, gain: str, effect: Effect = Effect.enough
) -> Change:
    """Return a change to more active logs of the size that they have (or will have)."""
    cylinders = cylinders_for(configured.size_mib) or LOG_CAP_CYLINDERS
    added = logs - (configured.logs or 0)
    return Change(
        action=f"Define {counted(added, 'more active log')} of {figure(configured.size_mib)} MiB, "
        f"{logs} in each copy: {gain}.",
        amount=TypedAmount.of(TypedKind.more_data_sets, cylinders, added),
        side_effects=f"{_dasd(configured, cylinders, added)}; the logs must be pre-formatted "
        "before first use.",
        effect=effect,
    )


def logs_holding(
    configured: ActiveLogs,
    needed_mib: float,
    enough: str,
    gain: Callable[[ActiveLogs, ActiveLogs], str],
) -> tuple[Change, ...]:
    """Return larger logs as far as they go, then more of them, then more queue managers.

    All logs of a copy but the one in use are to hold ``needed_mib``. ``enough`` is what it gives
    when they do, ``gain`` what other logs than before give.
    """
    count = configured.logs or LOGS_RECOMMENDED
    each = needed_mib / (count - 1)
    if cylinders_for(each) is not None:
        return (resize(configured, each, enough),)
    changes: list[Change] = []
    before, full = configured, replace(configured, size_mib=LOG_CAP_ALLOCATED_MIB)
    if not is_largest(configured.size_mib):
        changes.append(resize(configured, LOG_CAP_ALLOCATED_MIB, gain(before, full)))
        before = full
    logs = min(math.ceil(needed_mib / LOG_CAP_ALLOCATED_MIB) + 1, LOGS_MAX)
    if logs > count:
        changes.append(add_logs(full, logs, gain(before, replace(full, logs=logs))))
    most = (LOGS_MAX - 1) * LOG_CAP_ALLOCATED_MIB
    if needed_mib > most:
        changes.append(spread(math.ceil(needed_mib / most)))
    return tuple(changes)


def _dasd(configured: ActiveLogs, cylinders_each: int, logs: int | None) -> str:
    """Return the DASD that a change takes, over all logs and copies as far as they are known."""
    copies = {True: 2, False: 1, None: None}[configured.dual_logging]
    total = cylinders_each * (logs or 1) * (copies or 1)
    text = f"DASD: {figure(total)} cylinders ({figure(round(total * MIB_PER_CYLINDER))} MiB) more"
    number = counted(logs, "log") if logs else "for each log"
    if copies is None:
        return f"{text} ({number}, one copy; twice that with dual logging)"
    return f"{text} ({number}, {'two copies' if copies == 2 else 'one copy'})"
