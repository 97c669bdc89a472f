"""Files of the monitors that sample queue managers on z/OS."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from devtools.simulator.monitor.data_provider import data_provider_lines
from devtools.simulator.monitor.moments import moments
from devtools.simulator.monitor.monitor_kind import MonitorKind
from devtools.simulator.monitor.occupancy import available_buffers, used_pages
from devtools.simulator.mq_statistics import Slice
from devtools.simulator.queue_manager import SimulatedQueueManager
from devtools.simulator.timeline import Int64s, NamedPeriod, day_number
from mqcap.domain.units import US_PER_S

FOLDER: Final = "monitors"


def write_samples(
    qmgr: SimulatedQueueManager, periods: Iterable[NamedPeriod], out_dir: Path
) -> Iterator[Path]:
    """Write a file per period into ``monitors/``; nothing for one that nobody samples."""
    kind = qmgr.spec.sampled_by
    if kind is None:
        return
    for period in periods:
        days = [day_number(period.first), day_number(period.last) + 1]
        low, high = np.searchsorted(qmgr.grid.local_day, days).tolist()
        if high <= low:
            continue
        part = Slice(qmgr, low, high)
        is_lines = kind is MonitorKind.omegamon
        suffix = "jsonl" if is_lines else "json"
        path = out_dir / FOLDER / f"{qmgr.sysplex}.{qmgr.spec.name}.{period.name}.{suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data_provider_lines(part).encode() if is_lines else zos_answer(part))
        yield path


class _Series(NamedTuple):
    """Name without its prefix, own labels, a value for each interval."""

    name: str
    labels: dict[str, str]
    values: Int64s


def zos_answer(part: Slice) -> bytes:
    """Return the answer with pools and page sets (DISPLAY USAGE), as compact JSON."""
    spec = part.qmgr.spec
    common = {"qmgr": spec.name, "platform": "ZOS", "description": "-", "job": "mq_prometheus"}
    times = [(moment.at_us // US_PER_S, moment.place) for moment in moments(part)]
    result = [
        {
            "metric": {"__name__": f"ibmmq_{series.name}"} | series.labels | common,
            "values": [[seconds, str(int(series.values[place]))] for seconds, place in times],
        }
        for series in _series(part)
    ]
    answer = {"status": "success", "data": {"resultType": "matrix", "result": result}}
    return json.dumps(answer, separators=(",", ":")).encode()


def _series(part: Slice) -> Iterator[_Series]:
    qmgr = part.qmgr
    available, used = available_buffers(qmgr), used_pages(qmgr)
    for row, pool in enumerate(qmgr.spec.buffer_pools):
        labels = {"bufferpool": str(pool.number), "location": "BELOW", "pageclass": "4KB"}
        total = available[row] * 0 + pool.buffers
        yield _Series("bufferpool_buffers_total", labels, total)
        yield _Series("bufferpool_buffers_free", labels, available[row])
    for row, item in enumerate(qmgr.spec.page_sets):
        labels = {"pageset": str(item.number), "bufferpool": str(item.buffer_pool)}
        total = used[row] * 0 + item.pages
        yield _Series("pageset_pages_total", labels, total)
        yield _Series("pageset_pages_unused", labels, item.pages - used[row])
