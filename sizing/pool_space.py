"""Free buffers that a buffer pool needs, and the pool that keeps them free."""

import math
from typing import Annotated, Final

from mqcap.domain.finding import Change
from mqcap.domain.numbers import figure
from mqcap.domain.typed_amount import TypedAmount
from mqcap.domain.units import MIB_BYTES, PAGE_BYTES, Positive, UsedPercent
from sizing.rulebook.input_sources import FromMetric

RECORD: Final = "SMF 115 subtype 215"
Used = Annotated[UsedPercent, FromMetric("buffer_pool_used_pct", record=RECORD)]
Buffers = Annotated[Positive | None, FromMetric("buffer_pool_buffers_count", days=7, record=RECORD)]

FREE_MIN_PCT: Final = 15
"""Below it the deferred write process starts (MP16)."""
SYNC_WRITE_FREE_PCT: Final = 5
"""Below it every page is written at once by the task that needs a buffer (MP16)."""


def larger_pool(used_pct: float, buffers: float | None) -> Change:
    """Return the enlargement that leaves ``FREE_MIN_PCT`` free; in words without a pool's size.

    One figure for every rule of the pool: what keeps the deferred write process away keeps
    synchronous writes away too.
    """
    limit = 100 - FREE_MIN_PCT
    if buffers is None:
        factor = used_pct / limit
        return Change(
            action=f"Enlarge the pool by {figure(math.ceil(100 * (factor - 1)))} % or more; "
            "tell us its BUFFERS for the figure."
        )
    wanted = math.ceil(used_pct * buffers / limit)
    more_mib = (wanted - buffers) * PAGE_BYTES / MIB_BYTES
    return Change(
        action=f"Enlarge the pool to {figure(wanted)} buffers ({figure(used_pct)} % x "
        f"{figure(buffers)} / {limit} %).",
        amount=TypedAmount.of("buffers", wanted),
        side_effects=f"{figure(more_mib)} MiB more real storage.",
    )
