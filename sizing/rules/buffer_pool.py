"""Free buffers of a buffer pool.

Below 15 % free the deferred write process starts to write pages out; below 5 % every page
is written at once by the task that needs a buffer. The pool of page set 0 and pools of
short-lived messages must not get there; a pool of a batch queue is meant to.
"""

from typing import Final

from mqcap.domain.numbers import figure
from mqcap.domain.resource import ResourceKind
from mqcap.domain.units import Count, PositiveCount
from sizing.pool_space import FREE_MIN_PCT, Buffers, Used, larger_pool
from sizing.rulebook.assessment import Assessment
from sizing.rulebook.registry import form_of, rule
from sizing.sources import mp16

CAVEATS: Final = (
    (
        "Free is the lowest number of stealable buffers in the interval (QPSTCBSL), not the value "
        "when the record was written."
    ),
    (
        "Mandatory for the system pool and pools of short-lived messages; the pool for everything "
        "else may cross."
    ),
    "Deferred writing stops again at 25 % free: a dip to between is no new event.",
)


class BufferPoolUse(Assessment):
    """Used against 100 - 15 %, the same limit as free buffers below 15 %."""

    free_pct: float


@rule(
    "BP-FREE-15",
    "Free buffers",
    mp16("Buffer pool usage"),
    ResourceKind.buffer_pool,
    watches="used_pct",
    amounts=("buffers",),
    fault="Too few free buffers",
)
def bp_free_15(used_pct: Used, buffers: Buffers = None) -> BufferPoolUse:
    """At least 15 % must stay free, so at most 85 % used; exactly that is allowed."""
    limit = 100 - FREE_MIN_PCT
    return BufferPoolUse(
        observed=used_pct,
        limit=limit,
        unit="%",
        summary=f"{figure(100 - used_pct)} % of the buffers are free at the lowest; at "
        f"least {FREE_MIN_PCT} % should be.",
        free_pct=100 - used_pct,
        arithmetic=f"limit = 100 % - {FREE_MIN_PCT} % free = {limit} % used",
        advice="Nothing to change: enough buffers are free.",
        caveats=CAVEATS,
    ).past_limit(
        "Enlarge the pool (LOCATION(ABOVE)), move page sets to other pools, or drain the queues.",
        lambda: larger_pool(used_pct, buffers),
        also_near=False,
    )


@form_of("BP-FREE-15")
def free_of_interval(qpstcbsl: Count, qpstnbuf: PositiveCount) -> dict[str, float | bool]:
    """Compare integer products, so that exactly 15 % is no breach."""
    return {
        "free_pct": 100 * qpstcbsl / qpstnbuf,
        "breach": 100 * qpstcbsl < FREE_MIN_PCT * qpstnbuf,
    }
