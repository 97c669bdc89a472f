"""Figures of a capture: of QMSTATUS, QLOCAL, QSTATUS, CHSTATUS, CHANNEL and of Native HA.

Instances of server-connection channels in a capture, with MAXINST and MAXINSTC.

Connections from one network address are of one client (IBM MQ reference: MaxInstancesPerClient).
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from mqcap.domain.distributed.mq_name import is_mq_name, is_temporary_queue
from mqcap.domain.distributed.qmgr_figure import ACTIVE_STATES, QmgrFigure
from mqcap.domain.units import MIB_BYTES
from mqcap.ingest.mq_display.answers import (
    NATIVE_HA,
    Capture,
    CapturedRecord,
    CaptureFigure,
    number,
)

CHSTATUS: Final = "AMQ8417"
NO_CHSTATUS: Final = "AMQ8420"
CHANNEL: Final = "AMQ8414"
CHANNEL_STATES: Final = {
    "INACTIVE": 0.0,
    "BINDING": 1.0,
    "STARTING": 2.0,
    "RUNNING": 3.0,
    "STOPPING": 4.0,
    "RETRYING": 5.0,
    "STOPPED": 6.0,
    "REQUESTING": 7.0,
    "PAUSED": 8.0,
    "DISCONNECTED": 9.0,
    "INITIALIZING": 13.0,
    "SWITCHING": 14.0,
}
"""Numbers of MQCHS."""
_SERVER: Final = "SVRCONN"
_LIMITS: Final = {
    "MAXINST": QmgrFigure.channel_instance_max_count,
    "MAXINSTC": QmgrFigure.channel_client_instance_max_count,
}


def channel_figures(records: Sequence[CapturedRecord]) -> Iterator[CaptureFigure]:
    """Yield instances and limits of the server-connection channels of a capture.

    A channel that is displayed without an instance has none, where status was displayed too; in a
    capture without status nothing is known of instances.
    """
    servers = [
        record
        for record in records
        if record.values.get("CHLTYPE") == _SERVER and is_mq_name(record.values.get("CHANNEL", ""))
    ]
    defined = [record.values for record in servers if record.message == CHANNEL]
    for values in defined:
        for key, figure in _LIMITS.items():
            if (limit := number(values.get(key))) is not None:
                yield CaptureFigure(figure, values["CHANNEL"], limit)
    if any(record.message in {CHSTATUS, NO_CHSTATUS} for record in records):
        names = [values["CHANNEL"] for values in defined]
        yield from _instances(names, [r.values for r in servers if r.message == CHSTATUS])


def _instances(names: list[str], instances: list[dict[str, str]]) -> Iterator[CaptureFigure]:
    """Yield how many instances are active, and how many of them are of the busiest client."""
    clients: dict[str, Counter[str]] = {name: Counter() for name in names}
    for values in instances:
        of_channel = clients.setdefault(values["CHANNEL"], Counter())
        if CHANNEL_STATES.get(values.get("STATUS", "")) in ACTIVE_STATES:
            of_channel[values.get("CONNAME", "").partition("(")[0]] += 1
    for name, by_client in clients.items():
        count, busiest = by_client.total(), max(by_client.values(), default=0)
        yield CaptureFigure(QmgrFigure.channel_instance_count, name, float(count))
        yield CaptureFigure(QmgrFigure.channel_client_instance_count, name, float(busiest))


RUNNING: Final = "RUNNING"
"""Status of a queue manager that gives values; ``dspmq -n`` and the keyword are not translated."""
ACTIVE: Final = "ACTIVE"
"""Role of the instance of Native HA that runs; it alone knows of the others."""
_IN_SYNC: Final = {"YES": 1.0, "NO": 0.0}
_EXTENT: Final = re.compile(r"S(\d{7})\.LOG")
_SHARED: Final = "SHARED"
_QMSTATUS: Final = "AMQ8705"
_QLOCAL: Final = "AMQ8409"
_QSTATUS: Final = "AMQ8450"
_TEMPORARY: Final = "TEMPDYN"
_OF_QMGR: Final = {
    "LOGINUSE": QmgrFigure.log_primary_used_pct,
    "LOGUTIL": QmgrFigure.log_workload_pct,
    "LOGPRIM": QmgrFigure.log_primary_files_count,
    "LOGSEC": QmgrFigure.log_secondary_files_count,
    "MEDIASZ": QmgrFigure.log_media_mib,
    "CONNS": QmgrFigure.connection_count,
}
_OF_QUEUE: Final = {
    (_QLOCAL, "MAXDEPTH"): QmgrFigure.queue_depth_max_count,
    (_QSTATUS, "CURDEPTH"): QmgrFigure.queue_depth_count,
    (_QSTATUS, "CURFSIZE"): QmgrFigure.queue_file_mib,
    (_QSTATUS, "CURMAXFS"): QmgrFigure.queue_file_max_mib,
}
_NUMBERS: Final = {
    _QMSTATUS: (*_OF_QMGR, "LOGFSUSE", "LOGFSSZ", "QMFSUSE", "QMFSSZ"),
    _QLOCAL: ("MAXDEPTH",),
    _QSTATUS: ("CURDEPTH", "CURFSIZE", "CURMAXFS"),
}
_SHOWN: Final = 20
MESSAGES: Final = (_QMSTATUS, _QLOCAL, _QSTATUS, CHSTATUS, NO_CHSTATUS, CHANNEL)


def figures_of(capture: Capture) -> Iterator[CaptureFigure]:
    """Yield the figures of a capture of a running queue manager or instance; of any other none.

    Blank values are not known; temporary dynamic queues are no objects.
    """
    if capture.status.upper() != (ACTIVE if capture.is_native_ha else RUNNING):
        return
    temporary = {
        record.values.get("QUEUE")
        for record in capture.records
        if record.values.get("DEFTYPE") == _TEMPORARY
    }
    yield from channel_figures(capture.records)
    for place, record in enumerate(capture.records):
        if record.message == _QMSTATUS:
            yield from _of_qmgr(record)
        elif record.message in {CHSTATUS, NO_CHSTATUS}:
            yield from _of_channel(record, place)
        elif record.message == NATIVE_HA:
            yield from _of_instance(record)
        elif record.values.get("QUEUE") not in temporary:
            yield from _of_queue(record)


def no_numbers(capture: Capture) -> Iterator[str]:
    """Yield the keys whose values are neither blank nor a number, with the value."""
    for record in capture.records:
        for key in _NUMBERS.get(record.message, ()):
            value = record.values.get(key, "")
            if value not in {"", _SHARED} and number(value) is None:
                yield f"{key}({value[:_SHOWN]}) is no number"


def _of_qmgr(record: CapturedRecord) -> Iterator[CaptureFigure]:
    values = record.values
    for key, figure in _OF_QMGR.items():
        if (value := number(values.get(key))) is not None:
            yield CaptureFigure(figure, "", value)
    if extent := _EXTENT.fullmatch(values.get("MEDIALOG", "")):
        yield CaptureFigure(QmgrFigure.log_media_extent_count, "", float(extent[1]))
    is_shared = _SHARED in {values.get("LOGFSUSE"), values.get("LOGFSSZ")}
    data_pct = number(values.get("QMFSUSE"))
    log_pct = data_pct if is_shared else number(values.get("LOGFSUSE"))
    log_mib = number(values.get("QMFSSZ" if is_shared else "LOGFSSZ"))
    if log_mib:
        yield CaptureFigure(QmgrFigure.log_fs_size_bytes, "", log_mib * MIB_BYTES)
    for figure, used_pct in (
        (QmgrFigure.qmgr_fs_free_pct, data_pct),
        (QmgrFigure.log_fs_free_pct, log_pct),
    ):
        if used_pct is not None:
            yield CaptureFigure(figure, "", 100 - used_pct)


def _of_channel(record: CapturedRecord, place: int) -> Iterator[CaptureFigure]:
    """Yield the status of an instance; that no instance was found is an answer too."""
    state = "INACTIVE" if record.message == NO_CHSTATUS else record.values.get("STATUS", "")
    if state in CHANNEL_STATES:
        yield CaptureFigure(QmgrFigure.channel_status, str(place), CHANNEL_STATES[state])


def _of_instance(record: CapturedRecord) -> Iterator[CaptureFigure]:
    """Yield whether an instance that does not run has the whole log; BACKLOG has no known unit."""
    values = record.values
    in_sync = _IN_SYNC.get(values.get("INSYNC", "").upper())
    if in_sync is not None and values["ROLE"].upper() != ACTIVE:
        yield CaptureFigure(QmgrFigure.nha_in_sync_count, values["INSTANCE"], in_sync)


def _of_queue(record: CapturedRecord) -> Iterator[CaptureFigure]:
    queue = record.values.get("QUEUE", "")
    if not is_mq_name(queue) or is_temporary_queue(queue):
        return
    for (message, key), figure in _OF_QUEUE.items():
        value = number(record.values.get(key)) if record.message == message else None
        if value is not None:
            yield CaptureFigure(figure, queue, value)
