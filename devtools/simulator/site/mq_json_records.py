"""Records of mq_json: what mq_prometheus publishes, a line for each collection."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from devtools.simulator.site.site_figures import FigureSlice, SiteFigures
from devtools.simulator.timeline import instant_utc
from mqcap.domain.units import MIB_BYTES, US_PER_S

_UNIX: Final = "UNIX"


def mq_json_lines(part: FigureSlice) -> str:
    """Return a record for each scrape of the slice, and for the one before it.

    An amount is of the time since the record before.
    """
    wider = part.with_previous
    return "".join(
        json.dumps(_record(part.figures, place), separators=(",", ":")) + "\n"
        for place in wider.places
    )


def _record(figures: SiteFigures, place: int) -> dict[str, Any]:
    collected = instant_utc(int(figures.grid.intervals.end_us[place]))
    time = {"timeStamp": collected.isoformat(), "epoch": round(collected.timestamp())}
    return {"collectionTime": time, "points": list(_points(figures, place))}


def _points(figures: SiteFigures, place: int) -> Iterator[dict[str, Any]]:
    spec = figures.spec
    tags = {"qmgr": spec.name, "platform": _UNIX}
    yield {
        "objectType": "qmgr",
        "tags": {**tags, "hostname": spec.host.replace("-", ".")},
        "metrics": _of_qmgr(figures, place),
    }
    for queue in spec.queues:
        puts = int(figures.queue_puts[queue.name][place])
        yield {
            "objectType": "queue",
            "tags": {**tags, "queue": queue.name, "usage": "NORMAL", "cluster": "-"},
            "metrics": {
                "depth": int(figures.depths[queue.name][place]),
                "attributeMaxDepth": queue.max_depth,
                "mqputMqput1Count": puts,
                "mqputBytes": puts * spec.message_bytes,
            },
        }


def _of_qmgr(figures: SiteFigures, place: int) -> dict[str, float]:
    spec = figures.spec
    size = round(spec.log_fs_mib * MIB_BYTES)
    puts = int(figures.puts[place])
    system_pct = float(figures.host_system_pct[place])
    user_pct = float(figures.host_cpu_pct[place]) - system_pct
    return {
        "logCurrentPrimarySpaceInUsePercentage": round(float(figures.log_primary_pct[place]), 2),
        "logPhysicalWrittenBytes": int(figures.log_bytes[place]),
        "logWriteLatencySeconds": round(float(figures.log_write_latency_us[place]) / US_PER_S, 6),
        "logFileSystemInUseBytes": round(float(figures.log_fs_pct[place]) / 100 * size),
        "logFileSystemMaxBytes": size,
        "queueManagerFileSystemFreeSpacePercentage": round(
            100 - float(figures.data_fs_pct[place]), 2
        ),
        "connectionCount": int(figures.connections[place]),
        "intervalMqputMqput1TotalCount": puts,
        "intervalMqputMqput1TotalBytes": puts * spec.message_bytes,
        "userCpuTimePercentage": round(user_pct, 2),
        "systemCpuTimePercentage": round(system_pct, 2),
        "ramFreePercentage": round(float(figures.host_ram_free_pct[place]), 2),
    }
