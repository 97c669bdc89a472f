"""Cut pasted text into answers: a message id with the lines that belong to it.

Lines may come from the hardcopy log, a job log, SDSF or an e-mail: time stamps, job ids, block
numbers, carriage control and indentation go. What follows a message up to the next one is its
answer, in whatever lines it was wrapped.
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
_CARRIAGE: Final = re.compile(r"^[01-](?=[A-Z*+@])")
_MESSAGE: Final = re.compile(r"^[*+@\s]*(?P<id>CSQ[A-Z0-9]\d{3}[A-Z])\s*(?P<rest>.*)$")
_PREFIX: Final = re.compile(r"^[^A-Za-z0-9@#$\s]*(?P<name>[A-Z0-9@#$]{1,4})(?=\s|$)")
_BSDS: Final = re.compile(r"LOG MAP OF|ACTIVE LOG COPY \d|COPY \d ACTIVE LOG", re.IGNORECASE)
_NOT_A_NAME: Final = frozenset({"LOG", "PAGE", "DIS", "END", "FULL", "LAST", "NEW", "OUT"})
BSDS: Final = "BSDS"
"""Stands for the message id of a print of the BSDS, which has none."""


class Line(NamedTuple):
    """One line of an answer without what the log put before it."""

    number: int
    text: str


class Answer(NamedTuple):
    """One message with all its lines; ``queue_manager`` is its prefix."""

    message_id: str
    queue_manager: str | None
    lines: tuple[Line, ...]

    @property
    def text(self) -> str:
        """All lines as one, with single spaces."""
        return " ".join(" ".join(line.text for line in self.lines).split())


def answers(lines: Iterable[str]) -> Iterator[Answer]:
    """Yield the answers in order; text before the first one is left out."""
    current: list[Line] = []
    identity = ""
    for number, line in enumerate(lines, 1):
        text = _bare(line)
        match = _MESSAGE.match(text)
        if match is not None:
            yield from _finished(identity, current)
            identity, current = match["id"], [Line(number, match["rest"])]
        elif identity != BSDS and _BSDS.search(text):
            yield from _finished(identity, current)
            identity, current = BSDS, [Line(number, text)]
        else:
            current.append(Line(number, text))
    yield from _finished(identity, current)


def _finished(identity: str, lines: list[Line]) -> Iterator[Answer]:
    if not identity:
        return
    prefix = _PREFIX.match(lines[0].text) if identity != BSDS else None
    name = prefix["name"] if prefix and prefix["name"] not in _NOT_A_NAME else None
    yield Answer(identity, name, tuple(lines))


def _bare(line: str) -> str:
    """Return the line without time stamp, job id, block number and carriage control."""
    text = line.rstrip("\r\n")
    for form in (_HARDCOPY, _HARDCOPY_MORE, _JOB_LOG, _JOB_LOG_MORE):
        match = form.match(text)
        if match is not None:
            return text[match.end() :].rstrip()
    return _CARRIAGE.sub("", text).rstrip()
