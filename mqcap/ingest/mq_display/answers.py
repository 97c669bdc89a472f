"""Answers of runmqsc and dspmq as captures: a stamp, then records of ``KEY(VALUE)``.

Only message ids, keywords and values are read: the text between them is in the language of the
terminal. A stamp is the line of ``dspmq`` with the time that the capture script appends::

    QMNAME(QM1)                    STATUS(RUNNING) NOW(2026-07-09T00:15:00+0200)

That of ``dspmq -o nativeha`` has ``ROLE(ACTIVE)`` in place of a status; behind it, or within any
other capture, stands a line for each instance of Native HA::

     INSTANCE(inst-2) ROLE(REPLICA) BACKLOG(0) CONNACTV(YES) INSYNC(YES)
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from mqcap.ingest.text_reading import Omissions

_STAMP: Final = re.compile(r"QMNAME\(([^)]*)\)\s+STATUS\(([^)]*)\)(?:.*\bNOW\(([^)]*)\))?")
_ROLE_STAMP: Final = re.compile(r"QMNAME\(([^)]*)\)\s+ROLE\(([^)]*)\).*\bNOW\(([^)]*)\)")
_INSTANCE: Final = re.compile(r"\s*INSTANCE\([^)]*\)\s+ROLE\(")
_ATTRIBUTES: Final = re.compile(r" |(?!QMNAME\([^)]*\)\s+ROLE\()[A-Z][A-Z0-9]*\(")
"""Indented, or not where a copy lost the blanks."""
NATIVE_HA: Final = "INSTANCE"
"""Message of the record of an instance of Native HA, which dspmq prints without any."""
_RECORD: Final = re.compile(r"(AMQ\d{4})[IWEST]?: ")
_KEY: Final = re.compile(r"\s*([A-Z][A-Z0-9]*)(\(?)")
_KEYS_TO_END: Final = re.compile(r"(?:\s+[A-Z][A-Z0-9]*(?:\([^()]*(?:\([^()]*\)[^()]*)*\))?)*\s*\Z")
"""What may follow a value: further keys, or nothing."""
_KEY_LINE: Final = re.compile(r"\s*[A-Z][A-Z0-9]*(?:[(\s]|$)")
_NAMES: Final = re.compile(r"(?:\s*[A-Z][A-Z0-9]*)*\s*")
_FRAME: Final = re.compile(r"\s*\d*\s*: |\S*-\S* \(C\) |[^()]*[.。]\s*$")
"""What runmqsc prints around answers: commands, and sentences in the language of the terminal."""


@dataclass
class CapturedRecord:
    """One object or instance: the message that begins it, and its attributes."""

    message: str
    values: dict[str, str] = field(default_factory=dict)

    def number(self, key: str) -> float | None:
        """Return the whole number of a key; ``None`` for blanks and words."""
        text = self.values.get(key, "")
        return float(text) if text.isascii() and text.isdigit() else None


@dataclass
class Capture:
    """What was displayed of one queue manager at one time."""

    qmgr: str
    status: str
    """Status of the queue manager; the role of its instance where ``is_native_ha``."""
    now: str | None
    """Time as stamped; ``None`` without a stamp."""
    line_number: int
    records: list[CapturedRecord] = field(default_factory=list)
    is_native_ha: bool = False
    """True for the answer of ``dspmq -o nativeha`` alone."""


def captures(lines: Iterable[str], left_out: Omissions) -> Iterator[Capture]:
    """Yield captures in order; records before the first stamp are one without a name."""
    capture: Capture | None = None
    for number, line in enumerate(lines, start=1):
        if stamp := _STAMP.match(line) or _ROLE_STAMP.match(line):
            if capture is not None:
                yield capture
            capture = Capture(stamp[1].strip(), stamp[2].strip(), stamp[3], number)
            capture.is_native_ha = stamp.re is _ROLE_STAMP
        elif capture is None and _RECORD.match(line):
            capture = Capture("", "", None, number)
        elif not (
            _add(capture.records if capture else [], line) or _FRAME.match(line) or is_whole(line)
        ):
            left_out.not_understood(line, number)
    if capture is not None:
        yield capture


def _add(records: list[CapturedRecord], line: str) -> bool:
    """Add what a line of a capture says to its records; return whether it was understood."""
    if begin := _RECORD.match(line):
        records.append(CapturedRecord(begin[1]))
    elif _INSTANCE.match(line):
        records.append(CapturedRecord(NATIVE_HA, dict(_values(line))))
    elif records and records[-1].message != NATIVE_HA and _ATTRIBUTES.match(line):
        records[-1].values.update(_values(line))
        return is_whole(line)
    else:
        return False
    return True


def is_whole(line: str) -> bool:
    """Return whether a line has keys, each with its value to the end."""
    return (
        _KEY_LINE.match(line) is not None
        and _NAMES.fullmatch(line[line.rfind(")") + 1 :]) is not None
    )


def _values(line: str) -> Iterator[tuple[str, str]]:
    """Yield the keys of a line with their values; a text of a person may hold any brackets."""
    position = 0
    while key := _KEY.match(line, position):
        position = key.end()
        if not key[2]:
            continue
        end = _closing(line, position)
        yield key[1], line[position:end].strip()
        position = end + 1


def _closing(line: str, position: int) -> int:
    """Return where the bracket that is open at a position closes.

    It is the first one behind which only keys follow and none is left open, else the first one
    behind which a key follows (``DESCR(sad :-( ) MAXDEPTH(5000)``), else the last one of the line.
    """
    depth, unpaired = 1, -1
    for place in range(position, len(line)):
        depth += {"(": 1, ")": -1}.get(line[place], 0)
        if line[place] != ")" or not _KEYS_TO_END.match(line, place + 1):
            continue
        if depth <= 0:
            return place
        if unpaired < 0:
            unpaired = place
    return unpaired if unpaired >= 0 else max(line.rfind(")"), position)
