"""Console logs as a source of events: hardcopy SYSLOG or OPERLOG, and the JES2 job log.

Hardcopy record types: N single line, M first of several, L, D and E the following ones (with
the three-digit number of the block), S the rest of the line before it. A job log line has a
time only; its date is in a separator line after the header and at every midnight, its
system in the header.

A log carries local time only. ``zones`` names the time zone of each system; one that is not in
it is taken to run in UTC. The hour that happens twice in autumn is resolved by order: a time
earlier than that of the message before it belongs to the second pass.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import chain
from typing import Any, ClassVar, Final

import pyarrow as pa

from mqcap.domain.datasets import CONSOLE_EVENT
from mqcap.ingest.capture_stamp import local_utc
from mqcap.ingest.console.catalogue import catalogue
from mqcap.ingest.console.messages import USAGE_MESSAGE, Recognised, recognise, usage_rows
from mqcap.ingest.smf.quarantine import AlikeProblems
from mqcap.ingest.smf.record_heads import schema_of
from mqcap.ingest.text_reading import TextInput, TextReading, listed

HARDCOPY: Final = re.compile(
    r"^.?([A-Z ])[A-Z ]\s?[0-9A-F]{7}\s+(\S{1,8})\s+(\d{7}|\d{5})\s+(\d\d:\d\d:\d\d\.\d\d)"
    r"\s+(\S{0,8})\s+([0-9A-F]{8})\s*(.*)$"
)
JOB_LOG_HEADER: Final = re.compile(
    r"J E S 2\s+J O B\s+L O G\s+--\s+S Y S T E M\s+(.*?)\s+--\s+N O D E"
)
JOB_LOG: Final = re.compile(r"^.?\s*(\d\d\.\d\d\.\d\d)\s+([JST][A-Z]{0,2}\d{4,7})\s?(.*)$")
_BLOCK_LINE: Final = re.compile(r"^.?([LDE])\S?\s+(\d{3})\s+[0-9A-F]{8}\s*(.*)$")
_REST_LINE: Final = re.compile(r"^[ 01+-]?S\S?\s+(.*)$")
_JOB_LOG_REST: Final = re.compile(r"^\s+(\d{1,4})\s+(\S.*)$")
_SEPARATOR: Final = re.compile(r"-{4}\s+[A-Z]+,\s+(\d{1,2} [A-Z]{3} \d{4})\s+-{4}")
_BLOCK_NUMBER: Final = re.compile(r"\s+(\d{3})\s*$")
_KNOWN: Final = re.compile(
    r"^.?(?:\s*$|\s*(?!CSQ)[$A-Z]{3,5}\d{3,5}[A-Z]?\b|\s*\d*\s*(?://|XX|/\*)|\s*STMT NO\. MESSAGE"
    r"|[\s-]*(?:JES2 JOB STATISTICS|\d\d [A-Z]{3} \d{4} JOB EXEC|[\d.,]+ (?:CARDS|SYSOUT|MINUTES)))"
)
"""What JES2 prints beside the job log: statistics, statements, messages without a time."""


@dataclass
class _Message:
    """A message with all its lines; ``local`` is None where no line gave a date."""

    system: str
    local: datetime | None
    text: str
    line_number: int
    byte_offset: int
    bytes_count: int
    job: str = ""
    """Job number or console name."""

    def append(self, text: str, bytes_count: int) -> None:
        self.text = f"{self.text.rstrip()} {text.strip()}"
        self.bytes_count += bytes_count


@dataclass
class _LogReader:
    left_out: Callable[[str, int], None]
    """Called for each line that is neither of a message nor known."""
    _last: _Message | None = None
    _blocks: dict[str, _Message] = field(default_factory=dict)
    _abandoned: list[_Message] = field(default_factory=list)
    """Messages whose block number was used again before their last line came."""
    _system: str = ""
    _day: datetime | None = None
    _clock: timedelta = timedelta(0)
    """Time of day of the last line of a job log."""

    def messages(self, lines: Iterable[str]) -> Iterator[_Message]:
        """Yield complete messages, in order of their last line."""
        offset = 0
        for number, line in enumerate(lines, start=1):
            size = (len(line) if line.isascii() else len(line.encode())) + 1
            if not self._continues(line, size):
                yield from self._finish_last()
                self._begin(line, _Message("", None, "", number, offset, size))
            offset += size
        yield from self._finish_last()
        yield from self._blocks.values()

    def _finish_last(self) -> Iterator[_Message]:
        last, self._last = self._last, None
        if last is not None and id(last) not in map(id, self._blocks.values()):
            yield last
        yield from self._abandoned
        self._abandoned.clear()

    def _continues(self, line: str, bytes_count: int) -> bool:
        """Add a line to the message that has begun, if it belongs to it; return whether it does."""
        if self._last is None:
            return False
        if rest := _REST_LINE.match(line):
            self._last.append(rest[1], bytes_count)
            return True
        if rest := _JOB_LOG_REST.match(line):
            self._last.text = self._last.text.rstrip().removesuffix(f" {rest[1]}")
            self._last.append(rest[2], bytes_count)
            return True
        return False

    def _begin(self, line: str, message: _Message) -> None:
        if block := _BLOCK_LINE.match(line):  # that other messages may have interrupted
            if (begun := self._blocks.get(block[2])) is not None:
                begun.append(block[3], message.bytes_count)
                self._last = begun
                if block[1] == "E":
                    del self._blocks[block[2]]
        elif hardcopy := HARDCOPY.match(line):
            self._begin_hardcopy(hardcopy, message)
        elif job_log := JOB_LOG.match(line):
            self._begin_job_log(job_log, message)
        elif header := JOB_LOG_HEADER.search(line):
            self._system = header[1].replace(" ", "")
        elif not any(known.match(line) for known in (_REST_LINE, _JOB_LOG_REST, _KNOWN)):
            self.left_out(line, message.line_number)

    def _begin_hardcopy(self, match: re.Match[str], message: _Message) -> None:
        message.system = match[2]
        message.local = _hardcopy_time(match[3], match[4])
        message.job = match[5]
        message.text = match[7]
        self._last = message
        number = _BLOCK_NUMBER.search(message.text)
        if match[1] == "M" and number:
            message.text = message.text[: number.start()]
            if (earlier := self._blocks.pop(number[1], None)) is not None:
                self._abandoned.append(earlier)
            self._blocks[number[1]] = message

    def _begin_job_log(self, match: re.Match[str], message: _Message) -> None:
        if separator := _SEPARATOR.search(match[3]):
            self._day = _day(separator[1], "%d %b %Y")
            self._clock = timedelta(0)
            return
        message.system = self._system
        message.job = match[2]
        message.text = match[3]
        self._last = message
        clock = _clock(match[1])
        if self._day is not None and clock is not None:
            if clock < self._clock - timedelta(hours=12):  # a midnight without separator
                self._day += timedelta(days=1)
            self._clock = clock
            message.local = self._day + clock


@lru_cache(maxsize=1 << 12)
def _hardcopy_time(day: str, clock: str) -> datetime | None:
    """Return local date (yyyyddd or yyddd) and time of a hardcopy line; neighbours share one."""
    date = _day(day, "%Y%j" if len(day) == 7 else "%y%j")
    elapsed = _clock(clock)
    return None if date is None or elapsed is None else date + elapsed


def _clock(text: str) -> timedelta | None:
    """Return a time of day, such as 12:34:56.78 or 12.34.56, as the time since midnight."""
    hours, minutes, seconds = int(text[:2]), int(text[3:5]), int(text[6:8])
    if hours > 23 or minutes > 59 or seconds > 59:
        return None
    return timedelta(0, 3600 * hours + 60 * minutes + seconds, 10_000 * int(text[9:] or 0))


@lru_cache(maxsize=64)
def _day(text: str, form: str) -> datetime | None:
    try:
        return datetime.strptime(text, form)  # noqa: DTZ007 - a local calendar day
    except ValueError:
        return None


_DISORDER: Final = timedelta(minutes=1)
"""Lines of one system may be out of order by this much."""
_STARTED: Final = re.compile(r"[\s*+-]*(?:\$HASP373|IEF403I)\s+(\S{1,4})(?:MSTR|CHIN)\b")
"""The address spaces of a queue manager are called by its name and MSTR or CHIN."""

_ACTION: Final = re.compile(r"^[\s*+@]*(CSQ[A-Z0-9]\d{3}[ADE])\s")
"""A message of MQ whose type code asks for action: immediate, decision or eventual."""
_HIGHEST: Final = {
    field.name: 10**field.type.precision
    if pa.types.is_decimal(field.type)
    else 1 << (field.type.bit_width - 1)
    for field in schema_of(CONSOLE_EVENT)
    if pa.types.is_decimal(field.type) or pa.types.is_integer(field.type)
}
"""What a whole number of each column stays below."""


@dataclass
class _ConsoleReading(TextReading):
    parts_stand_alone: ClassVar[bool] = True
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
        reader = _LogReader(self.left_out.not_understood)
        rows = chain.from_iterable(map(self._rows, reader.messages(self.text.lines())))
        yield from self.in_tables(rows)

    def problems(self) -> Iterator[str]:
        yield from super().problems()
        yield from self.in_doubt.sentences()
        for system, line in self._without_zone.items():
            zone = f"the time zone of {system or 'a system without a name'} is not known (estate)"
            yield f"{self.name}: line {line}: {zone}; its times are taken as UTC."
        if self._unknown:
            names = listed([f"{name} (line {line})" for name, line in self._unknown.items()])
            unknown = "messages of MQ that ask for action and are not in the catalogue"
            yield f"{self.name}: {unknown}: {names}. They are skipped."
        if self.in_doubt.count:
            yield "Messages are read in English (MQ: language feature U or E)."
        if self.record_count and not self.rows:
            yield (
                f"{self.name}: none of {self.record_count} messages carries a figure of MQ:"
                " check that the log is that of a system or address space of MQ."
            )

    def _rows(self, message: _Message) -> Iterator[tuple[str, dict[str, Any]]]:
        self.record_count += 1
        try:
            recognised = recognise(message.text)
        except (ValueError, OverflowError) as error:
            yield self._quarantine(message, f"a number of its text cannot be read ({error})")
            return
        if recognised is None:
            if started := _STARTED.match(message.text):
                self._owners[message.system, message.job] = started[1]
            elif (unknown := _ACTION.match(message.text)) and unknown[1] not in catalogue():
                self._unknown.setdefault(unknown[1], message.line_number)
        elif recognised.figures is None:
            reason = f"the text of {recognised.message_id} was not understood"
            yield self._quarantine(message, reason)
        elif message.local is None:
            yield self._quarantine(message, f"{recognised.message_id} has no date before it")
        else:
            yield from self._events(message, recognised, message.local)

    def _events(
        self, message: _Message, recognised: Recognised, local: datetime
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield the rows of a message, whose figures must be of a size that their columns hold."""
        is_usage = recognised.message_id == USAGE_MESSAGE
        parts = (usage_rows(recognised) if is_usage else []) or [recognised]
        for part in parts:
            for name, value in (part.figures or {}).items():
                if not _fits(name, value):
                    reason = f"{name} of {part.message_id} cannot be so large ({str(value)[:40]})"
                    yield self._quarantine(message, reason)
                    return
        self.decoded_bytes += message.bytes_count
        if recognised.note:
            self._tell(message, f"{recognised.message_id}: {recognised.note}")
        for part in parts:
            yield CONSOLE_EVENT.name, self._event(message, part, local)

    def _event(self, message: _Message, recognised: Recognised, local: datetime) -> dict[str, Any]:
        if self.zones and message.system not in self.zones:
            self._without_zone.setdefault(message.system, message.line_number)
        latest = self._latest.get(message.system)
        zone = self.zones.get(message.system, "UTC")
        instant = local_utc(local, zone, latest and latest - _DISORDER)
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

    def _tell(self, message: _Message, problem: str) -> None:
        self.in_doubt.add(problem, lambda: f"{self.name}: line {message.line_number}: {problem}.")

    def _quarantine(self, message: _Message, reason: str) -> tuple[str, dict[str, Any]]:
        self._tell(message, reason)
        return self.quarantined_row(message.byte_offset, message.bytes_count, message.text, reason)


def _fits(name: str, value: Any) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, str) or abs(value) < _HIGHEST[name]


SOURCE: Final = TextInput(
    name="console",
    order=30,
    title="console log",
    description="a console log (hardcopy or job log)",
    recognises=lambda text: any(
        shape.search(line)
        for line in text.head.split("\n")[:200]
        for shape in (HARDCOPY, JOB_LOG, JOB_LOG_HEADER)
    ),
    begin=_ConsoleReading,
    first_line=HARDCOPY.pattern.removeprefix("^").replace("(", "(?:"),
    named_behind="a console log",
)
