"""Facts from pasted command output, by message id.

A response of another form gives nothing: what is not recognised is left out, never guessed. Lines
may come from the hardcopy log, a job log, SDSF or an e-mail: time stamps, job ids, block numbers,
carriage control and indentation go. The text from a message to the next one is its response,
however its lines were wrapped. In a print log map of the BSDS (CSQJU004) a section begins with a
heading that names its copy; an entry has its range as two hexadecimal addresses.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from mqcap.domain.errors import InputError
from mqcap.domain.units import MIB_BYTES
from mqcap.ingest.console.messages import recognise
from mqcap.ingest.text import TextFile
from mqcap.operands.declared import SETTINGS

_LOG_PREFIX: Final = re.compile(
    r"\A(?:[NMWXO][A-Z]?\s?[0-9A-F]{7}\s+\S+\s+\d{5,7}\s+\d\d:\d\d:\d\d\.\d\d\s+\S+\s+[0-9A-F]{8}\s"
    r"|[SDEL][A-Z]?\s+(?:\d{1,4}\s+[0-9A-F]{8}\s)?"
    r"|[ 01+-]?\s*\d\d[.:]\d\d[.:]\d\d\s+(?:STC|JOB|TSU|J\d|S\d)\w*\s"
    r"|\s{3,}\d{1,3}\s{8,}"
    r"|\S{1,8}\s+\d{7}\s+\d\d:\d\d:\d\d\.\d\d {2}(?:[A-Z0-9]{1,8} *| {8}) {1,3}(?=\S| |$)| {43}"
    r"|[01-](?=[A-Z*+@]))"
)
"""Of a hardcopy log, a job log, and of SDSF ULOG and what opercmd and Ansible make of it (system,
date, time, job), each with that of further lines; carriage control."""
_MESSAGE: Final = re.compile(r"^[*+@\s]*(?P<id>CSQ[A-Z0-9]\d{3}[A-Z])\s*(?P<rest>.*)$")
_PREFIX: Final = re.compile(r"^[^A-Za-z0-9@#$\s]*(?P<name>[A-Z0-9@#$]{1,4})(?=\s|$)")
_BSDS: Final = re.compile(r"LOG MAP OF|ACTIVE LOG COPY \d|COPY \d ACTIVE LOG", re.IGNORECASE)
_NOT_A_NAME: Final = frozenset({"LOG", "PAGE", "DIS", "END", "FULL", "LAST", "NEW", "OUT"})
BSDS: Final = "BSDS"
"""Used as the message id of a print log map of the BSDS, which has none."""


Value = int | float | bool | str


class Fact(NamedTuple):
    """A value with the place it was read from."""

    queue_manager: str | None
    """As the response names it; ``None`` when it does not."""
    thing: str
    """The object: empty for the queue manager itself, else ``page set 3``, ``structure APPL1``."""
    key: str
    """Named as in the estate file where that has it; the unit is part of the name."""
    value: Value
    command: str
    """The command or message, such as ``DISPLAY LOG (CSQJ322I)``."""
    file: str
    line: int

    @property
    def source(self) -> str:
        """The command with file and line, for messages."""
        return f"{self.command}, {self.file} line {self.line}"


class _Line(NamedTuple):
    number: int
    text: str


class _Response(NamedTuple):
    """A message with all its lines; ``queue_manager`` is its prefix."""

    message_id: str
    queue_manager: str | None
    lines: tuple[_Line, ...]

    @property
    def text(self) -> str:
        return " ".join(" ".join(line.text for line in self.lines).split())


def _responses(lines: Iterable[str]) -> Iterator[_Response]:
    """Yield the responses in order; text before the first one is left out."""
    current: list[_Line] = []
    identity = ""
    for number, line in enumerate(lines, 1):
        text = _LOG_PREFIX.sub("", line.rstrip("\r\n"), 1).rstrip()
        match = _MESSAGE.match(text)
        if match is not None:
            yield from _finished(identity, current)
            identity, current = match["id"], [_Line(number, match["rest"])]
        elif identity != BSDS and _BSDS.search(text):
            yield from _finished(identity, current)
            identity, current = BSDS, [_Line(number, text)]
        else:
            current.append(_Line(number, text))
    yield from _finished(identity, current)


def _finished(identity: str, lines: list[_Line]) -> Iterator[_Response]:
    if identity:
        prefix = _PREFIX.match(lines[0].text) if identity != BSDS else None
        name = prefix["name"] if prefix and prefix["name"] not in _NOT_A_NAME else None
        yield _Response(identity, name, tuple(lines))


LOG_NAME: Final = "active_log_name"
"""Key of a fact with the name of one active log data set; the estate lists them all."""
_ROW: Final = re.compile(r"^\s*(?P<name>[A-Z][A-Z0-9]{2,8})\s+(?P<values>\S.*)$")
_OFFLOAD: Final = re.compile(r"Full logs to offload\s*-\s*(\d+)\s+of\s+(\d+)", re.IGNORECASE)
_COPY: Final = re.compile(r"^\s*(?P<copy>[12])\s+\d{1,3}\s.*?(?P<name>\S+\.\S+)\s*$")
_PAGE_SET: Final = re.compile(
    r"^[_\s]*(?P<number>\d{1,2})\s+(?P<pool>\d{1,2})\s+(?P<total>\d+)\s+(?P<unused>\d+)\s+\d+\s+"
    r"\d+\s+(?P<expand>USER|SYSTEM|NONE)\s+\d+"
)
_POOL: Final = re.compile(r"Buffer pool (\d+) has (\d+) buffers", re.IGNORECASE)
_ATTRIBUTE: Final = re.compile(r"\b([A-Z][A-Z0-9]{1,11})\s?\(\s*([^()]*?)\s*\)")
_QSG: Final = re.compile(r"^\(?\s*([A-Z0-9@#$]{1,4})\s*(?:,|\)|$)")
_SWITCHES: Final = {"TWOACTV": "dual_logging", "OFFLOAD": "offload", "TWOARCH": "dual_archiving"}
_NUMBERS: Final = {
    **{setting.display: setting.key for setting in SETTINGS.values() if setting.display},
    "INBUFF": "inbuff_kb",
    "WRTHRSH": "wrthrsh",
}
_ATTRIBUTES: Final = {
    "MAXCHL": "maxchl",
    "ACTCHL": "actchl",
    "CHIADAPS": "chiadaps",
    "CHIDISPS": "chidisps",
    "SSLTASKS": "ssltasks",
}
_STRUCTURE: Final = {"SIZEMAX": "size_kib", "ENTSMAX": "entries_max"}

_Entry = tuple[str, str, Value, _Line]
"""Object, key, value and the line it was read from."""


def read_displays(file: Path) -> list[Fact]:
    """Return the facts of pasted output; InputError: not readable, or without any response."""
    text = TextFile(file)
    try:
        facts = list(facts_of(text.lines(), file.name))
    except OSError as error:
        raise InputError("the file cannot be read", file=str(file), found=str(error)) from error
    if not facts:
        raise InputError(
            "no output of a DISPLAY command and no print log map of a BSDS is in it",
            file=file.name,
            found=f"first line {text.first_line.strip()[:60]!r}" if text.head else "no text",
            expected="message ids such as CSQJ322I, or ACTIVE LOG COPY 1 DATA SETS",
            remedy="Paste complete responses, with their message ids.",
        )
    return facts


def facts_of(lines: Iterable[str], name: str) -> Iterator[Fact]:
    """Yield the facts of pasted lines; a response without prefix takes the one before it."""
    before: str | None = None
    for response in _responses(lines):
        own = response.queue_manager or before
        read = _READERS.get(response.message_id)
        for thing, key, value, line in read(response) if read else ():
            if key == "qmgr":
                own = str(value)
                continue
            yield Fact(own, thing, key, value, _command_of(response), name, line.number)
        before = own


def _command_of(response: _Response) -> str:
    if response.message_id == BSDS:
        return "print log map"
    command = re.search(r"\b(?:DIS|DISPLAY)\s+([A-Z]+)", response.text)
    report = re.search(r"\b(LOG|SYSTEM|ARCHIVE) (?:status )?report", response.text)
    word = command or report
    return f"DISPLAY {word[1]} ({response.message_id})" if word else response.message_id


def _parameters(response: _Response) -> Iterator[_Entry]:
    """Yield name, initial value and, where SET changed it, the value that holds now."""
    for line in response.lines[1:]:
        match = _ROW.match(line.text)
        if match and not match["values"].startswith("-"):
            last = match["values"].split()[-1]
            if parameter := _parameter(match["name"], last, match["values"]):
                yield "", *parameter, line


def _parameter(name: str, last: str, values: str) -> tuple[str, Value] | None:
    if name in _SWITCHES and last in {"YES", "NO"}:
        return _SWITCHES[name], last == "YES"
    if name in _NUMBERS and last.isdecimal():
        return _NUMBERS[name], int(last)
    if name == "COMPLOG":
        return "complog", last
    if name == "STATIME" and re.fullmatch(r"[\d.]+", last) and float(last) > 0:
        return "interval_minutes", float(last)
    group = _QSG.match(values) if name in {"QSGDATA", "QSGNAME"} else None
    return ("qsg", group[1]) if group else None


def _log_status(response: _Response) -> Iterator[_Entry]:
    """Yield dual logging (two current data sets), their names, and the logs of all copies."""
    copies = [(line, match) for line in response.lines if (match := _COPY.match(line.text))]
    if copies:
        yield "", "dual_logging", len(copies) == 2, copies[0][0]
    for line, match in copies:
        yield f"copy {match['copy']}", LOG_NAME, match["name"], line
    for line in response.lines:
        if match := _OFFLOAD.search(line.text):
            yield "", "active_logs_all_copies", int(match[2]), line


def _current_log(response: _Response) -> Iterator[_Entry]:
    if figures := _figures(response):
        size = float(figures["end_rba"] - figures["start_rba"] + 1) / MIB_BYTES
        yield "", "active_log_size_mib", _rounded(size), response.lines[0]
        if figures["log_copy"] == 2:
            yield "", "dual_logging", True, response.lines[0]


def _bsds(response: _Response) -> Iterator[_Entry]:
    """Yield number and names of the logs, the size of a complete one, and dual logging."""
    named = re.search(
        r"(?:BELONGING TO|SUBSYSTEM|QMGR)\s*[='\s]+([A-Z0-9@#$]{1,4})\b", response.text
    )
    if named:
        yield "", "qmgr", named[1], response.lines[0]
    logs = list(_active_logs(response.lines))
    if not logs:
        return
    copies = sorted({log.copy for log in logs})
    first = [log for log in logs if log.copy == copies[0]]
    yield "", "active_logs", len(first), first[0].line
    yield "", "dual_logging", len(copies) > 1, logs[-1].line
    for log in logs:
        yield f"copy {log.copy}", LOG_NAME, log.data_set, log.line
    for size in dict.fromkeys(log.size_bytes for log in logs if log.is_complete):
        line = next(log.line for log in logs if log.size_bytes == size)
        yield "", "active_log_size_mib", _rounded(size / MIB_BYTES), line


def _usage(response: _Response) -> Iterator[_Entry]:
    for line in response.lines:
        if match := _PAGE_SET.match(line.text):
            thing = f"page set {int(match['number'])}"
            yield thing, "total_pages", int(match["total"]), line
            yield thing, "buffer_pool", int(match["pool"]), line
        elif match := _POOL.search(line.text):
            yield f"buffer pool {match[1]}", "buffers", int(match[2]), line


def _attributes(response: _Response) -> Iterator[_Entry]:
    """Yield ``KEY(VALUE)`` in any order and wrapping; a structure is named by CFSTATUS."""
    pairs = _ATTRIBUTE.findall(response.text)
    attributes = {name: "".join(value.split()) for name, value in pairs}
    line = response.lines[0]
    if structure := attributes.get("CFSTATUS"):
        for name, key in _STRUCTURE.items():
            if attributes.get(name, "").isdecimal():
                yield f"structure {structure}", key, int(attributes[name]), line
        return
    if manager := attributes.get("QMNAME"):
        yield "", "qmgr", manager, line
    if group := attributes.get("QSGNAME"):
        yield "", "qsg", group, line
    for name, key in _ATTRIBUTES.items():
        if attributes.get(name, "").isdecimal():
            yield "", key, int(attributes[name]), line


def _storage(response: _Response) -> Iterator[_Entry]:
    if figures := _figures(response):
        limit = figures["used_31bit_mib"] + figures["free_31bit_mib"]
        yield "", "chinit_31bit_limit_mib", _rounded(limit), response.lines[0]


def _figures(response: _Response) -> Mapping[str, Any]:
    message = recognise(f"{response.message_id} {response.text}")
    return (message and message.figures) or {}


def _rounded(value: float) -> float | int:
    return int(value) if value == int(value) else round(value, 3)


_READERS: Final[Mapping[str, Callable[[_Response], Iterator[_Entry]]]] = {
    "CSQJ322I": _parameters,
    "CSQJ370I": _log_status,
    "CSQJ001I": _current_log,
    BSDS: _bsds,
    **dict.fromkeys(("CSQI010I", "CSQP001I"), _usage),
    **dict.fromkeys(("CSQM201I", "CSQM401I", "CSQM409I", "CSQM420I", "CSQM408I"), _attributes),
    "CSQX004I": _storage,
}


_SECTION: Final = re.compile(r"(?:ACTIVE LOG COPY (\d)|COPY (\d) ACTIVE LOG)", re.IGNORECASE)
_OTHER: Final = re.compile(r"ARCHIVE LOG|CHECKPOINT|QUIESCE|CONDITIONAL|RESTART", re.IGNORECASE)
_RBA: Final = re.compile(r"(?<![0-9A-F.])([0-9A-F]{12}|[0-9A-F]{16})(?![0-9A-F.])")
_DATA_SET: Final = re.compile(r"DSN=(\S+?),?(?:\s|$)", re.IGNORECASE)
_STATUS: Final = re.compile(r"STATUS=(.+)$", re.IGNORECASE)


class _ActiveLog(NamedTuple):
    copy: int
    data_set: str
    size_bytes: int
    is_complete: bool
    """Whether the range is that of the complete data set: used, and not truncated."""
    line: _Line


def _active_logs(lines: Iterable[_Line]) -> Iterator[_ActiveLog]:
    """Yield the entries of all active log sections: each begins with two addresses."""
    entries: list[tuple[int, list[_Line]]] = [(0, [])]
    for line in lines:
        heading = _SECTION.search(line.text)
        if heading is not None or _OTHER.search(line.text):
            entries.append((int(heading[1] or heading[2]) if heading else 0, []))
        elif len(_RBA.findall(line.text)) >= 2:
            entries.append((entries[-1][0], [line]))
        elif entries[-1][1]:
            entries[-1][1].append(line)
    for copy, entry in entries:
        text = " ".join(line.text for line in entry)
        data_set = _DATA_SET.search(f"{text} ")
        if not copy or not entry or data_set is None:
            continue
        start_rba, end_rba = (int(address, 16) for address in _RBA.findall(entry[0].text)[:2])
        status = _STATUS.search(text)
        is_cut = status is not None and "TRUNCATED" in status[1].upper()
        is_complete = end_rba > start_rba and not is_cut
        yield _ActiveLog(copy, data_set[1], end_rba - start_rba + 1, is_complete, entry[0])
