"""Further inputs about a queue manager, by kind; those of amqsevt and amqsmon have local times."""

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple

from devtools.simulator.site.published import mq_json_lines
from devtools.simulator.site.site_figures import SiteFigures
from devtools.simulator.site.site_spec import SiteInput
from devtools.simulator.timeline import Float64s, instant_utc
from mqcap.domain.units import MIB_BYTES, PAGE_BYTES
from mqcap.ingest.amqsrua.source import HEADER

_COMMAND_LEVEL: Final = 940
_PERSISTENT_SHARE: Final = 4
"""One in so many messages is not persistent; made up."""
_QUEUE_FILE_MIB: Final = 2_088_960
"""CURMAXFS of a queue with MAXFSIZE(DEFAULT)."""
_PRINTED: Final = {
    "conns": "ConnCount",
    "connsMax": "ConnHighwater",
    "queueName": "QueueName",
    "queueType": "QueueType",
    "definitionType": "QueueDefinitionType",
    "queueMinDepth": "QMinDepth",
    "queueMaxDepth": "QMaxDepth",
    "puts": "PutCount",
    "put1s": "Put1Count",
    "putBytes": "PutBytes",
}
"""Names of amqsmon by those of amqsevt."""


def _amqsevt_json(figures: SiteFigures) -> str:
    """Return two compact messages for each interval: of the queue manager, of its queues."""
    return "".join(
        json.dumps(message, separators=(",", ":")) + "\n"
        for place in figures.places
        for message in _events(figures, place)
    )


def _amqsmon_text(figures: SiteFigures) -> str:
    """Return the same messages as text, with their number at the end."""
    lines = [line for place in figures.places for line in _printed(figures, place)]
    return "\n".join((*lines, f"{2 * len(figures.places)} Records Processed.", ""))


def _events(figures: SiteFigures, place: int) -> Iterator[dict[str, Any]]:
    start, end = _interval(figures, place)
    created = instant_utc(figures.scraped_us(place))
    common = {
        "queueMgrName": figures.spec.name,
        "startDate": f"{start:%Y-%m-%d}",
        "startTime": f"{start:%H.%M.%S}",
        "endDate": f"{end:%Y-%m-%d}",
        "endTime": f"{end:%H.%M.%S}",
        "commandLevel": _COMMAND_LEVEL,
    }
    queues = _queues(figures, place)
    about_queues = {"objectCount": len(queues), "queueStatisticsData": queues}
    for name, value, data in (
        ("Statistics MQI", 164, _mqi(figures, place)),
        ("Statistics Queue", 165, about_queues),
    ):
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
    queues = _queues(figures, place)
    yield from _heading("MQIStatistics", figures, place)
    yield from _fields(_mqi(figures, place))
    yield ""
    yield from _heading("QueueStatistics", figures, place)
    yield f"ObjectCount: {len(queues)}"
    for number, queue in enumerate(queues):
        yield f"QueueStatistics: {number}"
        yield from (f"    {line}" for line in _fields(queue))
    yield ""


def _fields(fields: Mapping[str, Any]) -> Iterator[str]:
    for name, value in fields.items():
        yield (
            f"{_PRINTED[name]}: {value!r}" if name == "queueName" else f"{_PRINTED[name]}: {value}"
        )


def _heading(kind: str, figures: SiteFigures, place: int) -> Iterator[str]:
    yield f"MonitoringType: {kind}"
    yield f"QueueManager: '{figures.spec.name}'"
    for name, moment in zip(("Start", "End"), _interval(figures, place), strict=True):
        yield f"Interval{name}Date: '{moment:%Y-%m-%d}'"
        yield f"Interval{name}Time: '{moment:%H.%M.%S}'"
    yield f"CommandLevel: {_COMMAND_LEVEL}"


def _interval(figures: SiteFigures, place: int) -> tuple[datetime, datetime]:
    start_us = int(figures.intervals.start_us[place])
    return figures.local(start_us), figures.local(figures.scraped_us(place))


def _mqi(figures: SiteFigures, place: int) -> dict[str, Any]:
    count = int(figures.connections[place])
    return {"conns": count, "connsMax": count, **_puts_of(figures, int(figures.puts[place]))}


def _queues(figures: SiteFigures, place: int) -> list[dict[str, Any]]:
    return [
        {
            "queueName": queue.name,
            "queueType": "Local",
            "definitionType": "Predefined",
            "queueMinDepth": int(figures.depths[queue.name][place]),
            "queueMaxDepth": int(figures.depths[queue.name][place]),
            **_puts_of(figures, int(figures.queue_puts[queue.name][place])),
        }
        for queue in figures.spec.queues
    ]


