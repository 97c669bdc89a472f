"""Console logs as complete messages: hardcopy SYSLOG or OPERLOG, and the JES2 job log.

Hardcopy record types: N single line, M first of several, L, D and E the following ones (with
the three-digit number of the block), S the rest of the line before it. A job log line has a
time only; its date is in a separator line after the header and at every midnight, its
system in the header.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Final

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
_FIRST_OF_BLOCK: Final = "M"
_TIMES_KEPT: Final = 1 << 12
"""Neighbouring lines are of the same time."""
_KNOWN: Final = re.compile(
    r"^.?(?:\s*$|\s*(?!CSQ)[$A-Z]{3,5}\d{3,5}[A-Z]?\b|\s*\d*\s*(?://|XX|/\*)|\s*STMT NO\. MESSAGE"
    r"|[\s-]*(?:JES2 JOB STATISTICS|\d\d [A-Z]{3} \d{4} JOB EXEC|[\d.,]+ (?:CARDS|SYSOUT|MINUTES)))"
)
"""What JES2 prints beside the job log: statistics, statements, messages without a time."""
_HALF_A_DAY: Final = timedelta(hours=12)


@dataclass
class Message:
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
        """Add a following line."""
        self.text = f"{self.text.rstrip()} {text.strip()}"
        self.bytes_count += bytes_count


@dataclass
class LogReader:
    """Puts the lines of a log together."""

    left_out: Callable[[str, int], None] = lambda _line, _number: None
    """Called for each line that is neither of a message nor known."""
    _last: Message | None = None
    _blocks: dict[str, Message] = field(default_factory=dict)
    _abandoned: list[Message] = field(default_factory=list)
    """Messages whose block number was used again before their last line came."""
    _system: str = ""
    _day: datetime | None = None
    _clock: timedelta = timedelta(0)
    """Time of day of the last line of a job log."""

    def messages(self, lines: Iterable[str]) -> Iterator[Message]:
        """Yield complete messages, in order of their last line."""
        offset = 0
        for number, line in enumerate(lines, start=1):
            size = (len(line) if line.isascii() else len(line.encode())) + 1
            if not self._continues(line, size):
                yield from self._finish_last()
                self._begin(line, Message("", None, "", number, offset, size))
            offset += size
        yield from self._finish_last()
        yield from self._abandoned
        yield from self._blocks.values()

    def _finish_last(self) -> Iterator[Message]:
        """Yield the message that no further line can continue."""
        last, self._last = self._last, None
        if last is not None and not any(last is open_one for open_one in self._blocks.values()):
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

    def _begin(self, line: str, message: Message) -> None:
        if block := _BLOCK_LINE.match(line):
            self._continue_block(block, message)
        elif hardcopy := HARDCOPY.match(line):
            self._begin_hardcopy(hardcopy, message)
        elif job_log := JOB_LOG.match(line):
            self._begin_job_log(job_log, message)
        elif header := JOB_LOG_HEADER.search(line):
            self._system = header[1].replace(" ", "")
        elif not any(known.match(line) for known in (_REST_LINE, _JOB_LOG_REST, _KNOWN)):
            self.left_out(line, message.line_number)

    def _continue_block(self, block: re.Match[str], line: Message) -> None:
        """Read a further line of a multi-line message that other messages may have interrupted."""
        message = self._blocks.get(block[2])
        if message is None:
            return
        message.append(block[3], line.bytes_count)
        self._last = message
        if block[1] == "E":
            del self._blocks[block[2]]

    def _begin_hardcopy(self, match: re.Match[str], message: Message) -> None:
        message.system = match[2]
        message.local = _hardcopy_time(match[3], match[4])
        message.job = match[5]
        message.text = match[7]
        self._last = message
        number = _BLOCK_NUMBER.search(message.text)
        if match[1] == _FIRST_OF_BLOCK and number:
            message.text = message.text[: number.start()]
            if (earlier := self._blocks.pop(number[1], None)) is not None:
                self._abandoned.append(earlier)
            self._blocks[number[1]] = message

    def _begin_job_log(self, match: re.Match[str], message: Message) -> None:
        """Read the first or only line of a job log message, or a date separator."""
        if separator := _SEPARATOR.search(match[3]):
            self._day = _day(separator[1])
            self._clock = timedelta(0)
            return
        message.system = self._system
        message.job = match[2]
        message.local = self._job_log_time(_clock(match[1]))
        message.text = match[3]
        self._last = message

    def _job_log_time(self, clock: timedelta | None) -> datetime | None:
        """Return the day of the last separator, or the next after a midnight without separator."""
        if self._day is None or clock is None:
            return None
        if clock < self._clock - _HALF_A_DAY:
            self._day += timedelta(days=1)
        self._clock = clock
        return self._day + clock


@lru_cache(maxsize=64)
def _hardcopy_day(day: str) -> datetime | None:
    try:
        return datetime.strptime(day, "%Y%j" if len(day) == 7 else "%y%j")  # noqa: DTZ007 - local
    except ValueError:
        return None


@lru_cache(maxsize=_TIMES_KEPT)
def _hardcopy_time(day: str, clock: str) -> datetime | None:
    """Return local date (yyyyddd or yyddd) and time of a hardcopy line."""
    date = _hardcopy_day(day)
    elapsed = _clock(clock)
    return None if date is None or elapsed is None else date + elapsed


def _clock(text: str) -> timedelta | None:
    """Return a time of day, such as 12:34:56.78 or 12.34.56, as the time since midnight."""
    hours, minutes, seconds = int(text[:2]), int(text[3:5]), int(text[6:8])
    if hours > 23 or minutes > 59 or seconds > 59:
        return None
    return timedelta(0, 3600 * hours + 60 * minutes + seconds, 10_000 * int(text[9:] or 0))


def _day(text: str) -> datetime | None:
    try:
        return datetime.strptime(text, "%d %b %Y")  # noqa: DTZ007 - a local calendar day
    except ValueError:
        return None
