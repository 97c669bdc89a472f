"""Columns of 115 records for the features of a queue manager."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from devtools.simulator.queue_manager import SimulatedQueueManager
from devtools.simulator.timeline import Int64s

Columns = dict[str, Any]
_CALLS: Final = "_qestcsec"
_SECONDS_PER_HOUR: Final = 3_600


def zhyperlink_columns(qmgr: SimulatedQueueManager, single: Int64s, multi: Int64s) -> Columns:
    """Return those of QJST: writes tried, done synchronously, and the time of these."""
    write_us = qmgr.spec.features.zhyperlink_write_us
    if write_us is None:
        return {}
    back = qmgr.spec.features.zhyperlink_fallback_ratio
    columns: Columns = {}
    for kind, tried in (("s", single), ("m", multi)):
        failed = np.rint(tried * back).astype(np.int64)
        columns |= {
            f"qjsthl{kind}ciw": tried,
            f"qjsthl{kind}cis": tried - failed,
            f"qjsthl{kind}cif": failed,
            f"qjsthl{kind}ciwttot": (tried - failed) * write_us,
        }
    return columns


def steal_columns(qmgr: SimulatedQueueManager, get_pages: Int64s) -> Columns:
    """Return those of QPST: buffers stolen, none of them with contention."""
    return {"qpststl": _part(get_pages, qmgr.spec.features.steals_per_get_page)}


def dynamic_queue_columns(qmgr: SimulatedQueueManager, seconds: Any) -> Columns:
    """Return those of QIST: objects created and deleted in intervals of these lengths."""
    features = qmgr.spec.features
    created = _part(seconds, features.dynamic_queues_per_h / _SECONDS_PER_HOUR)
    return {"qistdcre": created, "qistddel": _part(created, features.deletes_per_create)}


def with_list_calls(qmgr: SimulatedQueueManager, columns: Columns) -> Columns:
    """Return those of QEST with multiple-entry calls and re-drives of the calls of each slot."""
    features = qmgr.spec.features
    added: Columns = {}
    for name, calls in columns.items():
        if name.endswith(_CALLS):
            slot = name.removesuffix(_CALLS)
            lists = _part(calls, features.list_calls_per_call)
            added |= {
                f"{slot}_qestcmec": lists,
                f"{slot}_qestrsec": _part(calls, features.redrive_ratio),
                f"{slot}_qestrmec": _part(lists, features.redrive_ratio),
            }
    return {**columns, **added}


def data_set_columns(qmgr: SimulatedQueueManager, messages: Int64s) -> Columns | None:
    """Return those of QESD; ``None`` without shared message data sets."""
    spec = qmgr.spec.features.shared_message_data_set
    if spec is None:
        return None
    used = round(spec.blocks * spec.used_ratio)
    free = spec.buffers - round(spec.buffers * spec.buffers_used_ratio)
    return {
        "qesdstr": spec.structure,
        "qesdsmbt": spec.blocks,
        "qesdsmbd": spec.blocks,
        "qesdsmbu": used // 2,
        "qesdsmmu": used,
        "qesdbfto": spec.buffers,
        "qesdbfgb": messages // 100,
        "qesdbfmf": free,
    }


def _part(numbers: Any, ratio: float) -> Int64s:
    result: Int64s = np.rint(numbers * ratio).astype(np.int64)
    return result
