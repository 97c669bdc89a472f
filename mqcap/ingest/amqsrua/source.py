"""Text of amqsrua, the sample that prints published metrics, as samples.

It does not print whose the figures are; the capture script writes a line before each run::

    # mqcap amqsrua QMGR(QM1) HOST(mq1)

The first publication behind it covers the time since the metric was last asked for, and is left
out. Times are those of the message descriptor: GMT. Source: qmmonitor2.c of the sample.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from mqcap.domain.distributed.mq_name import is_mq_name, is_temporary_queue
from mqcap.domain.distributed.qmgr_figure import QmgrFigure, SampleReading
from mqcap.domain.errors import InputError
from mqcap.domain.numbers import counted
from mqcap.domain.source import Reading, SourceSummary
from mqcap.domain.units import US_PER_S
from mqcap.ingest.capture_stamp import keyword
from mqcap.ingest.gathered_samples import GatheredSamples, SampleColumns
from mqcap.ingest.samples import SampleKey, Samples
from mqcap.ingest.smf.dump_file import open_content, read_head, view_of

HEADER: Final = "# mqcap amqsrua"
_GAUGES: Final = {
    "Log - current primary space in use": QmgrFigure.log_primary_used_pct,
    "Log - workload primary space utilization": QmgrFigure.log_workload_pct,
    "Log - write latency": QmgrFigure.log_write_latency_us,
    "Log - bytes required for media recovery": QmgrFigure.log_media_mib,
    "Log file system - bytes in use": QmgrFigure.log_fs_used_bytes,
    "Log file system - bytes max": QmgrFigure.log_fs_size_bytes,
    "Log file system - free space": QmgrFigure.log_fs_free_pct,
    "Queue Manager file system - free space": QmgrFigure.qmgr_fs_free_pct,
    "User CPU time percentage": QmgrFigure.host_cpu_user_pct,
    "System CPU time percentage": QmgrFigure.host_cpu_system_pct,
    "RAM free percentage": QmgrFigure.host_ram_free_pct,
}
_DELTAS: Final = {
    "Log - physical bytes written": QmgrFigure.log_written_bytes,
    "Interval total MQPUT/MQPUT1 count": QmgrFigure.put_count,
    "Interval total MQPUT/MQPUT1 byte count": QmgrFigure.put_bytes,
}
_OF_OBJECTS: Final = {
    "Queue depth": QmgrFigure.queue_depth_count,
    "Backlog bytes": QmgrFigure.nha_backlog_bytes,
    "lock contention": QmgrFigure.queue_lock_contention_pct,
}
"""Their object stands in front of the description, padded to 48 characters."""
_DELTAS_OF_OBJECTS: Final = {
    "MQPUT/MQPUT1 count": QmgrFigure.queue_put_count,
    "MQPUT byte count": QmgrFigure.queue_put_bytes,
}
"""Likewise."""
_DESCRIBED: Final = {
    **{text.encode(): (figure, SampleReading.gauge) for text, figure in _GAUGES.items()},
    **{text.encode(): (figure, SampleReading.delta) for text, figure in _DELTAS.items()},
    **{text.encode(): (figure, SampleReading.gauge) for text, figure in _OF_OBJECTS.items()},
    **{text.encode(): (figure, SampleReading.delta) for text, figure in _DELTAS_OF_OBJECTS.items()},
}
_PLAIN: Final = "|".join(map(re.escape, (*_GAUGES, *_DELTAS)))
_NAMED: Final = "|".join(map(re.escape, (*_OF_OBJECTS, *_DELTAS_OF_OBJECTS)))
_LINE: Final = re.compile(
    rf"^(?:Publication received PutDate:(\d{{8}}) PutTime:(\d{{8}}) Interval:([^\n]*) seconds"
    rf"|({re.escape(HEADER)}[^\n]*)"
    rf"|({_PLAIN}) (-?\d+(?:\.\d+|,\d\d(?=%))?)"
    rf"|([^\s]{{1,48}}) +({_NAMED}) (\d+(?:\.\d+)?))".encode(),
    re.MULTILINE,
)
_HEADER_LINE, _PLAIN_VALUE, _NAMED_VALUE = 4, 6, 9
"""Last group of each kind of line; that of a publication is another one."""
_PUBLICATION: Final = re.compile(
    rb"^Publication received PutDate:\d{8} PutTime:\d{8} Interval:", re.MULTILINE
)
_COMMA: Final = re.compile(rb",(\d{3})\Z")
"""Decimal comma of an interval; percentages have two digits behind theirs."""
_PARTS: Final = re.compile(r"(?:(\d+) days?,)?(?:(\d+) hours?,)?(?:(\d+) minutes?,)?(\d+\.?\d*)")
_PART_SECONDS: Final = (86_400.0, 3_600.0, 60.0, 1.0)
_SECONDS_PER_MINUTE: Final = 60


@dataclass
class AmqsruaReading:
    """A pass over one text."""

    path: Path
    file_sha256: str
    content_bytes: int = 0
    _samples: Samples = field(init=False)
    _gathered: GatheredSamples[SampleKey] = field(init=False)
    _qmgr: str | None = None
    _host: str = ""
    _publication_count: int = 0
    """Of this run, until a line of capture begins another."""
    _reported_us: int = 0
    _seconds: float = 0.0
    _is_taken: bool = False
    """Whether the figures of this publication count."""
    _columns: dict[tuple[bytes, bytes], SampleColumns | None] = field(default_factory=dict)
    """By description and object, of this run."""
    _nameless_count: int = 0
    _unreadable_count: int = 0
    _unpacking: str = ""

    def __post_init__(self) -> None:
        """Begin without samples."""
        self._samples = Samples(self.file_sha256)
        self._gathered = GatheredSamples(self._samples.admits)

    def tables(self) -> Iterator[tuple[str, Any]]:
        """Yield samples; raises InputError when no line names the queue manager."""
        content = open_content(self.path)
        self.content_bytes = len(content.data)
        self._unpacking = content.problem or ""
        for line in _LINE.finditer(view_of(content.data)):
            self._take(line)
        for key, reported_us, seconds, values in self._gathered.figures():
            self._samples.add(key, reported_us, seconds, values)
            yield from self._samples.full()
        if not self._samples.row_count:
            raise self._unusable()
        yield from self._samples.rest()

    def summary(self) -> SourceSummary:
        """Return what was found."""
        name, problems = self.path.name, self._problems()
        return self._samples.summary(name, "text", self.content_bytes, problems=problems)

    def _problems(self) -> Iterator[str]:
        name = self.path.name
        if self._unpacking:
            yield f"{name}: {self._unpacking}"
        if self._nameless_count:
            count = counted(self._nameless_count, "publication")
            yield f"{name}: {count} before the first line {HEADER} left out."
        if self._unreadable_count:
            count = counted(self._unreadable_count, "publication")
            yield f"{name}: {count} left out: their time or interval cannot be read."

    def _take(self, line: re.Match[bytes]) -> None:
        kind = line.lastindex
        if kind == _PLAIN_VALUE:
            if self._is_taken:
                self._add(line[5], b"", line[6])
        elif kind == _NAMED_VALUE:
            if self._is_taken:
                self._add(line[8], line[7], line[9])
        elif kind == _HEADER_LINE:
            self._name(line[4].decode("utf-8", "replace"))
        else:
            self._begin(line[1], line[2], line[3])

    def _name(self, header: str) -> None:
        """Begin a run of amqsrua; what follows a line that names nobody is left out."""
        qmgr = keyword("QMGR", header)
        self._qmgr = qmgr if qmgr and is_mq_name(qmgr) else None
        self._host = keyword("HOST", header) or ""
        self._publication_count = 0
        self._seconds = 0.0
        self._is_taken = False
        self._columns.clear()

    def _begin(self, date: bytes, time: bytes, interval: bytes) -> None:
        """Begin a publication; the first one of a run is left out."""
        self._publication_count += 1
        self._is_taken = False
        self._seconds = _seconds(interval)
        try:
            minute_us = _minute_us(date, time[:4])
            second = _second(time[4:6])
        except ValueError:
            self._seconds = 0.0
        if self._seconds == 0.0:
            self._unreadable_count += 1
            return
        if self._qmgr is None:
            self._nameless_count += 1
        self._reported_us = minute_us + second * US_PER_S + int(time[6:]) * US_PER_S // 100
        self._is_taken = self._qmgr is not None and self._publication_count > 1

    def _add(self, description: bytes, name: bytes, value: bytes) -> None:
        described = description, name
        if described not in self._columns:
            key = self._key(description, name.decode("latin-1"))
            self._columns[described] = None if key is None else self._gathered.columns_of(key)
        columns = self._columns[described]
        if columns is not None:
            columns.add(self._reported_us, _number(value), self._seconds)

    def _key(self, description: bytes, name: str) -> SampleKey | None:
        """Return whose figure a line of this run is; ``None`` for temporary queues."""
        figure, reading = _DESCRIBED[description]
        if figure.startswith("queue_") and is_temporary_queue(name):
            return None
        return SampleKey(self._qmgr or "", figure, reading, name, self._host)

    def _unusable(self) -> InputError:
        nameless = counted(self._nameless_count, "publication")
        return InputError(
            "text of amqsrua that gives no figure",
            file=self.path.name,
            found=f"{nameless} without the name of a queue manager",
            expected=f"the line {HEADER} QMGR(QM1) HOST(mq1) before each run of amqsrua",
            remedy="Put that line in front of it; the first publication behind it does not count.",
        )


@dataclass(frozen=True)
class AmqsruaSource:
    """Text of amqsrua."""

    name: str = "amqsrua"
    order: int = 51
    title: str = "text of amqsrua"
    description: str = "text of amqsrua"

    def accepts(self, path: Path) -> bool:
        """Return whether the file is such text."""
        head = read_head(path)
        return b"\x00" not in head and _PUBLICATION.search(head) is not None

    def read(self, path: Path, file_sha256: str) -> Reading:
        """Begin reading."""
        return AmqsruaReading(path, file_sha256)


@lru_cache(maxsize=1 << 12)
def _minute_us(date: bytes, time: bytes) -> int:
    """Return a minute in microseconds since 1970; raises ValueError when there is no such one."""
    year, month, day = int(date[:4]), int(date[4:6]), int(date[6:])
    minute = datetime(year, month, day, int(time[:2]), int(time[2:]), tzinfo=UTC)
    return round(minute.timestamp()) * US_PER_S


def _number(text: bytes) -> float:
    """Return a printed number; its locale may have a decimal comma."""
    try:
        return float(text)
    except ValueError:
        return float(text.replace(b",", b"."))


def _second(digits: bytes) -> int:
    """Return a second of a minute; raises ValueError when there is no such one."""
    if (second := int(digits)) < _SECONDS_PER_MINUTE:
        return second
    raise ValueError("no second of a minute")


@lru_cache(maxsize=1 << 10)
def _seconds(interval: bytes) -> float:
    """Return the length of a printed interval; 0 for one that cannot be read."""
    parts = _PARTS.fullmatch(_COMMA.sub(rb".\1", interval).decode("latin-1"))
    if parts is None:
        return 0.0
    return sum(
        float(part or 0) * seconds
        for part, seconds in zip(parts.groups(), _PART_SECONDS, strict=True)
    )


SOURCE: Final = AmqsruaSource()
