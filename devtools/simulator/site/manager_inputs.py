"""Further inputs about a queue manager, by kind; those of amqsevt and amqsmon have local times."""

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any, Final

from devtools.simulator.site.published import mq_json_lines
from devtools.simulator.site.site_figures import FigureSlice, SiteFigures
from devtools.simulator.site.site_spec import SiteInput
from devtools.simulator.timeline import instant_utc
from mqcap.domain.units import MIB_BYTES, PAGE_BYTES
from mqcap.ingest.amqsrua.source import HEADER

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
        "putBytes": [put * size for put in puts],
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
            "putBytes": [put * size for put in queue_puts],
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
    yield f"PutBytes: {[put * figures.spec.message_bytes for put in puts]}"
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
        yield f"    PutBytes: {[put * figures.spec.message_bytes for put in queue_puts]}"
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
    start, end = (instant_utc(end).astimezone(figures.zone) for end in ends)
    return start, end


def _queues(figures: SiteFigures, place: int) -> Iterator[tuple[str, int, list[int]]]:
    """Yield name, depth and puts by persistence of each queue."""
    for queue in figures.spec.queues:
        puts = _by_persistence(int(figures.queue_puts[queue.name][place]))
        yield queue.name, int(figures.depths[queue.name][place]), puts


def _by_persistence(count: int) -> list[int]:
    """Return counts of non-persistent and persistent messages."""
    return [count // _PERSISTENT_SHARE, count - count // _PERSISTENT_SHARE]


def amqsrua_text(part: FigureSlice) -> str:
    """Return publications of log, file system, host and puts, each run begun by its header.

    Runs begin with the scrape before the slice: the first publication of each does not count.
    """
    wider = part.with_previous
    return "".join(f"{line}\n" for lines in _CLASSES for line in _run(wider, lines))


def _run(part: FigureSlice, lines_of: Callable[[SiteFigures, int], Iterator[str]]) -> Iterator[str]:
    figures = part.figures
    previous = -1
    for place in part.places:
        if previous < 0 or place != previous + 1:
            yield f"{HEADER} QMGR({figures.spec.name}) HOST({figures.spec.host})"
        previous = place
        put = instant_utc(int(figures.grid.intervals.end_us[place]))
        minutes = round(_seconds(figures, place) / 60)
        yield (
            f"Publication received PutDate:{put:%Y%m%d} PutTime:{put:%H%M%S}00 "
            f"Interval:{minutes} minutes,0.000 seconds"
        )
        yield from lines_of(figures, place)
        yield ""


def _seconds(figures: SiteFigures, place: int) -> float:
    return float(figures.grid.seconds[place])


def _log(figures: SiteFigures, place: int) -> Iterator[str]:
    spec = figures.spec
    file_bytes = spec.file_pages * PAGE_BYTES
    primary_pct = float(figures.log_primary_pct[place])
    size = round(spec.log_fs_mib * MIB_BYTES)
    written = int(figures.log_bytes[place])
    yield f"Log - bytes in use {round(primary_pct / 100 * spec.primary_files * file_bytes)}"
    yield f"Log - bytes max {(spec.primary_files + spec.secondary_files) * file_bytes}"
    yield f"Log file system - bytes in use {round(float(figures.log_fs_pct[place]) / 100 * size)}"
    yield f"Log file system - bytes max {size}"
    yield f"Log - physical bytes written {written} {_rate(figures, place, written)}"
    yield f"Log - write latency {round(float(figures.log_write_latency_us[place]))} uSec"
    yield f"Log - current primary space in use {primary_pct:.2f}% "


def _file_system(figures: SiteFigures, place: int) -> Iterator[str]:
    yield f"Queue Manager file system - free space {100 - figures.data_fs_pct[place]:.2f}% "


def _host(figures: SiteFigures, place: int) -> Iterator[str]:
    system_pct = figures.host_system_pct[place]
    yield f"User CPU time percentage {figures.host_cpu_pct[place] - system_pct:.2f}% "
    yield f"System CPU time percentage {system_pct:.2f}% "
    yield f"RAM free percentage {figures.host_ram_free_pct[place]:.2f}% "


def _puts(figures: SiteFigures, place: int) -> Iterator[str]:
    count = int(figures.puts[place])
    total = count * figures.spec.message_bytes
    yield f"Interval total MQPUT/MQPUT1 count {count} {_rate(figures, place, count)}"
    yield f"Interval total MQPUT/MQPUT1 byte count {total} {_rate(figures, place, total)}"


def _rate(figures: SiteFigures, place: int, amount: int) -> str:
    return f"{int(amount / _seconds(figures, place))}/sec"


_CLASSES: Final = (_log, _file_system, _host, _puts)


_QUEUE_FILE_MIB = 2_088_960
"""CURMAXFS of a queue with MAXFSIZE(DEFAULT)."""


def display_captures(part: FigureSlice) -> str:
    """Return a capture for each scrape; of a queue manager that is down only its stamp."""
    lines = (line for place in range(part.low, part.high) for line in _capture(part.figures, place))
    return "".join(f"{line}\n" for line in lines)


def _capture(figures: SiteFigures, place: int) -> Iterator[str]:
    spec = figures.spec
    is_up = bool(figures.is_up[place])
    moment = instant_utc(int(figures.grid.intervals.end_us[place])).astimezone(figures.zone)
    status = "RUNNING" if is_up else "ENDED NORMALLY"
    name = f"QMNAME({spec.name})"
    yield f"{name:<58}STATUS({status}) NOW({moment:%Y-%m-%dT%H:%M:%S%z})"
    if not is_up:
        return
    yield "5724-H72 (C) Copyright IBM Corp. 1994, 2024."
    yield f"Starting MQSC for queue manager {spec.name}."
    yield ""
    yield "     1 : DISPLAY QMSTATUS ALL"
    yield "AMQ8705I: Display Queue Manager Status Details."
    yield from _pairs(
        name,
        "TYPE(QMGR)",
        "STATUS(RUNNING)",
        f"CONNS({figures.connections[place]})",
        f"HOSTNAME({spec.host})",
        f"LOGFSSZ({spec.log_fs_mib:.0f})",
        f"LOGFSUSE({figures.log_fs_pct[place]:.0f})",
        f"LOGINUSE({figures.log_primary_pct[place]:.0f})",
        f"LOGPRIM({spec.primary_files})",
        f"LOGSEC({spec.secondary_files})",
        f"QMFSSZ({spec.data_fs_mib:.0f})",
        f"QMFSUSE({figures.data_fs_pct[place]:.0f})",
    )
    yield "     2 : DISPLAY QLOCAL(*) ALL"
    for queue in spec.queues:
        yield "AMQ8409I: Display Queue details."
        most = f"MAXDEPTH({queue.max_depth})"
        yield from _pairs(f"QUEUE({queue.name})", "TYPE(QLOCAL)", "DEFTYPE(PREDEFINED)", most)
        yield from _pairs("MAXFSIZE(DEFAULT)", "USAGE(NORMAL)")
    yield "     3 : DISPLAY QSTATUS(*) ALL"
    for queue in spec.queues:
        depth = int(figures.depths[queue.name][place])
        file_mib = 1 + depth * spec.message_bytes // MIB_BYTES
        yield "AMQ8450I: Display queue status details."
        yield from _pairs(f"QUEUE({queue.name})", "TYPE(QUEUE)", f"CURDEPTH({depth})")
        yield from _pairs(f"CURFSIZE({file_mib})", f"CURMAXFS({_QUEUE_FILE_MIB})")
    yield "3 MQSC commands read."
    yield "No commands have a syntax error."
    yield "All valid MQSC commands were processed."


def _pairs(*attributes: str) -> Iterator[str]:
    """Yield attributes in two columns."""
    for first, second in zip(attributes[::2], (*attributes[1::2], ""), strict=False):
        yield f"   {first:<40}{second}".rstrip()


TEXT_OF_INPUT: Final[Mapping[SiteInput, Callable[[FigureSlice], str]]] = {
    SiteInput.amqsrua: amqsrua_text,
    SiteInput.mq_json: mq_json_lines,
    SiteInput.amqsevt: amqsevt_json,
    SiteInput.amqsmon: amqsmon_text,
    SiteInput.display: display_captures,
}
SUFFIXES: Final[Mapping[SiteInput, str]] = {
    SiteInput.amqsrua: "txt",
    SiteInput.mq_json: "jsonl",
    SiteInput.amqsevt: "jsonl",
    SiteInput.amqsmon: "txt",
    SiteInput.display: "txt",
}
