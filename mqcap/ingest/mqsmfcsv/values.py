"""Convert printed values to values of columns; null where the formatter prints none or words.

An absent field is -1, dots or 1970; a time not set is empty. The formatter prints a time of the
TOD clock in the zone of the machine it ran on, unless it ran with ``-g yes``; ``shift`` undoes it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from mqcap.ingest.mqsmfcsv.names import is_signed, key_of
from mqcap.ingest.smf.clock import TOD_UNITS_PER_US
from mqcap.ingest.smf.layout import Field, FieldType, Layout, level_length

UNRELIABLE: Final = frozenset({"qesdbfbt", "qsphdspnm"})
"""Printed wrongly: only the high word of a time (QESD), and a flag where a name should be."""
IN_TOD_UNITS: Final = frozenset({"qjstslptu"})
"""Durations that the formatter prints as they are in the record."""
_NOT_SET_DAYS: Final = frozenset({"", "0", "1970-01-01"})
_CHANGED_NUMBER: Final = re.compile(
    r"[+-]?\d[\d ]*(?:[.,][\d ]*)+(?:[Ee][+-]?\d+)?|\d+[Ee][+-]?\d+"
)
"""As a spreadsheet writes it."""
_TEXTS: Final = frozenset({FieldType.EBCDIC, FieldType.BYTES})


def moment(day: str, clock: str) -> datetime | None:
    """Return a printed day and clock, without a zone; None when it is not set.

    Raises ValueError when it is no time.
    """
    day = day.strip().replace("/", "-")
    if day in _NOT_SET_DAYS:
        return None
    return datetime.fromisoformat(f"{day} {clock.strip().replace(',', '.')}")


def level_of(version: str) -> str | None:
    """Return ``10.0.0`` for ``100000`` (VVRRMM), ``9.3.5`` for ``935`` (VRM), else ``None``."""
    digits = version.strip()
    if not digits.isdigit() or len(digits) not in {3, 6}:
        return None
    size = len(digits) // 3
    return ".".join(str(int(digits[at : at + size])) for at in range(0, len(digits), size))


def value_of(
    layout: Layout, field: Field, cells: Mapping[str, str], level: str, shift: timedelta
) -> Any:
    """Return the value of a field; None when not printed, or absent in this product version.

    Raises ValueError when a number or time is none.
    """
    key = key_of(field)
    if key is None or field.column in UNRELIABLE:
        return None
    if field.type is FieldType.STCK:
        local = moment(cells.get(f"{key}date", ""), cells.get(f"{key}time", ""))
        return None if local is None else (local - shift).replace(tzinfo=UTC)
    if field.type is FieldType.TIMEVAL:
        return _duration(field, key, cells)
    if key not in cells:
        return None
    absent = field.end > level_length(layout, level) and layout.repeat is None
    if field.type in _TEXTS:
        return _text(field, cells[key], absent)
    return _number(field, cells[key], absent)


def _duration(field: Field, key: str, cells: Mapping[str, str]) -> float | None:
    """Return microseconds from seconds and the rest in two columns, or from one column."""
    if f"{key}us" in cells:
        rest = int(cells[f"{key}us"])
        total_us = rest + 1_000_000 * int(cells.get(f"{key}s", "0"))
        return float(total_us) if rest >= 0 else None
    text = cells.get(key, "").strip()
    if not text or int(text) < 0:
        return None
    return int(text) / (TOD_UNITS_PER_US if field.column in IN_TOD_UNITS else 1)


def _text(field: Field, cell: str, absent: bool) -> str | None:
    """Return text without padding; dots stand for unprintable characters or an absent field."""
    if not cell.strip(" ."):
        return None if absent else ""
    if field.type is FieldType.BYTES:
        return cell.strip().lower()
    return cell.rstrip(" ")


def _number(field: Field, cell: str, absent: bool) -> int | None:
    """Return an integer; null for a word (Yes, PRIVATE), which stands for an unknown code."""
    text = cell.strip()
    if _CHANGED_NUMBER.fullmatch(text):
        raise ValueError(f"{field.name} is {text}, no whole number: another program has changed it")
    if not text.lstrip("-").isdigit():
        return None
    number = int(text)
    if number < -1 and not is_signed(field):
        raise ValueError(f"{field.name} is {text}, and no such number is below zero")
    if abs(number) >= 1 << 8 * field.length:
        raise ValueError(f"{field.name} is {text}, more than {field.length} bytes can hold")
    if is_signed(field) and number >= 1 << 8 * field.length - 1:
        number -= 1 << 8 * field.length  # printed without its sign
    if abs(number) >= 1 << 63 or number in field.absent:
        return None
    return None if number == -1 and (absent or not is_signed(field)) else number
