"""Answer of Prometheus about a queue manager on z/OS that mq_prometheus watches as a client."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import NamedTuple

from devtools.simulator.monitor.moments import moments
from devtools.simulator.monitor.occupancy import available_buffers, used_pages
from devtools.simulator.mq_statistics import Slice
from devtools.simulator.timeline import Int64s
from mqcap.domain.units import US_PER_S


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
