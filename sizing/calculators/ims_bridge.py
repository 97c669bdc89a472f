"""IMS bridge: regions, bridge queues, checkpoints and buffers."""

from typing import Final

from mqcap.domain.units import Amount, Count, Percent, Positive, PositiveCount
from sizing.rulebook.entry import Figures
from sizing.rulebook.registry import form_of

OCCUPANCY_MAX_PCT: Final = 95
"""Ours: MP16 says near 100 %, and that 72 % is no constraint."""
CHECKPOINT_MIN: Final = (10, 20)


@form_of("IMS-MPR")
def regions(occupancy_pct: Percent) -> Figures:
    """Add a region when the busiest are occupied nearly all the time."""
    return {"add_mpr": occupancy_pct >= OCCUPANCY_MAX_PCT}


@form_of("IMS-TPIPE")
def tpipe_gain(from_per_s: Positive, to_per_s: Amount) -> Figures:
    """Return the gain from another bridge queue, per cent."""
    return {"increase_pct": 100 * (to_per_s - from_per_s) / from_per_s}


@form_of("IMS-TPIPE")
def tpipe_needed(regions_idle: bool, lpar_full: bool, request_hiqdepth: Count) -> Figures:
    """Idle regions, a free LPAR, and requests that wait all the same: add a bridge queue."""
    return {"add_tpipe": regions_idle and not lpar_full and request_hiqdepth > 0}


@form_of("IMS-CKPT")
def checkpoint_gap(minutes_between: Positive) -> Figures:
    """Compare with one checkpoint in 10 to 20 minutes: more often than every 10 is a breach."""
    low, high = CHECKPOINT_MIN
    return {"warn": minutes_between < high, "breach": minutes_between < low}


@form_of("IMS-BUFFERS")
def queue_buffers(waits_for_buffer: Count, qbuf: PositiveCount, regions: PositiveCount) -> Figures:
    """Any wait is a breach; as many buffers as regions at least."""
    return {"breach": waits_for_buffer > 0, "qbuf": max(qbuf, regions)}
