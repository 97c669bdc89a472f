"""Console logs as a source of events: channel initiator storage, log switches, log shortage.

A log carries local time only. ``zones`` names the time zone of each system; one that is not in
it is taken to run in UTC. The hour that happens twice in autumn is resolved by order: a time
earlier than that of the message before it belongs to the second pass.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import chain
from typing import Any, Final

import pyarrow as pa

from mqcap.domain.datasets import CONSOLE_EVENT, QUARANTINE
from mqcap.domain.source import SourceSummary
from mqcap.ingest.capture_stamp import local_utc
from mqcap.ingest.console.catalogue import catalogue
from mqcap.ingest.console.lines import HARDCOPY, JOB_LOG, JOB_LOG_HEADER, LogReader, Message
from mqcap.ingest.console.messages import USAGE_MESSAGE, Recognised, recognise, usage_rows
from mqcap.ingest.smf.quarantine import QUARANTINE_SCHEMA, AlikeProblems
from mqcap.ingest.smf.record_heads import schema_of
from mqcap.ingest.text import TextFile
from mqcap.ingest.text_reading import TextInput, TextReading, listed

EVENTS_PER_TABLE: Final = 10_000
TRIED_LINES: Final = 200
UTC_ZONE: Final = "UTC"
DISORDER: Final = timedelta(minutes=1)
"""Lines of one system may be out of order by this much."""
_STARTED: Final = re.compile(r"[\s*+-]*(?:\$HASP373|IEF403I)\s+(\S{1,4})(?:MSTR|CHIN)\b")
"""The address spaces of a queue manager are called by its name and MSTR or CHIN."""

_ACTION: Final = re.compile(r"^[\s*+@]*(CSQ[A-Z0-9]\d{3}[ADE])\s")
"""A message of MQ whose type code asks for action: immediate, decision or eventual."""
SCHEMAS: Final = {CONSOLE_EVENT.name: schema_of(CONSOLE_EVENT), QUARANTINE.name: QUARANTINE_SCHEMA}
_EVENTS: Final = SCHEMAS[CONSOLE_EVENT.name]
_HIGHEST: Final = {
    field.name: 10**field.type.precision
    if pa.types.is_decimal(field.type)
    else 1 << (field.type.bit_width - 1)
    for field in _EVENTS
    if pa.types.is_decimal(field.type) or pa.types.is_integer(field.type)
}
"""What a whole number of each column stays below."""


@dataclass
class ConsoleReading(TextReading):
    """A pass over one log."""

    decoded_bytes: int = 0
    record_count: int = 0
    in_doubt: AlikeProblems = field(default_factory=AlikeProblems)
    """Messages that cannot be read, or not all of them."""
    _latest: dict[str, datetime] = field(default_factory=dict)
    _same_time: Counter[str] = field(default_factory=Counter)
    _unknown: dict[str, int] = field(default_factory=dict)
    """First line of each message of MQ that asks for action and that the catalogue lacks."""
    _without_zone: dict[str, int] = field(default_factory=dict)
    """First line of each system whose time zone is not known, where those of others are."""
    _owners: dict[tuple[str, str], str] = field(default_factory=dict)
    """Queue managers by system and job number."""

    def tables(self) -> Iterator[tuple[str, pa.Table]]:
        """Yield events, and messages of MQ that could not be read."""
        reader = LogReader(self.left_out.not_understood)
        rows = chain.from_iterable(map(self._rows, reader.messages(self.text.lines())))
        yield from self.in_tables(rows, EVENTS_PER_TABLE, SCHEMAS.__getitem__)

    def summary(self) -> SourceSummary:
        """Return the summary of the log; the times are those of the first and last event."""
        summed = self.summed(self.record_count, self.decoded_bytes)
        return replace(summed, parts_stand_alone=True)

    def problems(self) -> Iterator[str]:
        """Yield sentences for the operator."""
        yield from super().problems()
        yield from self.in_doubt.sentences()
        for system, line in self._without_zone.items():
            name = system or "a system without a name"
            yield (
                f"{self.name}: line {line}: the time zone of {name} is not known (estate); its"
                " times are taken as UTC."
            )
        if self._unknown:
            named = [f"{name} (line {line})" for name, line in self._unknown.items()]
            yield (
                f"{self.name}: messages of MQ that ask for action and are not in the catalogue"
                f": {listed(named)}. They are skipped."
            )
        if self.in_doubt.count:
            yield "Messages are read in English (MQ: language feature U or E)."
        if self.record_count and not self.rows:
            yield (
                f"{self.name}: none of {self.record_count} messages carries a figure of MQ:"
                " check that the log is that of a system or address space of MQ."
            )

    def _rows(self, message: Message) -> Iterator[tuple[str, dict[str, Any]]]:
        self.record_count += 1
        try:
            recognised = recognise(message.text)
        except (ValueError, OverflowError) as error:
            yield self._quarantine(message, f"a number of its text cannot be read ({error})")
            return
        if recognised is None:
            self._note_other(message)
        elif recognised.figures is None:
            yield self._quarantine(
                message, f"the text of {recognised.message_id} was not understood"
            )
        elif message.local is None:
            yield self._quarantine(message, f"{recognised.message_id} has no date before it")
        else:
            yield from self._events(message, recognised, message.local)

    def _events(
        self, message: Message, recognised: Recognised, local: datetime
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield the rows of a message, whose figures must be of a size that their columns hold."""
        parts = usage_rows(recognised) if recognised.message_id == USAGE_MESSAGE else []
        for part in parts or [recognised]:
            for name, value in (part.figures or {}).items():
                if not _fits(name, value):
                    reason = f"{name} of {part.message_id} cannot be so large ({str(value)[:40]})"
                    yield self._quarantine(message, reason)
                    return
        self.decoded_bytes += message.bytes_count
        if recognised.note:
            self._tell(message, f"{recognised.message_id}: {recognised.note}")
        for part in parts or [recognised]:
            yield CONSOLE_EVENT.name, self._event(message, part, local)

    def _note_other(self, message: Message) -> None:
        """Note which queue manager a job is of, and messages for action that are not catalogued."""
        if started := _STARTED.match(message.text):
            self._owners[message.system, message.job] = started[1]
        elif (unknown := _ACTION.match(message.text)) and unknown[1] not in catalogue():
            self._unknown.setdefault(unknown[1], message.line_number)

    def _event(self, message: Message, recognised: Recognised, local: datetime) -> dict[str, Any]:
        if self.zones and message.system not in self.zones:
            self._without_zone.setdefault(message.system, message.line_number)
        latest = self._latest.get(message.system)
        zone = self.zones.get(message.system, UTC_ZONE)
        instant = local_utc(local, zone, latest and latest - DISORDER)
        self._latest[message.system] = max(instant, latest or instant)
        self.dates.add(instant.date())
        self.note(instant, instant)
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

    def _tell(self, message: Message, problem: str) -> None:
        self.in_doubt.add(problem, lambda: f"{self.name}: line {message.line_number}: {problem}.")

    def _quarantine(self, message: Message, reason: str) -> tuple[str, dict[str, Any]]:
        self._tell(message, reason)
        return self.quarantined_row(message.byte_offset, message.bytes_count, message.text, reason)


def _fits(name: str, value: Any) -> bool:
    """Return whether the column of a figure can hold it."""
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, str) or abs(value) < _HIGHEST[name]


def _recognises(text: TextFile) -> bool:
    lines = text.head.split("\n")[:TRIED_LINES]
    shapes = (HARDCOPY, JOB_LOG, JOB_LOG_HEADER)
    return any(shape.search(line) for line in lines for shape in shapes)


SOURCE: Final = TextInput(
    name="console",
    order=30,
    title="console log",
    description="a console log (hardcopy or job log)",
    recognises=_recognises,
    begin=ConsoleReading,
    first_line=HARDCOPY.pattern.removeprefix("^").replace("(", "(?:"),
    named_behind="a console log",
)
