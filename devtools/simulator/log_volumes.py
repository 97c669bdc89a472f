"""Cache activity of the volumes of a queue manager's logs (74.5), and of a volume of others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import numpy as np

from devtools.simulator.mq_statistics import Slice
from devtools.simulator.spec import SystemSpec
from devtools.simulator.timeline import Int64s
from mqcap.ingest.smf.encode import Bytes2D, CacheRecords, cache_records, group_of
from mqcap.ingest.smf.layout import layouts

OTHER_VOLUME: Final = "DATA01"
"""A volume of the same subsystem without logs, of whose I/Os many bypass the cache."""
_OTHER_BYPASS_RATIO: Final = 0.5
_WRITE_BYTES: Final = 16_384
_READS_PER_WRITE: Final = 0.25
_FIRST_DEVICE: Final = 0x1A00


def cache_activity_records(part: Slice, systems: Iterable[SystemSpec]) -> Bytes2D | None:
    """Return a record per interval by the queue manager's system; ``None`` without log volumes."""
    spec = part.qmgr.spec
    bypass_pct, volumes = spec.features.log_bypass_pct, spec.configured.log_volumes
    if bypass_pct is None or not volumes:
        return None
    ratios = [bypass_pct / 100] * len(volumes) + [_OTHER_BYPASS_RATIO]
    serials = [*volumes, OTHER_VOLUME]
    layout, count = layouts()["R745D"], len(serials)
    devices = group_of(layout, _columns(part, serials, ratios), layout.length, len(part), count)
    [system] = [system.name for system in systems if system.smfid == spec.system]
    content = CacheRecords(spec.system, system, part.qmgr.sysplex, devices)
    return cache_records(content, part.intervals)


def _columns(part: Slice, serials: list[str], ratios: list[float]) -> dict[str, Any]:
    """Return the columns of the devices, interval by interval."""
    count = len(serials)
    writes = np.repeat(_writes(part), count)
    reads = np.rint(writes * _READS_PER_WRITE)
    numbers = [f"{_FIRST_DEVICE + place:04x}" for place in range(count)]
    return {
        "r745dvol": serials * len(part),
        "r745dfl4": 0x80,
        "r745devn": numbers * len(part),
        "r745drcr": reads,
        "r745dcrh": reads,
        "r745dwrc": writes,
        "r745dwch": writes,
        "r745dfwb": np.rint((writes + reads) * np.tile(ratios, len(part))),
    }


def _writes(part: Slice) -> Int64s:
    """Return the writes to each volume of the logs, one at least."""
    return np.maximum(part.of(part.qmgr.log_bytes) // _WRITE_BYTES, 1)
