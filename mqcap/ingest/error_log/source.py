"""Error logs of distributed queue managers as events: what is known to concern capacity."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from itertools import islice
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from mqcap.domain.datasets import QMGR_EVENT
from mqcap.domain.distributed.mq_name import is_mq_name
from mqcap.domain.errors import InputError
from mqcap.domain.numbers import counted
from mqcap.domain.source import Reading, SourceSummary
from mqcap.ingest.capture_stamp import keyword
from mqcap.ingest.error_log.catalogue import error_log_catalogue, outcome_messages
from mqcap.ingest.error_log.extents import ExtentMessages
from mqcap.ingest.error_log.records import (
    END,
    EXTENTS,
    HEADER,
    LogRecord,
    container_records,
    is_comment,
    json_records,
    text_records,
)
from mqcap.ingest.smf.dump_file import Lines, read_head
from mqcap.ingest.smf.record_heads import ARROW_TYPES

_ROWS_PER_TABLE: Final = 10_000
_SCHEMA: Final = pa.schema([(name, ARROW_TYPES[kind]) for name, kind in QMGR_EVENT.columns.items()])
_Records = Callable[[Iterable[str]], Iterator[LogRecord]]


@dataclass
class ErrorLogReading:
    """A pass over one log."""

    path: Path
    file_sha256: str
    records: _Records
    content_bytes: int = 0
    row_count: int = 0
    record_count: int = 0
    first_utc: datetime | None = None
    last_utc: datetime | None = None
    outcome_dates: set[date] = field(default_factory=set)
    """UTC dates of messages that begin or end a state of a resource."""
    _qmgr: str = ""
    _host: str = ""
    _unpacking: str = ""
    _left_out: Counter[str] = field(default_factory=Counter)
    _extents: ExtentMessages = field(init=False)

    def __post_init__(self) -> None:
        """Begin without events."""
        self._extents = ExtentMessages(self.file_sha256)

    def tables(self) -> Iterator[tuple[str, Any]]:
        """Yield events; raises InputError when records are there and none can be placed."""
        rows = filter(None, map(self._row, self.records(self._lines())))
        while part := list(islice(rows, _ROWS_PER_TABLE)):
            self.row_count += len(part)
            yield QMGR_EVENT.name, pa.Table.from_pylist(part, schema=_SCHEMA)
        yield from self._extents.tables()
        if not self.row_count and self._left_out:
            raise InputError(
                "an error log of which no record can be used",
                file=self.path.name,
                found=", ".join(self._left_out),
                expected=f"QMgr() and Time() in records, or the first line {HEADER} QMGR(QM1)",
                remedy="Put that line in front of it, or send the log of MQ 9.0 or later.",
            )

    def summary(self) -> SourceSummary:
        """Return what was found; the dates are those of messages that begin or end a state."""
        made = SourceSummary(
            framing="text",
            content_bytes=self.content_bytes,
            decoded_bytes=self.content_bytes,
            skipped_bytes=0,
            quarantined_bytes=0,
            record_count=self.record_count,
            rows_by_dataset={QMGR_EVENT.name: self.row_count} if self.row_count else {},
            first_interval_utc=self.first_utc,
            last_interval_utc=self.last_utc,
            hour_dates=tuple(sorted(self.outcome_dates | self._extents.dates)),
            problems=tuple(f"{self.path.name}: {text}" for text in self._problems()),
        )
        return self._extents.samples.added_to(made, self.path.name)

    def _problems(self) -> Iterator[str]:
        if self._unpacking:
            yield self._unpacking
        for reason, count in self._left_out.items():
            yield f"{counted(count, 'record')} left out: {reason}."
        yield from self._extents.problems()

    def _lines(self) -> Iterator[str]:
        lines = Lines(self.path)
        for line in lines:
            self.content_bytes += len(line)
            text = line.decode("latin-1").rstrip("\r\n")  # only ASCII of it is read
            if text.startswith(HEADER):
                self._qmgr, self._host = keyword("QMGR", text) or "", keyword("HOST", text) or ""
            yield text
        self._unpacking = lines.problem or ""

    def _row(self, record: LogRecord) -> dict[str, Any] | None:
        """Return the row of a record; ``None`` for one that is none of ours."""
        self.record_count += 1
        if not record.message_id:
            self._left_out["it cannot be read"] += 1
        if record.message_id not in error_log_catalogue():
            return None
        qmgr = record.qmgr or self._qmgr
        if not is_mq_name(qmgr):
            self._left_out["it names no queue manager"] += 1
            return None
        instant = _instant(record.time)
        if instant is None:
            self._left_out["it has no time in UTC"] += 1
            return None
        self.first_utc = min(instant, self.first_utc or instant)
        self.last_utc = max(instant, self.last_utc or instant)
        if record.message_id in outcome_messages():
            self.outcome_dates.add(instant.date())
        if record.message_id == EXTENTS:
            self._extents.add(qmgr, instant, record.sentence)
        return {
            "qmgr": qmgr,
            "host": record.host or self._host,
            "event_utc": instant,
            "message_id": record.message_id,
            "process": record.process,
            "inserts": json.dumps(record.inserts, sort_keys=True),
            "line_number": record.line_number,
            "file_sha256": self.file_sha256,
        }


@dataclass(frozen=True)
class ErrorLogSource:
    """Error logs as text, as JSON, and as the output of a container."""

    name: str = "error_log"
    order: int = 55
    title: str = "error log of a queue manager"
    description: str = "an error log of a queue manager (text, JSON or container)"

    def accepts(self, path: Path) -> bool:
        """Return whether the file is an error log."""
        return _shape(path) is not None

    def read(self, path: Path, file_sha256: str) -> Reading:
        """Begin reading."""
        return ErrorLogReading(path, file_sha256, _shape(path) or text_records)


def _shape(path: Path) -> _Records | None:
    """Return what reads the records of a file, by its beginning; ``None`` for no error log."""
    head = read_head(path)
    if b"\x00" in head:
        return None
    lines = head.decode("latin-1").splitlines()
    first = next((line for line in lines if line.strip() and not is_comment(line)), "")
    if first.lstrip().startswith("{") and b'"ibm_messageId"' in head:
        return json_records
    if any(map(END.match, lines)) and any(" - Process(" in line for line in lines):
        return text_records
    if head.startswith(HEADER.encode()) or next(container_records(lines), None) is not None:
        return container_records
    return None


def _instant(text: str) -> datetime | None:
    try:
        instant = datetime.fromisoformat(text)
    except ValueError:
        return None
    return instant.astimezone(UTC) if instant.tzinfo else None


SOURCE: Final = ErrorLogSource()
