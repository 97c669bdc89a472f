"""Stamped captures of DISPLAY commands as samples: of QMSTATUS, QLOCAL, QSTATUS, CHSTATUS, CHANNEL.

Connections from one network address are of one client (IBM MQ reference: MaxInstancesPerClient).
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from mqcap.domain.distributed.mq_name import is_mq_name, is_temporary_queue
from mqcap.domain.distributed.qmgr_figure import ACTIVE_STATES, QmgrFigure, SampleReading
from mqcap.domain.errors import InputError
from mqcap.domain.estate import zone_key
from mqcap.domain.units import MIB_BYTES, US_PER_S
from mqcap.ingest.capture_stamp import site_stamp_utc
from mqcap.ingest.mq_display.answers import NATIVE_HA, Capture, CapturedRecord, captures
from mqcap.ingest.samples import GatheredFigure, SampleKey, usual_seconds
from mqcap.ingest.text_reading import Refusal, SamplesReading, TextInput

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
RUNNING: Final = "RUNNING"
"""Status of a queue manager that gives values; ``dspmq -n`` and the keyword are not translated."""
ACTIVE: Final = "ACTIVE"
"""Role of the instance of Native HA that runs; it alone knows of the others."""
_CHSTATUS, _NO_CHSTATUS, _CHANNEL = "AMQ8417", "AMQ8420", "AMQ8414"
_QMSTATUS, _QLOCAL, _QSTATUS = "AMQ8705", "AMQ8409", "AMQ8450"
MESSAGES: Final = (_QMSTATUS, _QLOCAL, _QSTATUS, _CHSTATUS, _NO_CHSTATUS, _CHANNEL)
_NUMBERS: Final = {
    _QMSTATUS: {
        "LOGINUSE": QmgrFigure.log_primary_used_pct,
        "LOGUTIL": QmgrFigure.log_workload_pct,
        "LOGPRIM": QmgrFigure.log_primary_files_count,
        "LOGSEC": QmgrFigure.log_secondary_files_count,
        "MEDIASZ": QmgrFigure.log_media_mib,
        "CONNS": QmgrFigure.connection_count,
    },
    _QLOCAL: {"MAXDEPTH": QmgrFigure.queue_depth_max_count},
    _QSTATUS: {
        "CURDEPTH": QmgrFigure.queue_depth_count,
        "CURFSIZE": QmgrFigure.queue_file_mib,
        "CURMAXFS": QmgrFigure.queue_file_max_mib,
    },
    _CHANNEL: {
        "MAXINST": QmgrFigure.channel_instance_max_count,
        "MAXINSTC": QmgrFigure.channel_client_instance_max_count,
    },
}
"""Keys of each message whose value is a figure as it stands."""
_CHECKED: Final = {
    _QMSTATUS: (*_NUMBERS[_QMSTATUS], "LOGFSUSE", "LOGFSSZ", "QMFSUSE", "QMFSSZ"),
    _QLOCAL: tuple(_NUMBERS[_QLOCAL]),
    _QSTATUS: tuple(_NUMBERS[_QSTATUS]),
}
_SHARED: Final = "SHARED"
_ANSWER: Final = re.compile(
    rf"^(?:QMNAME\([^)]*\)\s+(?:STATUS|ROLE)\(|(?:{'|'.join(MESSAGES)})[IWEST]?: )", re.MULTILINE
)

CaptureFigure = tuple[QmgrFigure, str, float]


def figures_of(capture: Capture) -> Iterator[CaptureFigure]:
    """Yield what is known of a running queue manager or instance; no temporary queues."""
    if capture.status.upper() != (ACTIVE if capture.is_native_ha else RUNNING):
        return
    temporary = {
        record.values.get("QUEUE")
        for record in capture.records
        if record.values.get("DEFTYPE") == "TEMPDYN"
    }
    yield from channel_figures(capture.records)
    for place, record in enumerate(capture.records):
        queue = record.values.get("QUEUE", "")
        if record.message == _QMSTATUS:
            yield from _of_qmgr(record)
        elif record.message in {_CHSTATUS, _NO_CHSTATUS}:
            # that no instance was found is an answer too
            state = record.values.get("STATUS", "") if record.message == _CHSTATUS else "INACTIVE"
            if state in CHANNEL_STATES:
                yield QmgrFigure.channel_status, str(place), CHANNEL_STATES[state]
        elif record.message == NATIVE_HA:
            yield from _of_instance(record)
        elif is_mq_name(queue) and queue not in temporary and not is_temporary_queue(queue):
            yield from _numbers(record, queue)


def channel_figures(records: Sequence[CapturedRecord]) -> Iterator[CaptureFigure]:
    """Yield limits of server-connection channels, and instances where any status was displayed."""
    clients: dict[str, Counter[str]] = {}
    for record in records:
        values = record.values
        channel = values.get("CHANNEL", "")
        if values.get("CHLTYPE") != "SVRCONN" or not is_mq_name(channel):
            continue
        if record.message == _CHANNEL:
            clients.setdefault(channel, Counter())
            yield from _numbers(record, channel)
        elif record.message == _CHSTATUS:
            of_channel = clients.setdefault(channel, Counter())
            if CHANNEL_STATES.get(values.get("STATUS", "")) in ACTIVE_STATES:
                of_channel[values.get("CONNAME", "").partition("(")[0]] += 1
    if any(record.message in {_CHSTATUS, _NO_CHSTATUS} for record in records):
        for channel, by_client in clients.items():
            busiest = max(by_client.values(), default=0)
            yield QmgrFigure.channel_instance_count, channel, float(by_client.total())
            yield QmgrFigure.channel_client_instance_count, channel, float(busiest)


def no_numbers(capture: Capture) -> Iterator[str]:
    """Yield the keys whose values are neither blank nor a number, with the value."""
    for record in capture.records:
        for key in _CHECKED.get(record.message, ()):
            value = record.values.get(key, "")
            if value not in {"", _SHARED} and record.number(key) is None:
                yield f"{key}({value[:20]}) is no number"


def _numbers(record: CapturedRecord, name: str) -> Iterator[CaptureFigure]:
    for key, figure in _NUMBERS.get(record.message, {}).items():
        if (value := record.number(key)) is not None:
            yield figure, name, value


def _of_qmgr(record: CapturedRecord) -> Iterator[CaptureFigure]:
    yield from _numbers(record, "")
    values = record.values
    if extent := re.fullmatch(r"S(\d{7})\.LOG", values.get("MEDIALOG", "")):
        yield QmgrFigure.log_media_extent_count, "", float(extent[1])
    is_shared = _SHARED in {values.get("LOGFSUSE"), values.get("LOGFSSZ")}
    data_pct = record.number("QMFSUSE")
    log_pct = data_pct if is_shared else record.number("LOGFSUSE")
    if log_mib := record.number("QMFSSZ" if is_shared else "LOGFSSZ"):
        yield QmgrFigure.log_fs_size_bytes, "", log_mib * MIB_BYTES
    if data_pct is not None:
        yield QmgrFigure.qmgr_fs_free_pct, "", 100 - data_pct
    if log_pct is not None:
        yield QmgrFigure.log_fs_free_pct, "", 100 - log_pct


def _of_instance(record: CapturedRecord) -> Iterator[CaptureFigure]:
    """Yield whether an instance that does not run has the whole log; BACKLOG has no known unit."""
    in_sync = {"YES": 1.0, "NO": 0.0}.get(record.values.get("INSYNC", "").upper())
    if in_sync is not None and record.values["ROLE"].upper() != ACTIVE:
        yield QmgrFigure.nha_in_sync_count, record.values["INSTANCE"], in_sync


@dataclass
class _MqDisplayReading(SamplesReading):
    nothing = Refusal(
        "captures of DISPLAY commands without any figure",
        expected="captures that begin with QMNAME(QM1) STATUS(RUNNING) NOW(time with offset)",
        remedy="Capture again with the documented script.",
        otherwise="no figure in any capture",
    )
    _stamps: dict[tuple[str, bool], array[int]] = field(default_factory=dict)
    """Times by queue manager, those of Native HA alone apart."""
    _steps: dict[tuple[str, bool], float | None] = field(default_factory=dict)

    def take_all(self) -> None:
        for capture in captures(self.text.lines(), self.left_out):
            self._take(capture)
        self._steps = {key: usual_seconds(stamps) for key, stamps in self._stamps.items()}

    def add(self, figure: GatheredFigure[SampleKey]) -> None:
        key, times, _, values = figure
        own = key.figure is QmgrFigure.nha_in_sync_count and (key.qmgr, True) in self._steps
        self.samples.add(key, times, self._steps[key.qmgr, own], values)

    def is_end(self, line: str) -> bool:
        return line.rstrip().endswith((")", "."))

    def refusal(self) -> InputError:
        left_out = [text.rstrip(".") for text in self.samples.problems("these captures")]
        found = "; ".join(filter(None, (self.left_out.reasons(), *left_out)))
        return self.unusable(**self.nothing._asdict(), found=found)

    def _take(self, capture: Capture) -> None:
        try:
            reported_us = self._reported_us(capture)
        except ValueError as error:
            self.left_out.add(str(error), "capture", capture.line_number)
            return
        times = self._stamps.setdefault((capture.qmgr, capture.is_native_ha), array("q"))
        times.append(reported_us)
        for reason in no_numbers(capture):
            self.left_out.add(reason, "figure", capture.line_number)
        for figure, name, value in figures_of(capture):
            key = SampleKey(capture.qmgr, figure, SampleReading.gauge, name)
            self.gathered.add(key, reported_us, value)

    def _reported_us(self, capture: Capture) -> int:
        """Return the instant; ValueError with the reason why there is none."""
        if not capture.qmgr:
            raise ValueError("no line of dspmq in front of it names the queue manager")
        if not is_mq_name(capture.qmgr):
            raise ValueError(f"{capture.qmgr[:60]!r} is no name of a queue manager")
        if capture.now is None:
            raise ValueError("without NOW() there is no time; such output is configuration only")
        stamps = self._stamps.get((capture.qmgr, capture.is_native_ha))
        earlier = datetime.fromtimestamp(stamps[-1] / US_PER_S, UTC) if stamps else None
        zone = self.zones.get(zone_key("qmgr", capture.qmgr))
        now = site_stamp_utc(capture.now, zone, earlier, capture.qmgr)
        return round(now.timestamp()) * US_PER_S


SOURCE: Final = TextInput(
    name="mq_display",
    order=50,
    title="capture of DISPLAY commands",
    description="stamped output of DISPLAY commands (runmqsc)",
    recognises=lambda text: _ANSWER.search(text.head) is not None,
    begin=_MqDisplayReading,
    first_line=r"QMNAME\([^)\n]*\)\s+(?:STATUS|ROLE)\(",
    named_behind="captures of DISPLAY commands",
)
