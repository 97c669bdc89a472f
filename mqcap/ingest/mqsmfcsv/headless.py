"""Files of mqsmfcsv without headings (``-h no``, and SQL mode): which structure, which columns.

``columns.json`` has the headings of each structure in the order in which the formatter prints
them, as plain keys, and whether interval columns come before them. SQL mode prints a duration as
one number of microseconds. Older formatters print no queue sharing group. The first row must fit
one structure by number, and by kind, of its cells; where several fit, the name that the formatter
gives its files (``SMF-QCTSSL.csv``) decides.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from mqcap.ingest.mqsmfcsv.names import (
    INTERVAL,
    LEADING,
    key_of,
    printed_columns,
    structure_called,
)
from mqcap.ingest.smf.decode import column_fields
from mqcap.ingest.smf.layout import FieldType, Layout

_FILE_NAME: Final = re.compile(r"SMF-([A-Z0-9]{2,6})\b")
_NUMBER: Final = re.compile(r"\s*-?\d+\s*$")
_DAY: Final = re.compile(r"\s*\d{4}[/-]\d\d[/-]\d\d\s*$|$")
_CELL: Final = re.compile(r'=?"[^"]*"|[^,]*')
_LEADING_SHAPES: Final = {
    "date": re.compile(r"\d{4}[/-]\d\d[/-]\d\d$"),
    "time": re.compile(r"\d\d:\d\d:\d\d"),
    "mqversion": re.compile(r"(\d{3}|\d{6})$"),
    INTERVAL[0]: _DAY,
    INTERVAL[1]: re.compile(r"\d\d:\d\d:\d\d|$"),
    INTERVAL[2]: _NUMBER,
}
_GROUP: Final = "qsg"
_TEXTS: Final = frozenset({FieldType.EBCDIC, FieldType.BYTES})


class Shape(NamedTuple):
    """A variant of the printed rows of a structure."""

    layout: Layout
    headings: tuple[str, ...]


def file_hint(name: str) -> str | None:
    """Return the structure in a file name: QJST of ``SMF-QJST.csv``; ``None`` without one."""
    match = _FILE_NAME.search(name)
    return f"SMF-{match[1]}.csv" if match and structure_called(match[1]) else None


def shape_of(line: str, file_name: str) -> Shape | None:
    """Return the shape of a first row without headings; None when none fits, or several do."""
    cells = [cell for cell in _CELL.findall(line.rstrip("\r\n")) if cell]
    fitting = [shape for shape in _shapes() if _fits(shape, cells)]
    match = _FILE_NAME.search(file_name)
    named = structure_called(match[1]) if match else None
    if named is not None:
        fitting = [shape for shape in fitting if shape.layout is named]
    words = [_words(shape, cells) for shape in fitting]
    best = [shape for shape, count in zip(fitting, words, strict=True) if count == min(words)]
    return best[0] if len(best) == 1 else None


def _words(shape: Shape, cells: Sequence[str]) -> int:
    """Return the number of cells with a word where a number is usual: some codes are printed so."""
    numbers = _kinds(shape.layout)[1]
    pairs = zip(shape.headings, cells, strict=True)
    return sum(cell.endswith('"') for heading, cell in pairs if heading in numbers)


def _fits(shape: Shape, cells: Sequence[str]) -> bool:
    if len(cells) != len(shape.headings):
        return False
    texts, numbers = _kinds(shape.layout)
    return all(
        _cell_fits(heading, cell, texts, numbers)
        for heading, cell in zip(shape.headings, cells, strict=True)
    )


def _cell_fits(heading: str, cell: str, texts: frozenset[str], numbers: frozenset[str]) -> bool:
    plain = cell.removeprefix("=").strip('"')
    if heading in _LEADING_SHAPES:
        return _LEADING_SHAPES[heading].match(plain) is not None
    if heading in texts:
        return cell.endswith('"')
    if heading in numbers:
        return cell.endswith('"') or _NUMBER.match(plain) is not None
    return not heading.endswith("date") or _DAY.match(plain) is not None


@lru_cache(maxsize=64)
def _kinds(layout: Layout) -> tuple[frozenset[str], frozenset[str]]:
    """Return plain headings of text fields, and of those that are one number."""
    keys: dict[bool, set[str]] = {True: set(), False: set()}
    for field in column_fields(layout):
        key = key_of(field)
        if key is not None and field.type is FieldType.TIMEVAL:
            keys[False] |= {key, f"{key}s", f"{key}us"}
        elif key is not None and field.type is not FieldType.STCK:
            keys[field.type in _TEXTS].add(key)
    return frozenset(keys[True]), frozenset(keys[False])


@lru_cache(maxsize=1)
def _shapes() -> tuple[Shape, ...]:
    entries = printed_columns().items()
    return tuple(dict.fromkeys(shape for entry in entries for shape in _of(*entry)))


def _of(name: str, order: dict[str, Any]) -> Iterator[Shape]:
    layout = structure_called(name)
    if layout is None:
        return
    columns: list[str] = order["columns"]
    for own in (columns, _in_sql_mode(columns)):
        for leading in (LEADING, tuple(name for name in LEADING if name != _GROUP)):
            interval = INTERVAL if order["interval"] else ()
            yield Shape(layout, (*leading, *interval, *own))


def _in_sql_mode(columns: Sequence[str]) -> list[str]:
    """Return the columns without the seconds of durations, which SQL mode does not print."""
    names = set(columns)
    return [name for name in columns if not (name.endswith("s") and f"{name[:-1]}us" in names)]
