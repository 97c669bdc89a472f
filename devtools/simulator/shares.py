"""Shares of senders in the log and of groups of channels in the channels of a queue manager.

Log bytes belong to the senders but for a small part of the queue manager's own. The messages of a
sender follow from its log bytes by the formula of MP16 (LOG-BYTES-ESTIMATE), so that both agree.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from devtools.simulator.events import changed
from devtools.simulator.queue_manager import SimulatedQueueManager
from devtools.simulator.senders import ChannelGroup, Sender
from devtools.simulator.timeline import Int64s
from sizing.rulebook.registry import get

OWN_LOG_RATIO: Final = 0.02
"""Log bytes of the queue manager itself: checkpoints and the like."""
INSTANCES_PER_RECORD: Final = 10
"""Channel instances come in groups of so many, one record each."""

_HOURS_PER_DAY: Final = 24


def sender_log_bytes(qmgr: SimulatedQueueManager) -> Int64s:
    """Return the log bytes of each sender, a row per sender, in the intervals of the grid."""
    weights = _weights(qmgr, qmgr.spec.senders)
    shares = (1 - OWN_LOG_RATIO) * weights / weights.sum(axis=0)
    result: Int64s = np.floor(qmgr.log_bytes * shares).astype(np.int64)
    return result


def group_instances(qmgr: SimulatedQueueManager) -> Int64s:
    """Return the instances of each group of channels, a row per group; multiples of ten.

    In all intervals of a record of accounting they are the mean of these.
    """
    weights = _weights(qmgr, qmgr.spec.channel_groups)
    wanted = qmgr.channels * weights / weights.sum(axis=0)
    if qmgr.spec.accounting_hours is not None:
        _, places, counts = np.unique(
            accounting_periods(qmgr), return_inverse=True, return_counts=True
        )
        wanted = np.stack([(np.bincount(places, row) / counts)[places] for row in wanted])
    result: Int64s = np.rint(wanted / INSTANCES_PER_RECORD).astype(np.int64) * INSTANCES_PER_RECORD
    return result


def accounting_periods(qmgr: SimulatedQueueManager) -> Int64s:
    """Return, for each interval, a number of the record of accounting that it is in."""
    hours = qmgr.spec.accounting_hours
    if hours is None:
        return np.arange(len(qmgr.grid), dtype=np.int64)
    per_day = -(-_HOURS_PER_DAY // hours)
    result: Int64s = qmgr.grid.local_day * per_day + qmgr.grid.local_hour // hours
    return result


def log_bytes_per_message(message_bytes: int) -> int:
    """Return the log bytes of a persistent message put and got."""
    return int(get("LOG-BYTES-ESTIMATE").answer({"message_bytes": message_bytes})["log_bytes"])


def sender_messages(qmgr: SimulatedQueueManager) -> Int64s:
    """Return the messages of each sender, a row per sender, in the intervals of the grid."""
    each = [log_bytes_per_message(sender.message_bytes) for sender in qmgr.spec.senders]
    result: Int64s = sender_log_bytes(qmgr) // np.array(each)[:, np.newaxis]
    return result


def _weights(
    qmgr: SimulatedQueueManager, items: Sequence[Sender | ChannelGroup]
) -> NDArray[np.float64]:
    days, anchor = qmgr.grid.local_day, qmgr.anchor
    return np.stack([item.weight * changed(item.change, days, anchor) for item in items])
