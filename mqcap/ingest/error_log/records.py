"""Records of error logs in their three shapes: text, JSON, lines of a container.

A record is known by its id and its inserts; the sentence between them is in the language of the
process and wrapped, and is not read but for ``EXTENTS``. Times are those in UTC: the one in the
heading is local.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

import msgspec

HEADER: Final = "# mqcap errorlog"
EXTENTS: Final = "AMQ7490"
"""Its numbers are in its sentence."""
END: Final = re.compile(r"^----- \w+\.c : \d+ -+")
_HEADING: Final = re.compile(r" - Process\((\d+\.\d+)\)")
_ATTRIBUTE: Final = re.compile(r"\b([A-Za-z]+\d?)\(([^()]*(?:\([^()]*\))?[^()]*)\)")
_MESSAGE: Final = re.compile(r"^(AMQ\d{4})[IWEST]?: ")
_CONTAINER: Final = re.compile(
    r"^(?:\S+Z )?(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z) (AMQ\d{4})[IWEST]?: .*?"
    r"(?:\[((?:Arith|Comment)Insert.*)\])?$"
)
_INSERT: Final = re.compile(r"(?:Arith|Comment)Insert\d")


@dataclass
class LogRecord:
    """One record."""

    message_id: str
    """Without the letter of its severity: ``AMQ9513``."""
    time: str
    """ISO, UTC; empty where the record has only a local time."""
    line_number: int
    qmgr: str = ""
    """Empty where the record does not name it."""
    host: str = ""
    process: str = ""
    """Process and thread, or the sequence number: two records of one time are apart by it."""
    inserts: dict[str, str] = field(default_factory=dict)
    sentence: str = ""
    """Of AMQ7490 alone: its text, perhaps with what follows it."""


def text_records(lines: Iterable[str]) -> Iterator[LogRecord]:
    """Yield the records of AMQERR01.LOG and its older copies."""
    record: LogRecord | None = None
    for number, line in enumerate(lines, start=1):
        if heading := _HEADING.search(line):
            record = LogRecord("", "", number, process=heading[1])
        elif record is None:
            continue
        elif END.match(line):
            if record.message_id:
                yield record
            record = None
        elif not record.message_id:
            begins_text = bool(line[:1].strip()) and not _MESSAGE.match(line)
            record = None if begins_text else _with(record, line)
        elif record.message_id == EXTENTS:
            record.sentence += f" {line}"


def container_records(lines: Iterable[str]) -> Iterator[LogRecord]:
    """Yield the records in the output of a container; other lines are none."""
    for number, line in enumerate(lines, start=1):
        if found := _CONTAINER.match(line):
            inserts = dict(_ATTRIBUTE.findall(found[3] or ""))
            sentence = line if found[2] == EXTENTS else ""
            yield LogRecord(found[2], found[1], number, inserts=inserts, sentence=sentence)


_Insert = str | int | float | None


class _JsonRecord(msgspec.Struct):
    ibm_messageId: str  # noqa: N815 - MQ's names
    ibm_datetime: str
    ibm_serverName: str = ""  # noqa: N815
    ibm_sequence: str | int = ""
    host: str = ""
    ibm_arithInsert1: _Insert = ""  # noqa: N815
    ibm_arithInsert2: _Insert = ""  # noqa: N815
    ibm_commentInsert1: _Insert = ""  # noqa: N815
    ibm_commentInsert2: _Insert = ""  # noqa: N815
    ibm_commentInsert3: _Insert = ""  # noqa: N815
    message: str = ""


_JSON: Final = msgspec.json.Decoder(_JsonRecord)


def is_comment(line: str) -> bool:
    """Return whether a line is one of a capture script in front of records."""
    return line.startswith("#")


def json_records(lines: Iterable[str]) -> Iterator[LogRecord]:
    """Yield the records of AMQERR01.json; lines that are none have an empty id."""
    for number, line in enumerate(lines, start=1):
        if not line.strip() or is_comment(line):
            continue
        try:
            read = _JSON.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError):
            yield LogRecord("", "", number)
            continue
        values = {
            name.removeprefix("ibm_"): str(getattr(read, name))
            for name in _JsonRecord.__struct_fields__
            if "Insert" in name and getattr(read, name) not in {"", None}
        }
        found = _MESSAGE.match(f"{read.ibm_messageId}: ")
        message_id = found[1] if found else ""
        yield LogRecord(
            message_id,
            read.ibm_datetime,
            number,
            read.ibm_serverName.strip(),
            read.host,
            str(read.ibm_sequence),
            values,
            read.message if message_id == EXTENTS else "",
        )


def _with(record: LogRecord, line: str) -> LogRecord:
    """Return the record with what a line between the heading and the message says."""
    if message := _MESSAGE.match(line):
        record.message_id = message[1]
        record.sentence = line if message[1] == EXTENTS else ""
        return record
    for name, value in _ATTRIBUTE.findall(line):
        if name == "Time":
            record.time = value
        elif name == "QMgr":
            record.qmgr = value.strip()
        elif name == "Host":
            record.host = value
        elif _INSERT.fullmatch(name):
            record.inserts[name] = value
    return record
