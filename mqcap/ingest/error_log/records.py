"""Records of error logs in their three shapes: text, JSON, lines of a container; their catalogue.

A record is known by its id and its inserts; the sentence between them is in the language of the
process, and is not read but for ``EXTENTS``. The time in UTC counts; records before 9.1 have only
the local one of their heading. A record of text ends with dashes, or where the next one begins.

``catalogue.json`` has a row per message (``CatalogueEntry``) that is kept, by its id without the
letter of its severity, and no pattern. What a queue manager reports as exhausted is over when it
starts or ends. Source: the AMQ messages of IBM MQ 9.2; texts of certainty A were read there or in
a log, of B only the number.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

import msgspec

from mqcap.domain.console.states import CatalogueEntry
from mqcap.ingest.console.catalogue import entries_of
from mqcap.ingest.json_documents import JsonDocument, documents
from mqcap.ingest.text_reading import Omissions

HEADER: Final = "# mqcap errorlog"
EXTENTS: Final = "AMQ7490"
"""Its numbers are in its sentence."""
HEADING: Final = re.compile(r"^(.*?) - Process\((\d+\.\d+)\)")
_END: Final = re.compile(r"^-----(?: \S+ : \d+ -+|-{15,}\s*$)")
_ATTRIBUTE: Final = re.compile(r"\b([A-Za-z]+\d?)\(([^()]*(?:\([^()]*\))?[^()]*)\)")
_MESSAGE: Final = re.compile(r"^(AMQ\d{4})[IWEST]?: ")
CONTAINER: Final = re.compile(
    r"(?:^|\s)(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)) (AMQ\d{4})[IWEST]?: "
    r".*?(?:\[((?:Arith|Comment)Insert.*)\])?\s*$"
)
JSON_MESSAGE: Final = re.compile(r'"(?:ibm_messageId|message)"\s*:\s*"AMQ\d{4}')
_OF_OTHERS: Final = re.compile(r"(?!.*\bAMQ\d{4}[IWEST]?: |\{)")
"""Lines of a container that are no messages: its other programs write what they like."""
_INSERT: Final = re.compile(r"arithInsert[12]|commentInsert[1-3]", re.IGNORECASE)


@dataclass
class LogRecord:
    """One record; one that cannot be read has no id."""

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
    local_time: str = ""
    """Of the heading, as the locale of the process has it."""
    header: str = ""
    """A line of capture, which is no record: it names the queue manager of those that follow."""


class _JsonRecord(msgspec.Struct):
    ibm_messageId: str = ""  # noqa: N815 - MQ's names
    ibm_datetime: str = ""
    timestamp: str | float = ""
    own_time: str | float = msgspec.field(name="@timestamp", default="")
    ibm_serverName: str = ""  # noqa: N815
    ibm_sequence: str | int = ""
    host: Any = ""
    """An object where a collector describes its own host."""
    message: str = ""


def line_records(lines: Iterable[str], left_out: Omissions) -> Iterator[LogRecord]:
    """Yield the records of AMQERR01.LOG, and those in the output of a container."""
    record: LogRecord | None = None
    is_log = False
    for number, line in enumerate(lines, start=1):
        heading = HEADING.search(line)
        if record is not None and (heading or _END.match(line)):
            yield record
            record = None
        if heading:
            record = LogRecord("", "", number, process=heading[2], local_time=heading[1].strip())
            is_log = True
        elif record is not None:
            left_out.is_other(line, number)
            _add(record, line)
        elif line.startswith(HEADER):
            yield LogRecord("", "", number, header=line)
        else:
            known = None if is_log else _OF_OTHERS
            yield from _line_record(line, number, left_out, known)
    if record is not None:
        yield record


def is_end(line: str) -> bool:
    """Return whether a record ends with a line: dashes, inserts of a container, or JSON."""
    return _END.match(line) is not None or line.rstrip().endswith(("]", "}"))


def json_records(found: Iterable[JsonDocument], lines_before: int = 0) -> Iterator[LogRecord]:
    """Yield the records of AMQERR01.json."""
    for document in found:
        number = lines_before + document.line_number
        if document.text.startswith("#"):
            if document.text.startswith(HEADER):
                yield LogRecord("", "", number, header=document.text)
            continue
        if is_of_others(document):
            continue
        value = document.value
        if isinstance(value, dict):
            value = {name: text for name, text in value.items() if text is not None}
        try:
            read = msgspec.convert(value, _JsonRecord)
        except msgspec.ValidationError:
            yield LogRecord("", "", number)
            continue
        message = _MESSAGE.match(f"{read.ibm_messageId}: ") or _MESSAGE.match(read.message)
        message_id = message[1] if message else ""
        of_container = read.message.endswith("]")  # inserts stand in brackets at its end
        inserts = read.message[read.message.rfind(" [") + 1 :] if of_container else ""
        printed = {
            name.removeprefix("ibm_"): str(text)
            for name, text in value.items()
            if name.startswith("ibm_") and isinstance(text, str | int | float) and text != ""
        }
        yield LogRecord(
            message_id,
            str(read.ibm_datetime or read.own_time or read.timestamp),
            number,
            read.ibm_serverName.strip(),
            read.host if isinstance(read.host, str) else "",
            str(read.ibm_sequence),
            {name: printed[name] for name in printed if _INSERT.fullmatch(name)}
            or dict(_ATTRIBUTE.findall(inserts)),
            read.message if message_id == EXTENTS else "",
        )


def is_of_others(document: JsonDocument) -> bool:
    """Return whether another program of a container wrote this, which writes what it likes."""
    value = document.value
    if value is None:
        return _OF_OTHERS.match(document.text) is not None
    return (
        isinstance(value, dict)
        and "ibm_messageId" not in value
        and isinstance(value.get("message"), str)
        and _MESSAGE.match(value["message"]) is None
    )


def _line_record(
    line: str, number: int, left_out: Omissions, known: re.Pattern[str] | None
) -> Iterator[LogRecord]:
    if found := CONTAINER.search(line):
        inserts = dict(_ATTRIBUTE.findall(found[3] or ""))
        sentence = line if found[2] == EXTENTS else ""
        yield LogRecord(found[2], found[1], number, inserts=inserts, sentence=sentence)
    elif line.startswith("{"):
        yield from json_records(documents(iter([line])), number - 1)
    elif known and known.match(line):
        left_out.is_other(line, number)
    elif not _END.match(line):
        left_out.not_understood(line, number)


def _add(record: LogRecord, line: str) -> None:
    """Add what a line says; behind the message only the sentence about extents is read."""
    if record.message_id:
        if record.message_id == EXTENTS:
            record.sentence += f" {line}"
    elif message := _MESSAGE.match(line):
        record.message_id = message[1]
        record.sentence = line if message[1] == EXTENTS else ""
    elif line[:1].strip() and not _ATTRIBUTE.match(line):
        record.message_id = "none"
    else:
        found = dict(_ATTRIBUTE.findall(line))
        record.time = found.get("Time", record.time)
        record.qmgr = found.get("QMgr", record.qmgr).strip()
        record.host = found.get("Host", record.host)
        record.inserts |= {name: found[name] for name in found if _INSERT.fullmatch(name)}


@lru_cache(maxsize=1)
def error_log_catalogue() -> Mapping[str, CatalogueEntry]:
    """Return every message of the catalogue by its id; all others of a log are skipped."""
    return entries_of(__package__)


@lru_cache(maxsize=1)
def outcome_messages() -> frozenset[str]:
    """Return the ids of the messages that begin a state of a resource, or end one."""
    begin = [entry for entry in error_log_catalogue().values() if entry.begins_state]
    return frozenset(entry.id for entry in begin) | {
        other for entry in begin for other in entry.ended_by
    }
