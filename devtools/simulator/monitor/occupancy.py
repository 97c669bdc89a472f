"""Buffers and pages of a queue manager as counts, which records and samples tell alike."""

from __future__ import annotations

import numpy as np

from devtools.simulator.queue_manager import SimulatedQueueManager
from devtools.simulator.timeline import Int64s


def fewest_buffers(qmgr: SimulatedQueueManager) -> Int64s:
    """Return the fewest available buffers of each interval, a row per buffer pool."""
    buffers = _column([pool.buffers for pool in qmgr.spec.buffer_pools])
    return np.rint(buffers * (100 - qmgr.pool_used_pct) / 100).astype(np.int64)


def available_buffers(qmgr: SimulatedQueueManager) -> Int64s:
    """Return the available buffers at the end of each interval, a row per buffer pool."""
    fewest = fewest_buffers(qmgr)
    return fewest + (_column([pool.buffers for pool in qmgr.spec.buffer_pools]) - fewest) // 3


def used_pages(qmgr: SimulatedQueueManager) -> Int64s:
    """Return the pages in use at the end of each interval, a row per page set."""
    pages = _column([item.pages for item in qmgr.spec.page_sets])
    used = np.rint(pages * qmgr.page_set_used_pct / 100).astype(np.int64)
    return np.minimum(used, pages)


def _column(counts: list[int]) -> Int64s:
    return np.array(counts, dtype=np.int64)[:, np.newaxis]
