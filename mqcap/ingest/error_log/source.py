"""Error logs of distributed queue managers as events: what is known to concern capacity."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from typing import Any, Final

from mqcap.domain.datasets import QMGR_EVENT
from mqcap.domain.distributed.mq_name import is_mq_name
from mqcap.domain.estate import qmgr_zone_key
from mqcap.domain.source import SourceSummary
from mqcap.ingest.capture_stamp import keyword, site_stamp_utc
from mqcap.ingest.error_log.catalogue import error_log_catalogue, outcome_messages
from mqcap.ingest.error_log.extents import ExtentMessages
from mqcap.ingest.error_log.local_times import LocalTimes
from mqcap.ingest.error_log.records import (
    CONTAINER,
    EXTENTS,
    HEADER,
    HEADING,
    JSON_MESSAGE,
    LogRecord,
    is_end,
    json_records,
    line_records,
)
from mqcap.ingest.smf.record_heads import schema_of
from mqcap.ingest.text import TextFile
from mqcap.ingest.text_reading import RowsReading, TextInput

_ROWS_PER_TABLE: Final = 10_000
_JSON_KEYS: Final = frozenset({"ibm_messageId", "ibm_datetime"})
_SCHEMA: Final = schema_of(QMGR_EVENT)


@dataclass
class ErrorLogReading(RowsReading):
    """A pass over one log; its dates are those of messages that begin or end a state."""

    record_count: int = 0
    _header: str = ""
    _local_times: LocalTimes = field(default_factory=LocalTimes)
    _latest: dict[str, datetime] = field(default_factory=dict)
    """Last record with a local time, by queue manager."""
    _waiting: list[LogRecord] = field(default_factory=list)
    """Records with a date whose order is not known yet."""
    _extents: ExtentMessages = field(init=False)

    def __post_init__(self) -> None:
        """Begin without events."""
        self._extents = ExtentMessages(self.file_sha256)

    def tables(self) -> Iterator[tuple[str, Any]]:
        """Yield events; raises InputError where no record can be read, or none be placed."""
        records = (
            json_records(self.text.documents())
            if self.text.is_json
            else line_records(self.text.lines(), self.left_out)
        )
        rows = self._rows(records)
        while part := list(islice(rows, _ROWS_PER_TABLE)):
            yield self.table(QMGR_EVENT.name, part, _SCHEMA)
        yield from self._extents.tables()
        if not self.rows and (self.left_out or not self.record_count):
            raise self.unusable(
                "an error log of which no record can be used",
                expected="QMgr() in records and their Time(), or a site of the settings that lists"
                f" the queue manager; in front of the output of a container {HEADER} QMGR(QM1)",
                remedy="Put that line in front of it, or send the log as MQ wrote it.",
            )

    def is_end(self, line: str) -> bool:
        """Return whether a record ends with the line."""
        return is_end(line)

    def summary(self) -> SourceSummary:
        """Return what was found."""
        self.dates.update(self._extents.dates)
        return self._extents.samples.added_to(self.summed(self.record_count), self.name)

    def problems(self) -> Iterator[str]:
        """Yield what was left out."""
        yield from super().problems()
        yield from (f"{self.name}: {text}" for text in self._extents.problems())

    def _rows(self, records: Iterable[LogRecord]) -> Iterator[dict[str, Any]]:
        for record in records:
            if record.header:
                self._header = record.header
                continue
            self.record_count += 1
            self._local_times.learn(record.local_time)
            yield from self._row(record)
        for record in self._waiting:
            yield from self._row(record, is_last=True)

    def _row(self, record: LogRecord, *, is_last: bool = False) -> Iterator[dict[str, Any]]:
        """Yield the row of a record; of one that is none of ours, or has to wait, none."""
        if not record.message_id.startswith("AMQ"):
            self._leave_out("it cannot be read", record)
        if record.message_id not in error_log_catalogue():
            return
        record.qmgr = record.qmgr or keyword("QMGR", self._header) or ""
        record.host = record.host or keyword("HOST", self._header) or ""
        if not is_mq_name(record.qmgr):
            self._leave_out("it names no queue manager", record)
            return
        try:
            instant = self._instant(record, is_last=is_last)
        except ValueError as error:
            self._leave_out(str(error), record)
            return
        if instant is not None:
            yield self._event(record, instant)
        elif is_last:
            self._leave_out("day and month of its heading cannot be told apart", record)
        else:
            self._waiting.append(record)

    def _event(self, record: LogRecord, instant: datetime) -> dict[str, Any]:
        self.note(instant, instant)
        if record.message_id in outcome_messages():
            self.dates.add(instant.date())
        if record.message_id == EXTENTS:
            self._extents.add(record.qmgr, instant, record.sentence)
        return {
            "qmgr": record.qmgr,
            "host": record.host,
            "event_utc": instant,
            "message_id": record.message_id,
            "process": record.process,
            "inserts": json.dumps(record.inserts, sort_keys=True),
            "line_number": record.line_number,
            "file_sha256": self.file_sha256,
        }

    def _instant(self, record: LogRecord, *, is_last: bool) -> datetime | None:
        """Return when a record was written; ``None`` where the order of its date is not known.

        Raises ValueError where there is no time.
        """
        if record.time or not record.local_time:
            try:
                stated = datetime.fromisoformat(record.time)
            except ValueError:
                stated = None
            if stated is None or stated.tzinfo is None:
                raise ValueError("it has no time in UTC")
            return stated.astimezone(UTC)
        zone = self.zones.get(qmgr_zone_key(record.qmgr))
        if zone is None:
            raise ValueError(
                f"it has no time in UTC (MQ before 9.1), and no site of the settings lists"
                f" {record.qmgr}"
            )
        local = self._local_times.moment(record.local_time, is_last=is_last)
        if local is None:
            return None
        earlier = self._latest.get(record.qmgr)
        instant = site_stamp_utc(local.isoformat(), zone, earlier, record.qmgr)
        self._latest[record.qmgr] = instant
        return instant

    def _leave_out(self, reason: str, record: LogRecord) -> None:
        self.left_out.add(reason, "record", record.line_number)


def _recognises(text: TextFile) -> bool:
    """Return whether a text is an error log, or begins with its line of capture."""
    if text.head.startswith(HEADER):
        return True
    lines = text.head.split("\n")
    return any(map(HEADING.search, lines)) or any(map(CONTAINER.search, lines))


def _recognises_json(text: TextFile) -> bool:
    return not _JSON_KEYS.isdisjoint(text.keys) or JSON_MESSAGE.search(text.head) is not None


SOURCE: Final = TextInput(
    name="error_log",
    order=55,
    title="error log of a queue manager",
    description="an error log of a queue manager (text, JSON or container)",
    recognises=_recognises,
    recognises_json=_recognises_json,
    begin=ErrorLogReading,
)
