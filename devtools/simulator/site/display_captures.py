"""Stamped answers of runmqsc: status of the queue manager and of its queues."""

from __future__ import annotations

from collections.abc import Iterator

from devtools.simulator.site.site_figures import FigureSlice, SiteFigures
from devtools.simulator.timeline import instant_utc
from mqcap.domain.units import MIB_BYTES

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
