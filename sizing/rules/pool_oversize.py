"""The one rule that gives storage back: a buffer pool that never uses half of its buffers."""

import math
from typing import Annotated, ClassVar, Final

from mqcap.domain.finding import Change, Severity
from mqcap.domain.metric import Direction
from mqcap.domain.numbers import figure
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedAmount
from mqcap.domain.units import MIB_BYTES, PAGE_BYTES, Amount, UsedPercent
from sizing.pool_space import RECORD, Buffers
from sizing.rulebook.assessment import Assessment, Inputs
from sizing.rulebook.entry import ValuesByName
from sizing.rulebook.input_sources import FromMetric, Over
from sizing.rulebook.registry import rule
from sizing.sources import mp16

USED_PCT: Final = 50
SIZED_FOR_PCT: Final = 75
"""Ours: share in use that the smaller pool is sized for, below the 85 % of BP-FREE-15."""
BUFFERS_MIN: Final = 100
"""The least that ALTER BUFFPOOL takes (documentation of IBM MQ 9.2)."""
WINDOW_DAYS: Final = 91
DAYS_MIN: Final = 56
"""Ours: several business cycles are eight weeks at least, of the last thirteen."""


class OversizeInputs(Inputs):
    """Highest share in use over thirteen weeks, and how many days of them were measured."""

    max_used_pct: Annotated[
        UsedPercent,
        FromMetric("buffer_pool_used_pct", days=WINDOW_DAYS, record=RECORD, over=Over.highest),
    ]
    observed_days: Annotated[
        Amount, FromMetric("buffer_pool_used_pct", days=WINDOW_DAYS, record=RECORD, over=Over.days)
    ]
    buffers: Buffers = None


class Oversize(Assessment):
    """A candidate is at or below the limit; a pool that is well used is above."""

    direction: ClassVar[Direction] = Direction.downward
    strict: ClassVar[bool] = False
    suggests: ClassVar[bool] = True

    reduce_candidate: bool


def can_shrink(values: ValuesByName) -> bool:
    """Return true if the window has enough days for "never" and the pool is above the minimum."""
    days, buffers = values.get("observed_days"), values.get("buffers")
    if isinstance(buffers, float | int) and buffers <= BUFFERS_MIN:
        return False
    return days is None or (isinstance(days, float | int) and days >= DAYS_MIN)


@rule(
    "BP-OVERSIZE-50",
    "A buffer pool that can shrink",
    mp16("Buffer pool usage"),
    ResourceKind.buffer_pool,
    undated="what never happened in thirteen weeks is looked for, not what is to come",
    breach_severity=Severity.suggestion,
    graded=False,
    applies=can_shrink,
    amounts=("buffers",),
)
def bp_oversize_50(inputs: OversizeInputs) -> Oversize:
    """Never more than half in use: a suggestion, no breach; exactly 50 % is one."""
    return Oversize(
        observed=inputs.max_used_pct,
        limit=USED_PCT,
        unit="%",
        summary=f"at most {figure(inputs.max_used_pct)} % of the pool were in use on "
        f"{figure(inputs.observed_days)} days; a pool never above {USED_PCT} % can be smaller.",
        reduce_candidate=inputs.max_used_pct <= USED_PCT,
        arithmetic=f"highest of {figure(inputs.observed_days)} days: "
        f"{figure(inputs.max_used_pct)} %",
        advice="Nothing to change: the pool is used.",
        caveats="Do not shrink a pool before restarting after a failure (BP-RESTART).",
    ).past_limit("The pool can be smaller: it gives real storage back.", lambda: _smaller(inputs))


def _smaller(inputs: OversizeInputs) -> Change | None:
    if inputs.buffers is None or inputs.max_used_pct <= 0:
        return None
    wanted = max(math.ceil(inputs.max_used_pct * inputs.buffers / SIZED_FOR_PCT), BUFFERS_MIN)
    if wanted >= inputs.buffers:
        return None
    freed_mib = (inputs.buffers - wanted) * PAGE_BYTES / MIB_BYTES
    return Change(
        action=f"Reduce the pool to {figure(wanted)} buffers ("
        f"{figure(inputs.max_used_pct)} % x {figure(inputs.buffers)} / {SIZED_FOR_PCT} %).",
        amount=TypedAmount.of("buffers", wanted),
        side_effects=f"{figure(freed_mib)} MiB of real storage less.",
    )
