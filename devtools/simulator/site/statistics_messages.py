"""Statistics messages of a queue manager, as amqsevt (JSON) and amqsmon (text) print them.

Start and end of an interval are local times without a zone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

from devtools.simulator.site.site_figures import FigureSlice, SiteFigures
from devtools.simulator.timeline import instant_utc

_MQI: Final = ("Statistics MQI", 164)
_QUEUE: Final = ("Statistics Queue", 165)
_COMMAND_LEVEL: Final = 940
_PERSISTENT_SHARE: Final = 4
"""One in so many messages is not persistent; made up."""


def amqsevt_json(part: FigureSlice) -> str:
    """Return two compact messages for each interval: of the queue manager, of its queues."""
    return "".join(
        json.dumps(message, separators=(",", ":")) + "\n"
        for place in part.places
        for message in _events(part.figures, place)
    )


def amqsmon_text(part: FigureSlice) -> str:
    """Return the same messages as text, with their number at the end."""
    lines = [line for place in part.places for line in _printed(part.figures, place)]
    return "\n".join((*lines, f"{2 * len(part.places)} Records Processed.", ""))


def _events(figures: SiteFigures, place: int) -> Iterator[dict[str, Any]]:
    start, end = _interval(figures, place)
    created = instant_utc(int(figures.grid.intervals.end_us[place]))
    common = {
        "queueMgrName": figures.spec.name,
        "startDate": f"{start:%Y-%m-%d}",
        "startTime": f"{start:%H.%M.%S}",
        "endDate": f"{end:%Y-%m-%d}",
        "endTime": f"{end:%H.%M.%S}",
        "commandLevel": _COMMAND_LEVEL,
    }
    count = int(figures.connections[place])
    puts = _by_persistence(int(figures.puts[place]))
    size = figures.spec.message_bytes
    mqi = {
        "conns": count,
        "connsMax": count,
        "puts": puts,
        "put1s": [0, 0],
        "putBytes": [each * size for each in puts],
    }
    queues = [
        {
            "queueName": name,
            "queueType": "Local",
            "definitionType": "Predefined",
            "queueMinDepth": depth,
            "queueMaxDepth": depth,
            "puts": queue_puts,
            "put1s": [0, 0],
            "putBytes": [each * size for each in queue_puts],
        }
        for name, depth, queue_puts in _queues(figures, place)
    ]
    about_queues = {"objectCount": len(queues), "queueStatisticsData": queues}
    for (name, value), data in ((_MQI, mqi), (_QUEUE, about_queues)):
        yield {
            "eventSource": {
                "objectName": "SYSTEM.ADMIN.STATISTICS.QUEUE",
                "objectType": "Queue",
            },
            "eventType": {"name": name, "value": value},
            "eventReason": {"name": "None", "value": 0},
            "eventCreation": {
                "timeStamp": f"{created:%Y-%m-%dT%H:%M:%SZ}",
                "epoch": round(created.timestamp()),
            },
            "eventData": {**common, **data},
        }


def _printed(figures: SiteFigures, place: int) -> Iterator[str]:
    puts = _by_persistence(int(figures.puts[place]))
    count = int(figures.connections[place])
    yield from _heading("MQIStatistics", figures, place)
    yield f"ConnCount: {count}"
    yield f"ConnHighwater: {count}"
    yield f"PutCount: {puts}"
    yield "Put1Count: [0, 0]"
    yield f"PutBytes: {[each * figures.spec.message_bytes for each in puts]}"
    yield ""
    yield from _heading("QueueStatistics", figures, place)
    yield f"ObjectCount: {len(figures.spec.queues)}"
    for number, (name, depth, queue_puts) in enumerate(_queues(figures, place)):
        yield f"QueueStatistics: {number}"
        yield f"    QueueName: '{name}'"
        yield "    QueueType: Local"
        yield "    QueueDefinitionType: Predefined"
        yield f"    QMinDepth: {depth}"
        yield f"    QMaxDepth: {depth}"
        yield f"    PutCount: {queue_puts}"
        yield "    Put1Count: [0, 0]"
        yield f"    PutBytes: {[each * figures.spec.message_bytes for each in queue_puts]}"
    yield ""


def _heading(kind: str, figures: SiteFigures, place: int) -> Iterator[str]:
    start, end = _interval(figures, place)
    yield f"MonitoringType: {kind}"
    yield f"QueueManager: '{figures.spec.name}'"
    for name, moment in (("Start", start), ("End", end)):
        yield f"Interval{name}Date: '{moment:%Y-%m-%d}'"
        yield f"Interval{name}Time: '{moment:%H.%M.%S}'"
    yield f"CommandLevel: {_COMMAND_LEVEL}"


def _interval(figures: SiteFigures, place: int) -> tuple[datetime, datetime]:
    """Return start and end on the clock of the site."""
    intervals = figures.grid.intervals
    ends = (int(intervals.start_us[place]), int(intervals.end_us[place]))
    start, end = (instant_utc(each).astimezone(figures.zone) for each in ends)
    return start, end


def _queues(figures: SiteFigures, place: int) -> Iterator[tuple[str, int, list[int]]]:
    """Yield name, depth and puts by persistence of each queue."""
    for queue in figures.spec.queues:
        puts = _by_persistence(int(figures.queue_puts[queue.name][place]))
        yield queue.name, int(figures.depths[queue.name][place]), puts


def _by_persistence(count: int) -> list[int]:
    """Return counts of non-persistent and persistent messages."""
    return [count // _PERSISTENT_SHARE, count - count // _PERSISTENT_SHARE]
