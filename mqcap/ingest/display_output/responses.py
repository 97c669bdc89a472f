"""Split pasted text into command responses: a message id with the lines that belong to it.

Lines may come from the hardcopy log, a job log, SDSF or an e-mail: time stamps, job ids, block
numbers, carriage control and indentation go. The text from a message to the next one is its
response, however its lines were wrapped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

_HARDCOPY: Final = re.compile(
    r"^[NMWXO][A-Z]?\s?[0-9A-F]{7}\s+\S+\s+\d{5,7}\s+\d\d:\d\d:\d\d\.\d\d\s+\S+\s+[0-9A-F]{8}\s"
)
_HARDCOPY_MORE: Final = re.compile(r"^[SDEL][A-Z]?\s+(?:\d{1,4}\s+[0-9A-F]{8}\s)?")
_JOB_LOG: Final = re.compile(r"^[ 01+-]?\s*\d\d[.:]\d\d[.:]\d\d\s+(?:STC|JOB|TSU|J\d|S\d)\w*\s")
_JOB_LOG_MORE: Final = re.compile(r"^\s{3,}\d{1,3}\s{8,}")
_ULOG: Final = re.compile(
    r"^\S{1,8}\s+\d{7}\s+\d\d:\d\d:\d\d\.\d\d {2}(?:[A-Z0-9]{1,8} *| {8}) {1,3}(?=\S| |$)"
)
"""SDSF ULOG and what opercmd and Ansible make of it: system, date, time, job."""
_ULOG_MORE: Final = re.compile(r"^ {43}")
_CARRIAGE: Final = re.compile(r"^[01-](?=[A-Z*+@])")
_MESSAGE: Final = re.compile(r"^[*+@\s]*(?P<id>CSQ[A-Z0-9]\d{3}[A-Z])\s*(?P<rest>.*)$")
_PREFIX: Final = re.compile(r"^[^A-Za-z0-9@#$\s]*(?P<name>[A-Z0-9@#$]{1,4})(?=\s|$)")
_BSDS: Final = re.compile(r"LOG MAP OF|ACTIVE LOG COPY \d|COPY \d ACTIVE LOG", re.IGNORECASE)
_NOT_A_NAME: Final = frozenset({"LOG", "PAGE", "DIS", "END", "FULL", "LAST", "NEW", "OUT"})
BSDS: Final = "BSDS"
"""Used as the message id of a print log map of the BSDS, which has none."""


class ResponseLine(NamedTuple):
    """A line of a response without the prefix of the log."""

    number: int
    text: str


class CommandResponse(NamedTuple):
    """A message with all its lines; ``queue_manager`` is its prefix."""

    message_id: str
    queue_manager: str | None
    lines: tuple[ResponseLine, ...]

    @property
    def text(self) -> str:
        """All lines as one, with single spaces."""
        return " ".join(" ".join(line.text for line in self.lines).split())


def command_responses(lines: Iterable[str]) -> Iterator[CommandResponse]:
    """Yield the responses in order; text before the first one is left out."""
    current: list[ResponseLine] = []
    identity = ""
    for number, line in enumerate(lines, 1):
        text = _bare(line)
        match = _MESSAGE.match(text)
        if match is not None:
            yield from _finished(identity, current)
            identity, current = match["id"], [ResponseLine(number, match["rest"])]
        elif identity != BSDS and _BSDS.search(text):
            yield from _finished(identity, current)
            identity, current = BSDS, [ResponseLine(number, text)]
        else:
            current.append(ResponseLine(number, text))
    yield from _finished(identity, current)


def _finished(identity: str, lines: list[ResponseLine]) -> Iterator[CommandResponse]:
    if not identity:
        return
    prefix = _PREFIX.match(lines[0].text) if identity != BSDS else None
    name = prefix["name"] if prefix and prefix["name"] not in _NOT_A_NAME else None
    yield CommandResponse(identity, name, tuple(lines))


def _bare(line: str) -> str:
    """Return the line without time stamp, job id, block number and carriage control."""
    text = line.rstrip("\r\n")
    for form in (_HARDCOPY, _HARDCOPY_MORE, _JOB_LOG, _JOB_LOG_MORE, _ULOG, _ULOG_MORE):
        match = form.match(text)
        if match is not None:
            return text[match.end() :].rstrip()
    return _CARRIAGE.sub("", text).rstrip()
