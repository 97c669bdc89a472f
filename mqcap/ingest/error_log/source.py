"""Error logs of distributed queue managers as events: what is known to concern capacity.

Extents of linear logs are reported by AMQ7490 as created, reused and deleted since the message
before. The inserts of the message are in no document, so its numbers are read in the English
sentence, as a published script of IBM does; in other languages they are not known. Two amounts are
made of them: created less deleted is what the log takes more space for, created less reused and
deleted what was not reclaimed.

Local times of headings are as the locale of the process prints them. A date with slashes may have
the day or the month first: a number above 12, or AM and PM, decide for the whole log, and where
nothing does the date is not known. Where both ends of a date have two digits, the year is the one
that differs less often within the log; of equals the last one.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any, Final

import numpy as np

from mqcap.domain.datasets import QMGR_EVENT
from mqcap.domain.distributed.mq_name import is_mq_name
from mqcap.domain.distributed.qmgr_figure import QmgrFigure, SampleReading
from mqcap.domain.estate import zone_key
from mqcap.domain.numbers import counted
from mqcap.domain.units import US_PER_S
from mqcap.ingest.capture_stamp import keyword, local_utc
from mqcap.ingest.error_log.records import (
    CONTAINER,
    EXTENTS,
    HEADER,
    HEADING,
    JSON_MESSAGE,
    LogRecord,
    error_log_catalogue,
    is_end,
    json_records,
    line_records,
    outcome_messages,
)
from mqcap.ingest.samples import SampleKey
from mqcap.ingest.text_reading import Refusal, SamplesReading, TextInput

_FORM: Final = re.compile(
    r"(\d{1,4})([./-])\s?(\d{1,2})\2\s?(\d{1,4})\.?,?\s+(\d{1,2})[:.](\d\d)[:.](\d\d)\s*([AaPp])?"
)
_YEAR_FIRST: Final = re.compile(
    r"(?:西元)?(\d{4})[年년]\s?(\d{1,2})[月월]\s?(\d{1,2})[日일]\s?(?:\(\w\)|\w曜日|星期\w|\w요일)?\s*"
    r"(午前|上午|오전|午後|下午|오후)?\s?(\d{1,2})[:時时시]\s?(\d\d)[:分분]\s?(\d\d)"
)
"""Of Chinese, Japanese and Korean."""
_HALVES: Final = dict.fromkeys(("午前", "上午", "오전"), "AM") | dict.fromkeys(
    ("午後", "下午", "오후"), "PM"
)
_MONTHS: Final = 12


@dataclass
class _LocalTimes:
    """What the headings of a log have shown of the order of their dates."""

    day_is_first: bool | None = None
    _ends: tuple[set[str], set[str]] = field(default_factory=lambda: (set(), set()))
    """First and last numbers of dates with two digits for the year."""

    def learn(self, text: str) -> None:
        found = _FORM.match(text)
        if found and _has_short_year(found):
            self._ends[0].add(found[1])
            self._ends[1].add(found[4])
        if not found or found[2] != "/" or self.day_is_first is not None:
            return
        if int(found[1]) > _MONTHS or int(found[3]) > _MONTHS or found[8]:
            self.day_is_first = int(found[1]) > _MONTHS

    def moment(self, text: str, *, is_last: bool = False) -> datetime | None:
        """Return the local time, ``None``: order not known yet; ValueError: no time."""
        found = _FORM.match(_YEAR_FIRST.sub(_in_digits, text))
        if found is None:
            raise ValueError(f"its heading has no date and time that is known ({text[:30]})")
        first, second, third, hour, minute, seconds = map(int, found.group(1, 3, 4, 5, 6, 7))
        if found[8]:
            hour = hour % 12 + 12 * (found[8] in "Pp")
        has_short_year = _has_short_year(found)
        if has_short_year and not is_last:
            return None
        if first > 100:
            year, month, day = first, second, third
        elif has_short_year and len(self._ends[1]) > len(self._ends[0]):
            year, month, day = 2_000 + first, second, third
        else:
            day_is_first = self.day_is_first if found[2] == "/" else True
            if day_is_first is None:
                return None
            day, month = (first, second) if day_is_first else (second, first)
            year = third if third >= 100 else 2_000 + third
        return datetime(year, month, day, hour, minute, seconds)  # noqa: DTZ001 - local


def _has_short_year(found: re.Match[str]) -> bool:
    """Return whether either end of a date may be the year: AM and PM stand behind months first."""
    return len(found[1]) == len(found[4]) == 2 and not found[8]


def _in_digits(found: re.Match[str]) -> str:
    year, month, day, half, *clock = found.groups()
    return f"{year}-{month}-{day} {':'.join(clock)} {_HALVES.get(half, '')}"


LONGEST: Final = timedelta(hours=36)
"""Messages further apart are no neighbours (ours): between them some may be missing."""
_COUNTS: Final = re.compile(r"(\d+)\s+created\b\D*(\d+)\s+reused\b\D*(\d+)\s+deleted\b")


def extent_amounts(sentence: str) -> dict[QmgrFigure, int] | None:
    """Return the amounts of a sentence by figure; ``None`` for one without numbers."""
    if found := _COUNTS.search(sentence):
        created, reused, deleted = map(int, found.groups())
        return {
            QmgrFigure.log_extents_grown_count: created - deleted,
            QmgrFigure.log_extents_unreclaimed_count: created - reused - deleted,
        }
    return None


_JSON_KEYS: Final = frozenset({"ibm_messageId", "ibm_datetime"})


@dataclass
class _ErrorLogReading(SamplesReading):
    """A pass over one log; its dates are those of messages that begin or end a state."""

    framing = "text"
    nothing = Refusal(
        "an error log of which no record can be used",
        expected="QMgr() in records and their Time(), or a site of the settings that lists"
        f" the queue manager; in front of the output of a container {HEADER} QMGR(QM1)",
        remedy="Put that line in front of it, or send the log as MQ wrote it.",
    )
    record_count: int = 0
    _header: str = ""
    _local_times: _LocalTimes = field(default_factory=_LocalTimes)
    _latest: dict[str, datetime] = field(default_factory=dict)
    """Last record with a local time, by queue manager."""
    _waiting: list[LogRecord] = field(default_factory=list)
    """Records with a date whose order is not known yet."""
    _unread_count: int = 0
    """Messages about extents in other languages."""
    _extents: dict[str, dict[datetime, dict[QmgrFigure, int]]] = field(default_factory=dict)
    """Amounts by queue manager; a message that is there twice counts once."""

    def tables(self) -> Iterator[tuple[str, Any]]:
        records = (
            json_records(self.text.documents())
            if self.text.is_json
            else line_records(self.text.lines(), self.left_out)
        )
        rows = ((QMGR_EVENT.name, row) for row in self._rows(records))
        yield from self.in_tables(rows)
        for qmgr, amounts in self._extents.items():
            self._add_extents(qmgr, amounts)
        yield from self.samples.rest()
        if not self.rows and (self.left_out or not self.record_count):
            raise self.refusal()

    def _add_extents(self, qmgr: str, amounts: Mapping[datetime, Mapping[QmgrFigure, int]]) -> None:
        """Add the amounts between neighbouring messages; those before the first: not known."""
        pairs = [
            (before, after)
            for before, after in pairwise(sorted(amounts))
            if after - before <= LONGEST
        ]
        ends = np.array([round(after.timestamp() * US_PER_S) for _, after in pairs], np.int64)
        seconds = np.array([(after - before).total_seconds() for before, after in pairs])
        for figure in next(iter(amounts.values())):
            key = SampleKey(qmgr, figure, SampleReading.delta)
            values = np.array([amounts[end][figure] for _, end in pairs], float)
            self.samples.add(key, ends, seconds, values)
        for before, after in pairs:
            self.note_dates(before, after)
            self.dates.add(after.date())  # also where it is midnight

    def is_end(self, line: str) -> bool:
        return is_end(line)

    def problems(self) -> Iterator[str]:
        yield from super().problems()
        if self._unread_count:
            unread = f"{counted(self._unread_count, 'message')} AMQ7490 in another language"
            yield f"{self.name}: {unread} than English: events without their numbers."

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
            amounts = extent_amounts(record.sentence)
            if amounts is None:
                self._unread_count += 1
            else:
                self._extents.setdefault(record.qmgr, {})[instant] = amounts
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
        """Return the time, ``None``: day and month not known apart; ValueError: there is none."""
        if record.time or not record.local_time:
            with suppress(ValueError):
                stated = datetime.fromisoformat(record.time)
                if stated.tzinfo is not None:
                    return stated.astimezone(UTC)
            raise ValueError("it has no time in UTC")
        zone = self.zones.get(zone_key("qmgr", record.qmgr))
        if zone is None:
            why = "it has no time in UTC (MQ before 9.1), and no site of the settings lists"
            raise ValueError(f"{why} {record.qmgr}")
        local = self._local_times.moment(record.local_time, is_last=is_last)
        if local is None:
            return None
        instant = local_utc(local, zone, self._latest.get(record.qmgr))
        self._latest[record.qmgr] = instant
        return instant

    def _leave_out(self, reason: str, record: LogRecord) -> None:
        self.left_out.add(reason, "record", record.line_number)


SOURCE: Final = TextInput(
    name="error_log",
    order=55,
    title="error log of a queue manager",
    description="an error log of a queue manager (text, JSON or container)",
    recognises=lambda text: (
        text.head.startswith(HEADER)
        or any(HEADING.search(line) or CONTAINER.search(line) for line in text.head.split("\n"))
    ),
    recognises_json=lambda text: (
        not _JSON_KEYS.isdisjoint(text.keys) or JSON_MESSAGE.search(text.head) is not None
    ),
    begin=_ErrorLogReading,
    first_line=(
        r"----- \w+\.c : \d+ -|\{.*\"ibm_messageId\"|\S+ \S+(?: [AP]M)? - Process\(\d"
        r"|\d{4}-\S+ AMQ\d{4}[IWEST]?: "
    ),
    named_behind="an error log",
)
