"""Console logs: hardcopy SYSLOG with channel initiator storage, log switches and shortages."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

import numpy as np

from devtools.simulator.queue_manager import SimulatedQueueManager
from devtools.simulator.timeline import MINUTE_US
from mqcap.ingest.smf.layout import level_key

_LOCAL_STORAGE_ONLY_BELOW: Final = (9, 3, 0)
_MESSAGE_LEAD_US: Final = 1_200_000
"""The storage message comes this long before the interval ends."""
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_BACKUP_MIB: Final = 64
_BACKUP_US: Final = 3_000_000
_ALLOCATION_US: Final = 5_000_000
"""Archiving that fails does so this long after the end of a log."""
_SWITCH_US: Final = 1_000_000
"""A log that has become free is used this long after."""
OFFLOAD_ENDED: Final = "LOG OFFLOAD TASK ENDED"
OFFLOAD_FAILED: Final = "OFFLOAD FAILED, COULD NOT ALLOCATE AN ARCHIVE DATA SET"
LOG_NEARLY_FULL: Final = "LAST COPY1 ACTIVE LOG DATA SET IS {} PERCENT FULL"
LOG_FULL: Final = "OUT OF SPACE IN ACTIVE LOG DATA SETS"
_CONTINUATION: Final = "S" + 55 * " "


class LogLine(NamedTuple):
    """A message of a console log, of one or more lines of text."""

    at_us: int
    order: int
    text: str


def console_lines(
    qmgr: SimulatedQueueManager, system_name: str, switches_from_us: int
) -> Iterator[LogLine]:
    """The messages of one queue manager; log switches only from the given instant on."""
    log = _SystemLog(qmgr, system_name)
    yield from _storage_lines(log)
    yield from _switch_lines(log, switches_from_us)
    for shortage in qmgr.shortages:
        for near_us, used_pct in shortage.near:
            yield from log.message(near_us, "*CSQJ110E", LOG_NEARLY_FULL.format(used_pct))
        yield from log.message(shortage.start_us, "*CSQJ111A", LOG_FULL)
        yield from log.message(shortage.end_us, "CSQJ139I", OFFLOAD_ENDED)
    if qmgr.spec.qsg is not None:
        yield from _backup_lines(log)


def console_text(lines: Iterable[LogLine]) -> str:
    """A log in order of time."""
    return "".join(line.text for line in sorted(lines))


class _SystemLog(NamedTuple):
    """What a queue manager writes to the log of its system."""

    qmgr: SimulatedQueueManager
    system_name: str

    def stamp(self, at_us: int, place: int, job: str = "MSTR") -> str:
        """Hardcopy prefix of a single-line message: system, local date and time, job."""
        offset = int(self.qmgr.intervals.offset_minutes[place])
        local = _EPOCH + timedelta(microseconds=at_us, minutes=offset)
        moment = f"{local:%Y%j %H:%M:%S}.{at_us // 10_000 % 100:02d}"
        name = f"{self.qmgr.spec.name}{job}"
        return f"N 0000000 {self.system_name:<8} {moment} {name:<8} 00000090  "

    def message(self, at_us: int, message_id: str, text: str) -> Iterator[LogLine]:
        """Yield a message of the queue manager, if it comes within the intervals of the part."""
        intervals = self.qmgr.intervals
        place = int(np.searchsorted(intervals.start_us, at_us, side="right")) - 1
        if place >= 0 and at_us < intervals.end_us[-1]:
            said = f"{self.stamp(at_us, place)}{message_id} +{self.qmgr.spec.name} {text}\n"
            yield LogLine(at_us, 3, said)


def _storage_lines(log: _SystemLog) -> Iterator[LogLine]:
    qmgr, chinit = log.qmgr, log.qmgr.spec.chinit
    region, limit = round(chinit.region_31bit_mib), chinit.limit_64bit_mib
    columns = zip(
        qmgr.intervals.end_us.tolist(),
        qmgr.used_31bit_mib.tolist(),
        qmgr.used_64bit_mib.tolist(),
        strict=True,
    )
    for place, (end_us, used, used_above) in enumerate(columns):
        at_us = end_us - _MESSAGE_LEAD_US
        text = f"{log.stamp(at_us, place, 'CHIN')}CSQX004I "
        text += f"+{qmgr.spec.name} CSQXSTOR Channel initiator "
        if level_key(qmgr.level_at(place)) < _LOCAL_STORAGE_ONLY_BELOW:
            text += f"is using {used} MB of local storage, {region - used} MB are free\n"
        else:
            above = "15EB" if limit is None else f"{round(limit) - used_above}MB"
            text += f"storage usage :- Local storage: used {used} MB, free {region - used} MB\n"
            text += f"{_CONTINUATION}Above bar: used {used_above}MB, free {above}\n"
        yield LogLine(at_us, 0, text)


def _switch_lines(log: _SystemLog, from_us: int) -> Iterator[LogLine]:
    qmgr = log.qmgr
    size, intervals = qmgr.spec.log_size_bytes, qmgr.intervals
    starts, ends = qmgr.rba_start, qmgr.rba_end
    places = np.flatnonzero((ends // size > starts // size) & (intervals.end_us > from_us))
    for place in places.tolist():
        low, high = int(starts[place]), int(ends[place])
        begin, length = intervals.start_us[place], intervals.end_us[place]
        length -= begin
        for number in range(low // size + 1, high // size + 1):
            share = (number * size - low) / (high - low)
            at_us = int(begin + share * length)
            for one in qmgr.shortages:
                if one.start_us - 1 <= at_us < one.end_us:  # once a log has become free
                    at_us = one.end_us + _SWITCH_US
            yield LogLine(at_us, 1, _switch_text(log, log.stamp(at_us, place), number))
            if any(one.failed_us <= at_us < one.start_us for one in qmgr.shortages):
                yield from log.message(at_us + _ALLOCATION_US, "CSQJ115E", OFFLOAD_FAILED)
            else:
                archived_us = at_us + round(qmgr.spec.archive_minutes * MINUTE_US)
                yield from log.message(archived_us, "CSQJ139I", OFFLOAD_ENDED)


def _backup_lines(log: _SystemLog) -> Iterator[LogLine]:
    """Yield a backup of each structure into the log, in the first interval of each local day."""
    qmgr = log.qmgr
    days, places = np.unique(qmgr.grid.local_day, return_index=True)
    for day, place in zip(days.tolist(), places.tolist(), strict=True):
        begun_us = int(qmgr.intervals.start_us[place])
        rba, size = f"RBA={qmgr.rba_end[place]:016X}", _BACKUP_MIB + day % 7
        completed = f"completed at\n{_CONTINUATION}{rba}, size {size} MB"
        for number, (at_us, text) in enumerate(
            ((begun_us, f"started at {rba}"), (begun_us + _BACKUP_US, completed))
        ):
            head = f"CSQE12{number}I +{qmgr.spec.name} CSQELBK1 Backup of structure APPL1"
            yield LogLine(at_us, 2, f"{log.stamp(at_us, place)}{head} {text}\n")


def _switch_text(log: _SystemLog, stamp: str, number: int) -> str:
    spec = log.qmgr.spec
    size, text = spec.log_size_bytes, ""
    for message_id, what, current in (
        ("CSQJ002I", "END OF ACTIVE LOG DATA SET", number - 1),
        ("CSQJ001I", "CURRENT COPY {} ACTIVE LOG DATA SET IS", number),
    ):
        rba = f"STARTRBA={current * size:016X} ENDRBA={(current + 1) * size - 1:016X}"
        for copy in (1, 2) if spec.dual_logging else (1,):
            name = f"{spec.name}.LOGCOPY{copy}.DS{current % spec.active_logs + 1:02d}"
            message = f"{message_id} +{spec.name} {what.format(copy)} DSNAME={name},"
            text += f"{stamp}{message}\n{_CONTINUATION}{rba}\n"
    return text
