"""Console logs: hardcopy SYSLOG with channel initiator storage, log switches and shortages."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

import numpy as np

from devtools.simulator.mq_statistics import Slice
from devtools.simulator.queue_manager import Shortage
from mqcap.domain.units import MIB_BYTES
from mqcap.ingest.smf.layout import level_key

_LOCAL_STORAGE_ONLY_BELOW: Final = (9, 3, 0)
_MESSAGE_LEAD_US: Final = 1_200_000
"""The storage message comes this long before the interval ends."""
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_BACKUP_MIB: Final = 64
_BACKUP_US: Final = 3_000_000
_MINUTE_US: Final = 60_000_000
_ALLOCATION_US: Final = 5_000_000
"""Archiving that fails does so this long after the end of a log."""
_SWITCH_US: Final = 1_000_000
"""A log that has become free is used this long after."""
OFFLOAD_ENDED: Final = "LOG OFFLOAD TASK ENDED"
OFFLOAD_FAILED: Final = "OFFLOAD FAILED, COULD NOT ALLOCATE AN ARCHIVE DATA SET"
LOG_NEARLY_FULL: Final = "LAST COPY1 ACTIVE LOG DATA SET IS {} PERCENT FULL"
LOG_FULL: Final = "OUT OF SPACE IN ACTIVE LOG DATA SETS"
_CONTINUATION: Final = "S" + 55 * " "


@dataclass(frozen=True)
class LogLine:
    """A message of a console log, of one or more lines of text."""

    at_us: int
    order: int
    text: str


def console_lines(part: Slice, system_name: str, switches_from_us: int) -> Iterator[LogLine]:
    """The messages of one queue manager; log switches only from the given instant on."""
    yield from _storage_lines(part, system_name)
    yield from _switch_lines(part, system_name, switches_from_us)
    yield from shortage_lines(part, system_name)
    if part.qmgr.spec.qsg is not None:
        yield from _backup_lines(part, system_name)


def console_text(lines: Iterable[LogLine]) -> str:
    """A log in order of time."""
    ordered = sorted(lines, key=lambda line: (line.at_us, line.order, line.text))
    return "".join(line.text for line in ordered)


def _stamp(system_name: str, at_us: int, offset_minutes: int, job: str) -> str:
    """Hardcopy prefix of a single-line message: system, local date and time, job."""
    local = _EPOCH + timedelta(microseconds=at_us, minutes=offset_minutes)
    return f"N 0000000 {system_name:<8} {local:%Y%j %H:%M:%S}.{at_us // 10_000 % 100:02d} {job:<8}"


def _storage_lines(part: Slice, system_name: str) -> Iterator[LogLine]:
    qmgr, spec = part.qmgr, part.qmgr.spec
    intervals = part.intervals
    columns = zip(
        intervals.end_us.tolist(),
        intervals.offset_minutes.tolist(),
        part.of(qmgr.used_31bit_mib).tolist(),
        part.of(qmgr.used_64bit_mib).tolist(),
        map(qmgr.level_at, range(part.low, part.high)),
        strict=True,
    )
    region = round(spec.chinit.region_31bit_mib)
    limit = spec.chinit.limit_64bit_mib
    for end_us, offset, used, used_above, level in columns:
        at_us = end_us - _MESSAGE_LEAD_US
        head = f"{_stamp(system_name, at_us, offset, f'{spec.name}CHIN')} 00000090  CSQX004I "
        head += f"+{spec.name} CSQXSTOR Channel initiator "
        if level_key(level) < _LOCAL_STORAGE_ONLY_BELOW:
            body = f"is using {used} MB of local storage, {region - used} MB are free\n"
        else:
            above = "15EB" if limit is None else f"{round(limit) - used_above}MB"
            body = f"storage usage :- Local storage: used {used} MB, free {region - used} MB\n"
            body += f"{_CONTINUATION}Above bar: used {used_above}MB, free {above}\n"
        yield LogLine(at_us, 0, head + body)


def _switch_lines(part: Slice, system_name: str, from_us: int) -> Iterator[LogLine]:
    """Log switches at the moment at which the RBA passes the end of a data set."""
    qmgr = part.qmgr
    size = round(qmgr.spec.active_log_size_mib * MIB_BYTES)
    starts, ends = part.of(qmgr.rba_start), part.of(qmgr.rba_end)
    intervals = part.intervals
    places = np.flatnonzero((ends // size > starts // size) & (intervals.end_us > from_us))
    for place in places.tolist():
        low, high = int(starts[place]), int(ends[place])
        begin, length = intervals.start_us[place], intervals.end_us[place]
        length -= begin
        for number in range(low // size + 1, high // size + 1):
            share = (number * size - low) / (high - low)
            at_us = _once_free(qmgr.shortages, int(begin + share * length))
            stamp = _stamp(
                system_name, at_us, int(intervals.offset_minutes[place]), f"{qmgr.spec.name}MSTR"
            )
            yield LogLine(at_us, 1, _switch_text(part, stamp, number, size))
            if any(one.failed_us <= at_us < one.start_us for one in qmgr.shortages):
                failed_us = at_us + _ALLOCATION_US
                yield from _message(part, system_name, failed_us, "CSQJ115E", OFFLOAD_FAILED)
                continue
            archived_us = at_us + round(qmgr.spec.archive_minutes * _MINUTE_US)
            yield from _message(part, system_name, archived_us, "CSQJ139I", OFFLOAD_ENDED)


def _once_free(shortages: Iterable[Shortage], at_us: int) -> int:
    """Return when a log is switched that would be within a shortage: after its end."""
    ends = (one.end_us + _SWITCH_US for one in shortages if one.start_us - 1 <= at_us < one.end_us)
    return next(ends, at_us)


def shortage_lines(part: Slice, system_name: str) -> Iterator[LogLine]:
    """Yield that the log is nearly full, full, and offloaded again, for each planted shortage."""
    for shortage in part.qmgr.shortages:
        for near_us, used_pct in shortage.near:
            text = LOG_NEARLY_FULL.format(used_pct)
            yield from _message(part, system_name, near_us, "*CSQJ110E", text)
        yield from _message(part, system_name, shortage.start_us, "*CSQJ111A", LOG_FULL)
        yield from _message(part, system_name, shortage.end_us, "CSQJ139I", OFFLOAD_ENDED)


def _message(
    part: Slice, system_name: str, at_us: int, message_id: str, text: str
) -> Iterator[LogLine]:
    """Yield a message of the queue manager, if it comes within the intervals of the part."""
    intervals, name = part.intervals, part.qmgr.spec.name
    place = int(np.searchsorted(intervals.start_us, at_us, side="right")) - 1
    if place < 0 or at_us >= intervals.end_us[-1]:
        return
    stamp = _stamp(system_name, at_us, int(intervals.offset_minutes[place]), f"{name}MSTR")
    yield LogLine(at_us, 3, f"{stamp} 00000090  {message_id} +{name} {text}\n")


def _backup_lines(part: Slice, system_name: str) -> Iterator[LogLine]:
    """Yield a backup of each structure into the log, in the first interval of each local day."""
    intervals, name = part.intervals, part.qmgr.spec.name
    ends = part.of(part.qmgr.rba_end)
    local_days = part.of(part.qmgr.grid.local_day)
    _, places = np.unique(local_days, return_index=True)
    for place in places.tolist():
        size = _BACKUP_MIB + int(local_days[place]) % 7
        begun_us = int(intervals.start_us[place])
        ended_us = begun_us + _BACKUP_US
        offset = int(intervals.offset_minutes[place])
        job = f"{name}MSTR"
        rba = int(ends[place])
        head = f"00000090  CSQE12{{}}I +{name} CSQELBK1 Backup of structure APPL1"
        started = f"{head.format(0)} started at RBA={rba:016X}"
        completed = f"{head.format(1)} completed at\n{_CONTINUATION}RBA={rba:016X}, size {size} MB"
        yield LogLine(begun_us, 2, f"{_stamp(system_name, begun_us, offset, job)} {started}\n")
        yield LogLine(ended_us, 2, f"{_stamp(system_name, ended_us, offset, job)} {completed}\n")


def _switch_text(part: Slice, stamp: str, number: int, size: int) -> str:
    spec = part.qmgr.spec
    text = ""
    for ended in (True, False):
        current = number - 1 if ended else number
        rba = f"STARTRBA={current * size:016X} ENDRBA={(current + 1) * size - 1:016X}"
        for copy in (1, 2) if spec.dual_logging else (1,):
            name = f"{spec.name}.LOGCOPY{copy}.DS{current % spec.active_logs + 1:02d}"
            what = f"CURRENT COPY {copy} ACTIVE LOG DATA SET IS DSNAME={name},"
            if ended:
                what = f"END OF ACTIVE LOG DATA SET DSNAME={name},"
            message = f"{'CSQJ002I' if ended else 'CSQJ001I'} +{spec.name} {what}"
            text += f"{stamp} 00000090  {message}\n{_CONTINUATION}{rba}\n"
    return text
