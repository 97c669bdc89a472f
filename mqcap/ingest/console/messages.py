"""The console messages that carry capacity figures, and how to read them.

========== ======================================================================
message    gives
========== ======================================================================
CSQX004I   storage of the channel initiator, in both of its forms (to 9.2; 9.3 on)
CSQJ001I   the log data set now written, per copy (a log switch, or a start)
CSQJ002I   the log data set that is full
CSQJ003I   the archive log written
CSQJ004I   a copy of the log is lost: single logging from here on
CSQJ110E   the last log data set is filling up
CSQJ111A   no log data set is left
CSQE120I   backup of a coupling facility structure begun, CSQE121I ended (``amount``: its MiB)
CSQP013I   page set extended; CSQP017I its expansion has begun, CSQP014E it failed
CSQP018I   checkpoint of the buffer pools; CSQP019I its end (``amount``: pages written)
CSQP020E   buffer pool too small
CSQP021I   page set recovery addresses; CSQI005I page set offline
CSQI010I   page set usage, as answer to DISPLAY USAGE: one event per page set, with its pages
CSQJ160I   a unit of work that began more than two log data sets ago (``start_rba``: its URID);
           CSQR026I its records were copied forward (to ``end_rba``); both name the connection
CSQW133E   trace data (accounting, statistics) lost, since SMF or GTF did not take it
CSQX068I   scavenger of the channel initiator (text only)
CSQX112E   error of the channel initiator, CSQX124E no storage for its trace data (text only)
CSQY220I   storage of the queue manager, below and above the bar
CSQR030I   log range of forward recovery; CSQR032I backward; 031, 033 how far it is
========== ======================================================================

``object_name`` is the structure, buffer pool, page set or connection that a message is about. The
wording of the messages from CSQE121I on is known from memory only: they are events whatever their
text, and their figures are null where it is another.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Final

from mqcap.domain.units import MIB_BYTES

_MESSAGE: Final = re.compile(r"^[\s*+@]*(CSQ[A-Z0-9]\d{3}[A-Z])\s+(.*)$", re.DOTALL)
_PREFIX: Final = re.compile(r"^([^A-Za-z0-9@#$\s]*)([A-Z0-9@#$]{1,8})\s+")
_NO_PREFIX: Final = frozenset(
    {"ACTIVE", "BACKUP", "BUFFER", "CURRENT", "END", "FORWARD", "FULL", "LAST", "LOG", "NEW"}
    | {"OUT", "PAGE", "QUEUE", "READING", "SINGLE", "TRACE", "USAGE"}
)
_CSECT: Final = re.compile(r"CSQ[A-Z][A-Z0-9]{3,4}")
"""A module of the product, which follows the prefix, or is alone where that is suppressed."""
_SIZE: Final = r"(\d+)\s*([KMGTPE]?B)"
_RANGE: Final = (
    r"DSNAME=(?P<dataset_name>[^,\s]+),?.*?"
    r"STARTRBA=(?P<start_rba>[0-9A-F]+),?\s+ENDRBA=(?P<end_rba>[0-9A-F]+)"
)
_OLD_STORAGE: Final = re.compile(
    rf"is using {_SIZE} of local storage,?\s*{_SIZE} are free", re.IGNORECASE
)
_LOCAL_STORAGE: Final = re.compile(
    rf"Local storage:?\s*used {_SIZE},?\s*free {_SIZE}", re.IGNORECASE
)
_ABOVE_BAR: Final = re.compile(rf"Above bar:?\s*used {_SIZE},?\s*free {_SIZE}", re.IGNORECASE)
_TEXT_ONLY: Final = re.compile("")
_PAGE_SET: Final = re.compile(r"PAGE SET\s+(?P<object_name>\d+)", re.IGNORECASE)
_LOG_PLACE: Final = re.compile(
    r"RBA\s?=\s?(?P<start_rba>[0-9A-F]+)(?:\s+TO\s+RBA\s?=\s?(?P<end_rba>[0-9A-F]+))?",
    re.IGNORECASE,
)
_UNIT_OF_WORK: Final = re.compile(
    r"(?:RBA\s?=\s?(?P<end_rba>[0-9A-F]+).*?)?URID\s?=\s?(?P<start_rba>[0-9A-F]+)"
    r"(?:\s+CONNECTION NAME\s?=\s?(?P<object_name>\S+))?",
    re.IGNORECASE,
)
LONG_UNIT_OF_WORK: Final = "CSQJ160I"
TRACE_LOST: Final = "CSQW133E"
_SHAPES: Final[Mapping[str, re.Pattern[str]]] = MappingProxyType(
    {
        "CSQJ001I": re.compile(
            r"CURRENT COPY (?P<log_copy>\d) ACTIVE LOG DATA SET IS\s+" + _RANGE, re.IGNORECASE
        ),
        "CSQJ002I": re.compile(r"END OF ACTIVE LOG DATA SET\s+" + _RANGE, re.IGNORECASE),
        "CSQJ003I": re.compile(
            r"FULL ARCHIVE LOG VOLUME\s+" + _RANGE + r"(?:.*?COPY(?P<log_copy>\d)VOL)?",
            re.IGNORECASE,
        ),
        "CSQJ110E": re.compile(
            r"LAST COPY\s?(?P<log_copy>\d) ACTIVE LOG DATA SET IS (?P<amount>\d+) PERCENT FULL",
            re.IGNORECASE,
        ),
        "CSQJ111A": re.compile(r"OUT OF SPACE IN ACTIVE LOG DATA SETS", re.IGNORECASE),
    }
)
_LOOSE_SHAPES: Final[Mapping[str, re.Pattern[str]]] = MappingProxyType(
    {
        "CSQJ004I": re.compile(
            r"COPY\s?(?P<log_copy>\d)(?:.*?ENDRBA=(?P<end_rba>[0-9A-F]+))?", re.IGNORECASE
        ),
        "CSQE120I": re.compile(
            r"STRUCTURE (?P<object_name>\S+)(?:.*?RBA=(?P<start_rba>[0-9A-F]+))?", re.IGNORECASE
        ),
        "CSQE121I": re.compile(
            r"STRUCTURE (?P<object_name>\S+)(?:.*?RBA=(?P<end_rba>[0-9A-F]+))?"
            r"(?:.*?SIZE (?P<amount>\d+\s*[KMGT]?B))?",
            re.IGNORECASE,
        ),
        **dict.fromkeys(("CSQP013I", "CSQP014E", "CSQP017I", "CSQI005I"), _PAGE_SET),
        "CSQP018I": _TEXT_ONLY,
        "CSQP019I": re.compile(
            r"BUFFER POOL (?P<object_name>\d+)(?:,\s*(?P<amount>\d+) PAGES)?", re.IGNORECASE
        ),
        "CSQP020E": re.compile(r"BUFFER POOL (?P<object_name>\d+)", re.IGNORECASE),
        "CSQP021I": re.compile(
            r"PAGE SET (?P<object_name>\d+).*?RBA\s?=\s?(?P<start_rba>[0-9A-F]+)"
            r"(?:.*?CHECKPOINT RBA\s?=\s?(?P<end_rba>[0-9A-F]+))?",
            re.IGNORECASE,
        ),
        LONG_UNIT_OF_WORK: _UNIT_OF_WORK,
        "CSQR026I": _UNIT_OF_WORK,
        TRACE_LOST: _TEXT_ONLY,
        "CSQX068I": _TEXT_ONLY,
        "CSQX112E": _TEXT_ONLY,
        "CSQX124E": _TEXT_ONLY,
        **dict.fromkeys(("CSQR030I", "CSQR031I", "CSQR032I", "CSQR033I"), _LOG_PLACE),
    }
)
STORAGE_MESSAGE: Final = "CSQX004I"
_MANAGER_STORAGE: Final = "CSQY220I"
USAGE_MESSAGE: Final = "CSQI010I"
RECOGNISED: Final = frozenset(
    {STORAGE_MESSAGE, _MANAGER_STORAGE, USAGE_MESSAGE, *_SHAPES, *_LOOSE_SHAPES}
)
_USAGE_ROW: Final = re.compile(
    r"(?P<object_name>\d+) (?P<pool_number>\d+) (?P<pages_total>\d+) (?P<pages_unused>\d+)"
    r" \d+ \d+(?: [A-Z]+)? (?P<expansion_count>\d+)(?= |$)"
)
"""Page set, pool, pages in all and unused, persistent, nonpersistent, expansions."""
_BYTES_OF_UNIT: Final[Mapping[str, int]] = MappingProxyType(
    {unit: 1024**power for power, unit in enumerate(("B", "KB", "MB", "GB", "TB", "PB", "EB"))}
)


@dataclass(frozen=True)
class Recognised:
    """A message we know; ``figures`` is None when its text is not what it should be."""

    message_id: str
    qmgr: str | None
    text: str
    figures: Mapping[str, Any] | None


def recognise(text: str) -> Recognised | None:
    """Read the text of one complete message; ``None`` when it is not recognised."""
    message = _MESSAGE.match(text)
    if message is None or message[1] not in RECOGNISED:
        return None
    body = re.sub(r"\s+", " ", message[2]).strip()
    return Recognised(
        message[1], _qmgr(body), f"{message[1]} {body}", _figures_of(message[1], body)
    )


def usage_rows(message: Recognised) -> list[Recognised]:
    """Return a message per page set of a DISPLAY USAGE response; none when no row is recognised."""
    start, _, rows = message.text.partition("count ")
    return [
        Recognised(
            message.message_id,
            message.qmgr,
            f"{message.message_id} page set {row[0]}",
            _typed(row.groupdict()),
        )
        for row in _USAGE_ROW.finditer(rows or start)
    ]


def _qmgr(body: str) -> str | None:
    """Return the queue manager by the command prefix; None where the site suppresses it."""
    prefix = _PREFIX.match(body)
    if prefix is None or _CSECT.fullmatch(prefix[2]):
        return None
    return None if not prefix[1] and prefix[2] in _NO_PREFIX else prefix[2]


def _figures_of(message_id: str, body: str) -> Mapping[str, Any] | None:
    if message_id == STORAGE_MESSAGE:
        return _storage(body)
    if message_id == _MANAGER_STORAGE:
        return _storage(body) or {}
    return {} if message_id == USAGE_MESSAGE else _figures(message_id, body)


def _storage(body: str) -> dict[str, Any] | None:
    """Return used and free storage of an address space in MiB, below and above the bar."""
    local = _OLD_STORAGE.search(body) or _LOCAL_STORAGE.search(body)
    if local is None:
        return None
    figures = {"used_31bit_mib": _mib(local, 1), "free_31bit_mib": _mib(local, 3)}
    if above := _ABOVE_BAR.search(body):
        figures |= {"used_64bit_mib": _mib(above, 1), "free_64bit_mib": _mib(above, 3)}
    return figures


def _mib(match: re.Match[str], group: int) -> float:
    """Return a number and its unit (of 1024) in MiB."""
    return int(match[group]) * _BYTES_OF_UNIT[match[group + 1].upper()] / MIB_BYTES


def _figures(message_id: str, body: str) -> dict[str, Any] | None:
    """Return the figures of a message by column; ``None`` when a required one is missing."""
    loose = _LOOSE_SHAPES.get(message_id)
    match = (loose or _SHAPES[message_id]).search(body)
    if match is None:
        return None if loose is None else {}
    return _typed(match.groupdict())


def _typed(texts: Mapping[str, str | None]) -> dict[str, Any]:
    return {name: _FIGURES[name](text) for name, text in texts.items() if text is not None}


def _rba(digits: str) -> Decimal:
    """Return a log address from its hexadecimal digits."""
    return Decimal(int(digits, 16))


def _amount(text: str) -> float:
    """Return a plain number, or one with a unit of storage in MiB."""
    size = re.fullmatch(_SIZE, text, re.IGNORECASE)
    return float(text) if size is None else _mib(size, 1)


_FIGURES: Final[Mapping[str, Callable[[str], Any]]] = MappingProxyType(
    {
        "log_copy": int,
        "start_rba": _rba,
        "end_rba": _rba,
        "dataset_name": str,
        "object_name": str,
        "amount": _amount,
        "pool_number": int,
        "pages_total": int,
        "pages_unused": int,
        "expansion_count": int,
    }
)
