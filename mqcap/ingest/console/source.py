"""Console logs as a source of events: channel initiator storage, log switches, log shortage.

A log carries local time only. ``zones`` names the time zone of each system; one that is not in
it is taken to run in UTC. The hour that happens twice in autumn is resolved by order: a time
earlier than that of the message before it belongs to the second pass.
"""

from __future__ import annotations

import gzip
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from itertools import chain, islice
from pathlib import Path
from typing import Any, BinaryIO, Final
from zoneinfo import ZoneInfo

import pyarrow as pa

from mqcap.domain.datasets import CONSOLE_EVENT, QUARANTINE
from mqcap.domain.source import Reading, SourceSummary
from mqcap.ingest.console.catalogue import catalogue
from mqcap.ingest.console.lines import HARDCOPY, JOB_LOG, JOB_LOG_HEADER, LogReader, Message
from mqcap.ingest.console.messages import USAGE_MESSAGE, Recognised, recognise, usage_rows
from mqcap.ingest.shown_reading import at_position
from mqcap.ingest.smf.dump_file import GZIP_MAGIC, read_head
from mqcap.ingest.smf.record_heads import ARROW_TYPES

EVENTS_PER_TABLE: Final = 10_000
TRIED_LINES: Final = 200
_NOTED_LINES: Final = 10_000
"""After so many lines it is noted how far the file has been read."""
_NAMED_PROBLEMS: Final = 20
UTC_ZONE: Final = "UTC"
DISORDER: Final = timedelta(minutes=1)
"""Lines of one system may be out of order by this much."""
_STARTED: Final = re.compile(r"[\s*+-]*(?:\$HASP373|IEF403I)\s+(\S{1,4})(?:MSTR|CHIN)\b")
"""The address spaces of a queue manager are called by its name and MSTR or CHIN."""


_ACTION: Final = re.compile(r"^[\s*+@]*(CSQ[A-Z0-9]\d{3}[ADE])\s")
"""A message of MQ whose type code asks for action: immediate, decision or eventual."""


def _schema(columns: Mapping[str, str]) -> pa.Schema:
    return pa.schema([(name, ARROW_TYPES[kind]) for name, kind in columns.items()])


SCHEMAS: Final = {
    CONSOLE_EVENT.name: _schema(CONSOLE_EVENT.columns),
    QUARANTINE.name: _schema(QUARANTINE.columns),
}


