"""Number of tasks that the channel initiator should have, and their highest busy share."""

from typing import Annotated, Final

from pydantic import Field

from mqcap.domain.units import Count, Percent, PositiveCount
from sizing.rulebook.entry import Figures
from sizing.rulebook.registry import calculator, form_of
from sizing.sources import mp16

DISPATCHERS = mp16("CHIDISPS and MAXCHL")

ADAPTERS_MAX: Final = 120
MANY_CHANNELS: Final = 1_000
DISPATCHERS_FOR_MANY: Final = 20
SSL_BUSY_MAX_PCT: Final = 90
DISPATCHER_WARN_PCT: Final = 50
"""Ours: one held back throughput at 58 %."""
FIRST_FILL: Final = 10
OWN_THREADS: Final = 3
OMVS_WARN_PCT: Final = 85
"""Ours."""


@calculator("CHI-CHIADAPS", "Adapters", mp16("CHIADAPS"))
def adapters(processors: PositiveCount) -> Figures:
    """For heavy persistent load: 30, and 8 for each processor above four, 120 at most."""
    return {"chiadaps": min(ADAPTERS_MAX, 30 + 8 * max(0, processors - 4))}


@form_of("CHI-ADAPTER-UNUSED")
def unused_adapters(adapters_unused: Count) -> Figures:
    """At peak at least one should be unused."""
    return {"warn": adapters_unused < 2, "breach": adapters_unused == 0}


@calculator("CHI-CHIDISPS", "Dispatchers", DISPATCHERS)
def dispatchers(channels: Count) -> Figures:
    """20 for more than 1000 channels; else as few as are not at capacity, ``None``."""
    return {"chidisps": DISPATCHERS_FOR_MANY if channels > MANY_CHANNELS else None}


@form_of("CHI-DISP-BUSY")
def dispatcher_busy(busy_pct: Annotated[list[Percent], Field(min_length=1)]) -> Figures:
    """Of each dispatcher; a large difference means that MAXCHL / CHIDISPS is too high."""
    return {
        "busiest_pct": max(busy_pct),
        "skew_pct": max(busy_pct) - min(busy_pct),
        "warn": max(busy_pct) > DISPATCHER_WARN_PCT,
    }


@calculator("CHI-CHIDISPS-DIST", "Channels of a dispatcher", DISPATCHERS)
def channels_of_dispatcher(maxchl: PositiveCount, chidisps: PositiveCount) -> Figures:
    """Dealt out in groups of ten or fewer, dispatcher after dispatcher (F-40)."""
    each = maxchl / chidisps
    return {
        "channels_per_dispatcher_when_all_started": each,
        "first_fill": min(each, FIRST_FILL),
    }


@calculator("CHI-SSLTASKS", "SSL tasks", mp16("SSLTASKS"))
def ssl_tasks(chidisps: PositiveCount, processors: PositiveCount) -> Figures:
    """Return one task more than there are dispatchers or processors, whichever are more."""
    return {"ssltasks": max(chidisps, processors) + 1}


@form_of("CHI-SSLTASK-BUSY")
def ssl_busy(busy_pct: Percent) -> Figures:
    """Above 90 % restart the slow channel, so that it moves to another task."""
    return {"breach": busy_pct > SSL_BUSY_MAX_PCT}


@form_of("CHI-OMVS")
def threads(chidisps: Count, ssltasks: Count, chinits: PositiveCount = 1) -> Figures:
    """Three of its own, and one for each dispatcher and SSL task."""
    return {"threads": chinits * (OWN_THREADS + chidisps + ssltasks)}


@form_of("CHI-OMVS")
def threads_against_limit(threads: Count, limit: PositiveCount) -> Figures:
    """Against MAXPROCUSER or MAXPROCSYS: warn at 85 % (ours), at the limit is a breach."""
    share = 100 * threads / limit
    return {"used_pct": share, "warn": share >= OMVS_WARN_PCT, "breach": threads >= limit}
