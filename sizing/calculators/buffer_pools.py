"""Buffer pools: the counters of an interval read as MP16 does, and sizes."""

import math
from typing import Final, Literal

from mqcap.domain.units import (
    GIB_BYTES,
    MIB_BYTES,
    PAGE_BYTES,
    Count,
    Percent,
    Positive,
    PositiveCount,
    Share,
)
from sizing.rulebook.entry import Figures
from sizing.rulebook.registry import calculator, form_of
from sizing.sources import mp16

SIZES = mp16("Buffer pool default sizes")
VOLUME = mp16("How much data could DWP write at checkpoint?")
IMPACT = mp16("What impact is there when DWP writes large amounts of data?")

SYNC_WRITE_FREE_PCT: Final = 5
REREAD_FACTOR: Final = 2
"""Ours: MP16 says "much larger"."""
EXTREME_CONTENTION: Final = 0.5
SHRINK_BELOW_PCT: Final = 50
STARTING_BUFFERS: Final = {
    "BUFFPOOL 0": 50_000,
    "BUFFPOOL 1": 20_000,
    "BUFFPOOL 2": 50_000,
    "BUFFPOOL 3": 20_000,
}
TEST_BUFFERS: Final = 1_050


@form_of("BP-SYNC-5")
def synchronous_writes(qpstcbsl: Count, qpstnbuf: PositiveCount) -> Figures:
    """Below 5 % free is a breach; exactly 5 % is only the warning (F-14)."""
    return {
        "free_pct": 100 * qpstcbsl / qpstnbuf,
        "warn": 100 * qpstcbsl <= SYNC_WRITE_FREE_PCT * qpstnbuf,
        "breach": 100 * qpstcbsl < SYNC_WRITE_FREE_PCT * qpstnbuf,
    }


@form_of("BP-SHORT")
def short_on_storage(qpstsos: Count, qpststla: Count, qpstdmc: Count) -> Figures:
    """Any of the three above zero in an interval is a breach (QPSTDMC: F-13)."""
    return {"breach": qpstsos > 0 or qpststla > 0 or qpstdmc > 0}


@form_of("BP-DWT-ZERO")
def deferred_writes(qpstdwt: Count, qpstrio: Count, after_restart: bool = False) -> Figures:
    """Both must be zero in pool 0 and short-lived pools; reads are normal after a restart."""
    return {"breach": qpstdwt > 0 or (qpstrio > 0 and not after_restart)}


@form_of("BP-IO-RATE")
def io_rate(qpstrio: Count, interval_s: Positive, qpstwio: Count = 0) -> Figures:
    """Reads and writes of an interval by its length (printed without the division, F-13)."""
    return {"reads_per_s": qpstrio / interval_s, "ios_per_s": (qpstrio + qpstwio) / interval_s}


@form_of("BP-REREAD")
def rereads(qpstrio: Count, qpsttpw: PositiveCount) -> Figures:
    """Over the life of messages a page is read about once for each time it was written."""
    ratio = qpstrio / qpsttpw
    return {"reread_ratio": ratio, "breach": ratio > REREAD_FACTOR}


@form_of("BP-CONTENTION")
def contention(qpststla: Count, qpststl: PositiveCount) -> Figures:
    """More than half of the steals contended was called extreme."""
    share = qpststla / qpststl
    return {"contention_fraction": share, "breach": share > EXTREME_CONTENTION}


@form_of("BP-OVERSIZE-50")
def oversized(max_used_pct: Percent) -> Figures:
    """Never more than 50 % used over several business cycles; exactly 50 still qualifies."""
    return {"reduce_candidate": max_used_pct <= SHRINK_BELOW_PCT}


@calculator("BP-105PCT", "A pool larger than its page set", mp16("Oversized buffer pools"))
def larger_than_page_set(page_set_pages: PositiveCount) -> Figures:
    """5 % more buffers than pages end all steal writes; one page set, above the bar."""
    return {"buffers": math.ceil(page_set_pages * 105 / 100)}


@calculator("BP-SIZES", "Sizes to start with", SIZES)
def starting_size(
    buffer_pool: Literal["BUFFPOOL 0", "BUFFPOOL 1", "BUFFPOOL 2", "BUFFPOOL 3"],
    system: Literal["production", "test"] = "production",
) -> Figures:
    """System, long-lived, short-lived, and everything else; 1050 each on test systems."""
    return {"buffers": STARTING_BUFFERS[buffer_pool] if system == "production" else TEST_BUFFERS}


@calculator("BP0-OBJECTS", "Pool 0 for objects", mp16("Buffer pool usage"))
def pool_0(objects: Count) -> Figures:
    """Half a page each: generous, 14,484 objects were measured to use 1230 buffers."""
    return {"buffers_crude": math.ceil(objects / 2)}


@form_of("BP0-OBJECTS")
def pool_0_active(active_objects: Count) -> Figures:
    """Return the buffers when storage is short: the objects in use and 20 % more."""
    return {"buffers": math.ceil(active_objects * 120 / 100)}


@calculator("BP-DWP-IO", "Deferred writes in flight", mp16("What changed in IBM MQ version 8.0.0?"))
def in_flight(pages_per_io: PositiveCount = 16, parallel_io: PositiveCount = 64) -> Figures:
    """Return the deferred writes of a pool, which has one process; four pages an I/O before 8.0."""
    pages = pages_per_io * parallel_io
    return {"pages": pages, "mib": pages * PAGE_BYTES / MIB_BYTES}


@calculator("BP-DWP-VOLUME", "Data written at a checkpoint", VOLUME)
def pool_volume(buffer_pool_gib: Positive, fraction: Share = 0.85) -> Figures:
    """The changed share of a pool."""
    return {"pages": math.floor(buffer_pool_gib * GIB_BYTES / PAGE_BYTES * fraction)}


@form_of("BP-DWP-VOLUME")
def volume_by_log(log_gb: Positive, log_bytes_per_message: Positive) -> Figures:
    """Each message logged changes a page: as many for each 4 KB of log as fit in it."""
    each = math.floor(PAGE_BYTES / log_bytes_per_message)
    return {"messages_per_4kb_of_log": each, "buffer_pool_gb": each * log_gb}


@calculator("BP-DWP-TIME", "Duration of a burst of deferred writes", IMPACT)
def burst_time(gib: Positive, mb_per_s: Positive) -> Figures:
    """300 to 600 MB/s on DS8870, 100 where it is slow."""
    return {"seconds": gib * 1_024 / mb_per_s}