@dataclass
class ConsoleReading:
    """A pass over one log."""

    path: Path
    file_sha256: str
    zones: Mapping[str, str]
    decoded_bytes: int = 0
    skipped_bytes: int = 0
    quarantined_bytes: int = 0
    record_count: int = 0
    rows: Counter[str] = field(default_factory=Counter)
    dates: set[date] = field(default_factory=set)
    first_utc: datetime | None = None
    last_utc: datetime | None = None
    problems: list[str] = field(default_factory=list)
    _latest: dict[str, datetime] = field(default_factory=dict)
    _same_time: Counter[str] = field(default_factory=Counter)
    _quarantined_count: int = 0
    _noted_count: int = 0
    _unknown: dict[str, int] = field(default_factory=dict)
    """First line of each message of MQ that asks for action and that the catalogue lacks."""
    _without_zone: dict[str, int] = field(default_factory=dict)
    """First line of each system whose time zone is not known, where those of others are."""
    _owners: dict[tuple[str, str], str] = field(default_factory=dict)
    """Queue managers by system and job number."""

    def tables(self) -> Iterator[tuple[str, pa.Table]]:
        """Yield events, and messages of MQ that could not be read."""
        reader = LogReader()
        with _opened(self.path) as lines:
            rows = chain.from_iterable(map(self._rows, reader.messages(lines)))
            while part := list(islice(rows, EVENTS_PER_TABLE)):
                yield from self._part(part)
        self.skipped_bytes += reader.other_bytes

    def summary(self) -> SourceSummary:
        """Return the summary of the log; the times are those of the first and last event."""
        return SourceSummary(
            framing="text",
            content_bytes=self.decoded_bytes + self.skipped_bytes + self.quarantined_bytes,
            decoded_bytes=self.decoded_bytes,
            skipped_bytes=self.skipped_bytes,
            quarantined_bytes=self.quarantined_bytes,
            record_count=self.record_count,
            rows_by_dataset=dict(sorted(self.rows.items())),
            first_interval_utc=self.first_utc,
            last_interval_utc=self.last_utc,
            hour_dates=tuple(sorted(self.dates)),
            problems=tuple(self._problems()),
            parts_stand_alone=True,
        )

    def _problems(self) -> Iterator[str]:
        """Yield sentences for the operator."""
        yield from self.problems
        if self._quarantined_count > _NAMED_PROBLEMS:
            yield f"{self._quarantined_count - _NAMED_PROBLEMS} more messages were quarantined."
        if self._noted_count > _NAMED_PROBLEMS:
            yield f"{self._noted_count - _NAMED_PROBLEMS} more messages were understood in part."
        yield from self._other_problems()
        if self._quarantined_count or self._noted_count:
            yield "Messages are read in English (MQ: language feature U or E)."
        if self.record_count and not self.rows:
            yield (
                f"{self.path.name}: none of {self.record_count} messages carries a figure of MQ:"
                " check that the log is that of a system or address space of MQ."
            )

    def _other_problems(self) -> Iterator[str]:
        """Yield what concerns many messages, once with the first line."""
        for system, line in self._without_zone.items():
            name = system or "a system without a name"
            yield (
                f"{self.path.name}: line {line}: the time zone of {name} is not known (estate); its"
                " times are taken as UTC."
            )
        if self._unknown:
            named = [f"{name} (line {line})" for name, line in self._unknown.items()]
            more = f" and {len(named) - _NAMED_PROBLEMS} more" if named[_NAMED_PROBLEMS:] else ""
            yield (
                f"{self.path.name}: messages of MQ that ask for action and are not in the catalogue"
                f": {', '.join(named[:_NAMED_PROBLEMS])}{more}. They are skipped."
            )

    def _part(self, part: list[tuple[str, dict[str, Any]]]) -> Iterator[tuple[str, pa.Table]]:
        """Yield the rows of one stretch as one table per dataset."""
        for dataset, schema in SCHEMAS.items():
            rows = [row for name, row in part if name == dataset]
            if rows:
                self.rows[dataset] += len(rows)
                yield dataset, pa.Table.from_pylist(rows, schema=schema)

    def _rows(self, message: Message) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield the rows of one message, each with its dataset; none when it is none of ours."""
        self.record_count += 1
        recognised = recognise(message.text)
        if recognised is None:
            self._note_owner(message)
            self._note_unknown(message)
            self.skipped_bytes += message.bytes_count
        elif recognised.figures is None:
            yield self._quarantine(
                message, f"the text of {recognised.message_id} was not understood"
            )
        elif message.local is None:
            yield self._quarantine(message, f"{recognised.message_id} has no date before it")
        else:
            self.decoded_bytes += message.bytes_count
            if recognised.note:
                self._note(message, f"{recognised.message_id}: {recognised.note}")
            parts = usage_rows(recognised) if recognised.message_id == USAGE_MESSAGE else []
            for part in parts or [recognised]:
                yield CONSOLE_EVENT.name, self._event(message, part, message.local)

    def _note_owner(self, message: Message) -> None:
        """Remember which queue manager a job belongs to, for messages without command prefix."""
        if started := _STARTED.match(message.text):
            self._owners[message.system, message.job] = started[1]

    def _note_unknown(self, message: Message) -> None:
        """Remember the first line of each message that asks for action and is not catalogued."""
        if (unknown := _ACTION.match(message.text)) and unknown[1] not in catalogue():
            self._unknown.setdefault(unknown[1], message.line_number)

    def _event(self, message: Message, recognised: Recognised, local: datetime) -> dict[str, Any]:
        """Return one row of console events."""
        if self.zones and message.system not in self.zones:
            self._without_zone.setdefault(message.system, message.line_number)
        instant = self._instant(message.system, local)
        self.dates.add(instant.date())
        self.first_utc = min(instant, self.first_utc or instant)
        self.last_utc = max(instant, self.last_utc or instant)
        place = f"{message.system} {instant}"
        self._same_time[place] += 1
        return {
            "smfid": message.system,
            "qmgr": recognised.qmgr or self._owners.get((message.system, message.job)),
            "event_utc": instant,
            "message_id": recognised.message_id,
            "sequence": self._same_time[place],
            "text": recognised.text,
            "line_number": message.line_number,
            "file_sha256": self.file_sha256,
            **(recognised.figures or {}),
        }

    def _instant(self, system: str, local: datetime) -> datetime:
        """Return the instant of a local time, the later of two when time would run backwards."""
        zone = ZoneInfo(self.zones.get(system, UTC_ZONE))
        instant = local.replace(tzinfo=zone).astimezone(UTC)
        if instant < self._latest.get(system, instant) - DISORDER:
            instant = local.replace(tzinfo=zone, fold=1).astimezone(UTC)
        self._latest[system] = max(instant, self._latest.get(system, instant))
        return instant

    def _at(self, message: Message, problem: str) -> str:
        return f"{self.path.name}: line {message.line_number}: {problem}."

    def _note(self, message: Message, problem: str) -> None:
        """Report a message that counts although not all of it was understood."""
        self._noted_count += 1
        if self._noted_count <= _NAMED_PROBLEMS:
            self.problems.append(self._at(message, problem))

    def _quarantine(self, message: Message, reason: str) -> tuple[str, dict[str, Any]]:
        """Return one row of the quarantine."""
        self.quarantined_bytes += message.bytes_count
        self._quarantined_count += 1
        if self._quarantined_count <= _NAMED_PROBLEMS:
            self.problems.append(self._at(message, reason))
        return QUARANTINE.name, {
            "file_sha256": self.file_sha256,
            "byte_offset": message.byte_offset,
            "bytes_count": message.bytes_count,
            "reason": reason,
            "raw_hex": message.text.encode().hex(),
        }


@contextmanager
def _opened(path: Path) -> Iterator[Iterator[bytes]]:
    """Yield the lines of the log, unpacked when it is gzip."""
    with path.open("rb") as raw:
        packed = raw.read(2) == GZIP_MAGIC
        raw.seek(0)
        with gzip.open(raw) if packed else nullcontext(raw) as content:
            yield _noted(content, raw)


def _noted(lines: Iterable[bytes], raw: BinaryIO) -> Iterator[bytes]:
    """Yield the lines and note how much of the file they take."""
    for number, line in enumerate(lines):
        if number % _NOTED_LINES == 0:
            at_position(raw.tell())
        yield line


@dataclass
class ConsoleLogSource:
    """Hardcopy logs and JES2 job logs."""

    zones: Mapping[str, str] = field(default_factory=dict)
    """Time zone (``Europe/Berlin``) of each system, by its name."""
    name: str = "console"
    order: int = 30
    title: str = "console log"
    description: str = "a console log (hardcopy or job log)"

    def in_zones(self, zones: Mapping[str, str]) -> ConsoleLogSource:
        """Return the same source with these time zones."""
        return replace(self, zones=zones)

    def accepts(self, path: Path) -> bool:
        """Return whether the file is a console log."""
        head = read_head(path)
        if b"\x00" in head:
            return False
        lines = head.decode("utf-8", "replace").splitlines()[:TRIED_LINES]
        shapes = (HARDCOPY, JOB_LOG, JOB_LOG_HEADER)
        return any(shape.search(line) for line in lines for shape in shapes)

    def read(self, path: Path, file_sha256: str) -> Reading:
        """Begin reading."""
        return ConsoleReading(path, file_sha256, self.zones)


SOURCE: Final = ConsoleLogSource()
