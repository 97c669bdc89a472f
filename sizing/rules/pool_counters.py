"""Buffer pool counters as MP16's own diagnosis reads them."""

from typing import Annotated, Final

from mqcap.domain.finding import Severity
from mqcap.domain.metric import Statistic
from mqcap.domain.numbers import figure
from mqcap.domain.resource import ResourceKind
from mqcap.domain.units import Amount
from sizing.pool_space import RECORD, SYNC_WRITE_FREE_PCT, Buffers, Used, larger_pool
from sizing.rulebook.assessment import Assessment
from sizing.rulebook.entry import SUBJECT, ValuesByName
from sizing.rulebook.input_sources import FromEstate, FromMetric, Over
from sizing.rulebook.registry import rule
from sizing.sources import mp16
from sizing.trend import EVENT

COUNTERS: Final = mp16("Interpretation of MQ statistics")
SYNC_WRITE_USED_PCT: Final = 100 - SYNC_WRITE_FREE_PCT
REREAD_MAX_RATIO: Final = 2
"""Ours: MP16 says "much larger"."""
WRITES_MIN_PER_S: Final = 0.01
"""Ours: below so few pages written a ratio says nothing."""


@rule(
    "BP-SYNC-5",
    "Synchronous page writes",
    mp16("Buffer pool usage"),
    ResourceKind.buffer_pool,
    watches="used_pct",
    superseded_by="BP-FREE-15",
    amounts=("buffers",),
)
def bp_sync_5(used_pct: Used, buffers: Buffers = None) -> Assessment:
    """Below 5 % free every page is written at once; exactly 5 % is the warning (F-14)."""
    return Assessment(
        observed=used_pct,
        limit=SYNC_WRITE_USED_PCT,
        unit="%",
        arithmetic=f"limit = 100 % - {SYNC_WRITE_FREE_PCT} % free = {SYNC_WRITE_USED_PCT} % used",
        advice="Nothing to change: pages are written by the deferred write process.",
    ).past_limit(
        "Enlarge the pool at once: tasks write pages themselves, one in each I/O.",
        lambda: larger_pool(used_pct, buffers),
    )


def short_lived_pool(values: ValuesByName) -> bool:
    """Pool 0, and pools that the estate calls short-lived."""
    subject = str(values[SUBJECT])
    return not subject or subject.endswith("/BP00") or values.get("short_lived") == "yes"


@rule(
    "BP-DWT-ZERO",
    "Deferred writes in a pool of short-lived messages",
    COUNTERS,
    ResourceKind.buffer_pool,
    watches="deferred_per_h",
    undated=EVENT,
    graded=False,
    breach_severity=Severity.watch,
    applies=short_lived_pool,
    superseded_by="BP-FREE-15",
)
def bp_dwt_zero(
    deferred_per_h: Annotated[Amount, FromMetric("buffer_pool_deferred_count", record=RECORD)],
    short_lived: Annotated[bool | None, FromEstate("short_lived")] = None,
) -> Assessment:
    """Pool 0 and pools of short-lived messages must not be so full that they write: QPSTDWT = 0."""
    del short_lived  # only for whether it applies
    return Assessment(
        observed=deferred_per_h,
        limit=0,
        unit="count/h",
        arithmetic="observed = QPSTDWT, limit = 0",
        advice="Nothing to change: messages are read back from the pool.",
    ).past_limit("Enlarge the pool, or move queues of long-lived messages to another one.")


def _writes_enough(values: ValuesByName) -> bool:
    written = values.get("written_per_s")
    return written is None or (isinstance(written, float | int) and written >= WRITES_MIN_PER_S)


@rule(
    "BP-REREAD",
    "Pages read more than once",
    COUNTERS,
    ResourceKind.buffer_pool,
    undated="a ratio of two series over the whole window; of neither alone is there a limit",
    breach_severity=Severity.watch,
    graded=False,
    applies=_writes_enough,
)
def bp_reread(
    read_per_s: Annotated[
        Amount, FromMetric("buffer_pool_read_per_s", Statistic.mean, record=RECORD, over=Over.mean)
    ],
    written_per_s: Annotated[
        Amount,
        FromMetric("buffer_pool_written_per_s", Statistic.mean, record=RECORD, over=Over.mean),
    ],
) -> Assessment:
    """Over the life of messages a page written is read about once; twice (ours) is the limit."""
    ratio = read_per_s / max(written_per_s, WRITES_MIN_PER_S)
    return Assessment(
        observed=ratio,
        limit=REREAD_MAX_RATIO,
        unit="reads per write",
        arithmetic=f"ratio = QPSTRIO / QPSTTPW = {figure(read_per_s)} / "
        f"{figure(written_per_s)} = {figure(ratio)}",
        advice="Nothing to change: pages are read back about once.",
    ).past_limit(
        "Index queues that are read by identifier, avoid browsing and selectors, or enlarge the "
        "pool."
    )