def _puts_of(figures: SiteFigures, count: int) -> dict[str, list[int]]:
    """Return counts and bytes of non-persistent and persistent messages."""
    puts = [count // _PERSISTENT_SHARE, count - count // _PERSISTENT_SHARE]
    size = figures.spec.message_bytes
    return {"puts": puts, "put1s": [0, 0], "putBytes": [put * size for put in puts]}


def _amqsrua_text(figures: SiteFigures) -> str:
    """Return publications of log, file system, host and puts, each run begun by its header."""
    lines = []
    published = {place: _published(figures, place) for place in figures.places}
    for kind in range(4):
        for place, classes in published.items():
            if place - 1 not in published:
                lines.append(f"{HEADER} QMGR({figures.spec.name}) HOST({figures.spec.host})")
            put = instant_utc(figures.scraped_us(place))
            minutes = round(figures.grid.seconds[place] / 60)
            lines.append(
                f"Publication received PutDate:{put:%Y%m%d} PutTime:{put:%H%M%S}00 "
                f"Interval:{minutes} minutes,0.000 seconds"
            )
            lines += [*classes[kind], ""]
    return "".join(f"{line}\n" for line in lines)


def _published(figures: SiteFigures, place: int) -> tuple[tuple[str, ...], ...]:

    def of(values: Float64s) -> float:
        return float(values[place])

    def rated(amount: int) -> str:
        return f"{amount} {int(amount / figures.grid.seconds[place])}/sec"

    spec, puts = figures.spec, int(figures.puts[place])
    file_bytes, size = spec.file_pages * PAGE_BYTES, round(spec.log_fs_mib * MIB_BYTES)
    primary_pct, system_pct = of(figures.log_primary_pct), of(figures.host_system_pct)
    log = (
        f"Log - bytes in use {round(primary_pct / 100 * spec.primary_files * file_bytes)}",
        f"Log - bytes max {(spec.primary_files + spec.secondary_files) * file_bytes}",
        f"Log file system - bytes in use {round(of(figures.log_fs_pct) / 100 * size)}",
        f"Log file system - bytes max {size}",
        f"Log - physical bytes written {rated(int(figures.log_bytes[place]))}",
        f"Log - write latency {round(of(figures.log_write_latency_us))} uSec",
        f"Log - current primary space in use {primary_pct:.2f}% ",
    )
    file_system = (f"Queue Manager file system - free space {100 - of(figures.data_fs_pct):.2f}% ",)
    host = (
        f"User CPU time percentage {of(figures.host_cpu_pct) - system_pct:.2f}% ",
        f"System CPU time percentage {system_pct:.2f}% ",
        f"RAM free percentage {of(figures.host_ram_free_pct):.2f}% ",
    )
    of_puts = (
        f"Interval total MQPUT/MQPUT1 count {rated(puts)}",
        f"Interval total MQPUT/MQPUT1 byte count {rated(puts * spec.message_bytes)}",
    )
    return log, file_system, host, of_puts


def _display_captures(figures: SiteFigures) -> str:
    """Return a capture for each scrape; of a queue manager that is down only its stamp."""
    lines = (line for place in range(len(figures)) for line in _capture(figures, place))
    return "".join(f"{line}\n" for line in lines)


def _capture(figures: SiteFigures, place: int) -> Iterator[str]:
    spec = figures.spec
    is_up = bool(figures.is_up[place])
    moment = figures.local(figures.scraped_us(place))
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
    for first, second in zip(attributes[::2], (*attributes[1::2], ""), strict=False):
        yield f"   {first:<40}{second}".rstrip()


class Written(NamedTuple):
    """How a further input is written."""

    suffix: str
    text: Callable[[SiteFigures], str]
    begins_before: int = 0
    """So many scrapes before the first one, of which nothing counts but the moment."""


INPUTS: Final[Mapping[SiteInput, Written]] = {
    SiteInput.amqsrua: Written("txt", _amqsrua_text, 1),
    SiteInput.mq_json: Written("jsonl", mq_json_lines, 1),
    SiteInput.amqsevt: Written("jsonl", _amqsevt_json),
    SiteInput.amqsmon: Written("txt", _amqsmon_text),
    SiteInput.display: Written("txt", _display_captures),
}
