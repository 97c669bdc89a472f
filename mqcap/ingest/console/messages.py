"""Read the messages of the catalogue: their queue manager and their figures.

``object_name`` is the structure, buffer pool, page set, channel or connection that a message is
about; a structure that z/OS reports has its facility before it (``CF01/QSG1APPL1``). A message
counts by its number. A text that is not the known one leaves its figures null, and is reported
where a document of IBM prints that text. Two rows are no ranges: CSQP021I and CSQI049I give the
recovery address as ``start_rba`` and that of the checkpoint as ``end_rba``; CSQR032I runs from its
higher address to the lower one.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Any, Final

from mqcap.domain.console.states import CatalogueEntry, TextCertainty
from mqcap.domain.subject import Subject
from mqcap.domain.units import MIB_BYTES
from mqcap.ingest.console.catalogue import catalogue, kept_messages

_MESSAGE: Final = re.compile(r"^[\s*+@]*([A-Z]{3,4}[A-Z0-9]?\d{3}[A-Z])\s+(.*)$", re.DOTALL)
_PREFIX: Final = re.compile(r"^([^A-Za-z0-9@#$\s]*)([A-Z0-9@#$]{1,8})\s+")
_NO_PREFIX: Final = frozenset(
    {"ACTIVE", "BACKUP", "BSDS", "BUFFER", "BUFFPOOL", "BUFFERS", "CURRENT", "DUAL", "END"}
    | {"ERROR", "FORWARD", "FULL", "LAST", "LOG", "LOGGING", "NEW", "OFFLOAD", "OLD", "OUT"}
    | {"PAGE", "PSID", "QUEUE", "RBA", "READ", "READING", "REPLY", "RESTART", "SINGLE", "TRACE"}
    | {"UOW", "USAGE", "WRITE"}
)
"""First words of texts: what a message begins with where the prefix is suppressed."""
_CSECT: Final = re.compile(r"CSQ[A-Z][A-Z0-9]{3,4}")
"""A module of the product, which follows the prefix, or is alone where that is suppressed."""
_SIZE: Final = r"(\d+(?:[.,]\d{1,2})?)\s*([KMGTPE]?B)"
"""With a decimal point or comma; three digits behind one may be thousands, and are not read."""
_OLD_STORAGE: Final = re.compile(
    rf"is using {_SIZE} of local storage,?\s*{_SIZE} are free", re.IGNORECASE
)
_LOCAL_STORAGE: Final = re.compile(
    rf"Local storage:?\s*used {_SIZE},?\s*free {_SIZE}", re.IGNORECASE
)
_ABOVE_BAR: Final = re.compile(
    rf"Above bar\W*used {_SIZE}(?:,?\s*free {_SIZE}(?![A-Z0-9]))?", re.IGNORECASE
)
_ABOVE_BAR_WORDS: Final = re.compile("above bar", re.IGNORECASE)
_MISSING_ABOVE: Final = "its figures above the bar were not understood"
_OTHER_TEXT: Final = "its text is not the known one, so it counts by its number without figures"
LONG_UNIT_OF_WORK: Final = "CSQJ160I"
TRACE_LOST: Final = "CSQW133E"
STORAGE_MESSAGE: Final = "CSQX004I"
USAGE_MESSAGE: Final = "CSQI010I"
_USAGE_ROW: Final = re.compile(
    r"(?P<object_name>\d+) (?P<pool_number>\d+) (?P<pages_total>\d+) (?P<pages_unused>\d+)"
    r" \d+ \d+(?: (?P<expansion>[A-Z]+))? (?P<expansion_count>\d+)(?= |$)"
)
"""Page set, pool, pages in all and unused, persistent, nonpersistent, expansions."""
_BYTES_OF_UNIT: Final[Mapping[str, int]] = {
    unit: 1024**power for power, unit in enumerate(("B", "KB", "MB", "GB", "TB", "PB", "EB"))
}


@dataclass(frozen=True)
class Recognised:
    """A message we know; ``figures`` is None when its text is not what it should be."""

    message_id: str
    qmgr: str | None
    text: str
    figures: Mapping[str, Any] | None
    note: str = ""
    """What of a message that counts was not understood; empty when all was."""


def recognise(text: str) -> Recognised | None:
    """Read the text of one complete message; ``None`` when it is not recognised."""
    message = _MESSAGE.match(text)
    if message is None or message[1] not in kept_messages():
        return None
    entry = catalogue()[message[1]]
    body = " ".join(message[2].split())
    figures, note = _figures_of(entry, body)
    qmgr = figures.pop("qmgr", None) if figures else None
    prefix = _PREFIX.match(body) if entry.id.startswith("CSQ") else None
    if qmgr is None and prefix and not _CSECT.fullmatch(prefix[2]):
        is_word = prefix[2] in _NO_PREFIX or prefix[2].isdigit()
        qmgr = None if not prefix[1] and is_word else prefix[2]
    return Recognised(entry.id, qmgr, f"{entry.id} {body}", figures, note)


def is_of_capacity(entry: CatalogueEntry, text: str) -> bool:
    """Return whether a message of the catalogue concerns capacity, by the reason in its text."""
    if not entry.capacity_only:
        return True
    body = text.removeprefix(entry.id).strip()
    return _compiled(entry.capacity_only).search(body) is not None


def usage_rows(message: Recognised) -> list[Recognised]:
    """Return a message per page set of a DISPLAY USAGE response; none when no row is recognised."""
    start, _, rows = message.text.partition("count ")
    found = []
    for row in _USAGE_ROW.finditer(rows or start):
        figures = row.groupdict()
        expansion = figures.pop("expansion")
        words = f", expansion {expansion}" if expansion else ""
        text = f"{message.message_id} page set {row[0]}{words}"
        found.append(Recognised(message.message_id, message.qmgr, text, _typed(figures)))
    return found


def _figures_of(entry: CatalogueEntry, body: str) -> tuple[dict[str, Any] | None, str]:
    """Return figures by column, ``None`` without required ones, and what was not understood."""
    if entry.id == STORAGE_MESSAGE:
        return _storage(body)
    if entry.id == "CSQY220I":  # local storage of the queue manager
        figures, note = _storage(body)
        return figures or {}, note
    match = _compiled(entry.pattern).search(body)
    if match is not None:
        return _typed(match.groupdict()), ""
    if entry.needs_text:
        return None, ""
    return {}, _OTHER_TEXT if entry.certainty is TextCertainty.A else ""


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _storage(body: str) -> tuple[dict[str, Any] | None, str]:
    """Return used and free storage of an address space in MiB, below and above the bar."""
    local = _OLD_STORAGE.search(body) or _LOCAL_STORAGE.search(body)
    if local is None:
        return None, ""
    figures: dict[str, Any] = {"used_31bit_mib": _mib(local, 1), "free_31bit_mib": _mib(local, 3)}
    above = _ABOVE_BAR.search(body)
    if above is None:
        return figures, _MISSING_ABOVE if _ABOVE_BAR_WORDS.search(body) else ""
    figures["used_64bit_mib"] = _mib(above, 1)
    if above[3] is None:
        return figures, _MISSING_ABOVE
    figures["free_64bit_mib"] = _mib(above, 3)
    return figures, ""


def _mib(match: re.Match[str], group: int) -> float:
    number = float(match[group].replace(",", "."))
    return number * _BYTES_OF_UNIT[match[group + 1].upper()] / MIB_BYTES


def _typed(texts: Mapping[str, str | None]) -> dict[str, Any]:
    figures = {
        name: _FIGURES.get(name, str)(text) for name, text in texts.items() if text is not None
    }
    facility = figures.pop("facility", None)
    if facility is not None:
        figures["object_name"] = Subject.of(facility, figures["object_name"])
    return figures


def _amount(text: str) -> float:
    """Return a plain number, or one with a unit of storage in MiB."""
    size = re.fullmatch(_SIZE, text, re.IGNORECASE)
    return float(text) if size is None else _mib(size, 1)


_FIGURES: Final[Mapping[str, Callable[[str], Any]]] = {
    "log_copy": int,
    "start_rba": lambda digits: Decimal(int(digits, 16)),
    "end_rba": lambda digits: Decimal(int(digits, 16)),
    "amount": _amount,
    "pool_number": int,
    "pages_total": int,
    "pages_unused": int,
    "expansion_count": int,
}
