"""Names of the formatter mqsmfcsv: the structure of a file, and the field of a value.

Headings (``IO_Total_Time{1.1}(US)``) and JSON keys (``ioTotalTimeUS``) are compared in lower case
without punctuation (``iototaltime11us``). A landed file has lost its name, so the headings alone
decide; those of the structures all differ.

Without headings (``-h no``, and SQL mode) the first row must fit one structure by number, and by
kind, of its cells; where several fit, the name that the formatter gives its files
(``SMF-QCTSSL.csv``) decides. ``columns.json`` has the headings of each structure in the order in
which the formatter prints them, as plain keys, and whether interval columns come before them. SQL
mode prints a duration as one number of microseconds. Older formatters print no queue sharing group.
"""

import json
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from mqcap.ingest.smf.decode import column_fields
from mqcap.ingest.smf.kinds import MQ_STATISTICS, Kind, decoded_kinds
from mqcap.ingest.smf.layout import Field, FieldType, Layout, layouts

LEADING: Final = ("date", "time", "lpar", "qmgr", "qsg", "mqversion")
INTERVAL: Final = ("intervalstartdate", "intervalstarttime", "intervalduration")
SECTION_INDEX: Final = "taskindex"
"""Printed for the tasks of the channel initiator: the position of the section."""
_STRUCTURE: Final = "structure"
OWN_STRUCTURE: Final = "own structure"
"""The field of this name of a JSON object that has the key of the block's name twice."""
_OF_NO_FIELD: Final = frozenset({*LEADING, *INTERVAL, SECTION_INDEX, ""})
_UNKNOWN_MAX_RATIO: Final = 0.5
"""The share of headings that may be unknown for the structure."""
_PARTS: Final = ("", "s", "us", "date", "time")
"""Suffixes of the name of a field: seconds and microseconds, day and clock, or none."""
_ALIASES: Final = {"WQ": "WQST"}
_COLUMNS: Final = Path(__file__).with_name("columns.json")
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


def plain(heading: str) -> str:
    """Return a heading or key without case, blanks and punctuation."""
    return re.sub(r"[^a-z0-9]", "", heading.lower())


@lru_cache(maxsize=4096)
def key_of(field: Field) -> str | None:
    """Return the plain heading of a field (log I/O: copy and type from 1); None if not printed."""
    if field.csv_column is None:
        return None
    places = [str(int(place) + 1) for place in re.findall(r"\[(\d+)\]", field.name)]
    return plain(field.csv_column) + ("".join(places) if len(places) == 2 else "")


@lru_cache(maxsize=64)
def keys_of(layout: Layout) -> frozenset[str]:
    """Return all plain headings that may be in a file of a structure."""
    keys = {key_of(field) for field in column_fields(layout)}
    return frozenset(f"{key}{part}" for key in keys if key for part in _PARTS)


@lru_cache(maxsize=1)
def printed_columns() -> dict[str, dict[str, Any]]:
    """Return, by the formatter's name of each structure, its plain headings in order."""
    printed: dict[str, dict[str, Any]] = json.loads(_COLUMNS.read_text(encoding="utf-8"))
    return printed


@lru_cache(maxsize=64)
def _headings_of(layout: Layout) -> frozenset[str]:
    """Return all plain headings of a structure, also those of which no field is read."""
    printed = (
        columns["columns"]
        for name, columns in printed_columns().items()
        if _ALIASES.get(name, name) == layout.name
    )
    return keys_of(layout).union(*printed)


def structure_called(name: str) -> Layout | None:
    """Return the structure of a JSON object; None for one that is not printed by the formatter."""
    layout = layouts().get(_ALIASES.get(name.strip(), name.strip()))
    return layout if layout is not None and keys_of(layout) else None


def structure_of(headings: Iterable[str]) -> Layout | None:
    """Return the structure whose file has these plain headings; None when there is none.

    The headings of an older formatter are some of today's, so of the structures that know most
    of them the one with the fewest others is taken. A few headings belong to no field.
    """
    own = set(headings) - _OF_NO_FIELD
    unknown_counts = {layout: len(unknown_of(layout, own)) for layout in layouts().values()}
    best = min(
        unknown_counts, key=lambda layout: (unknown_counts[layout], len(_headings_of(layout)))
    )
    return best if unknown_counts[best] < _UNKNOWN_MAX_RATIO * len(own) else None


def unknown_of(layout: Layout, headings: Iterable[str]) -> set[str]:
    """Return the plain headings that a structure does not have."""
    return set(headings) - _headings_of(layout) - _OF_NO_FIELD


@lru_cache(maxsize=64)
def kind_of(layout: Layout) -> Kind:
    """Return the first kind of record that holds a structure; QPST moved to 115.215 with MQ 8.0."""
    kinds = sorted(kind for kind, places in decoded_kinds().items() if layout in places.values())
    return kinds[-1] if kinds[0].record_type == MQ_STATISTICS else kinds[0]


def is_signed(field: Field) -> bool:
    """Return whether -1 may be a value and not only the formatter's sign of an absent field."""
    return field.type in {FieldType.I16, FieldType.I32, FieldType.I64}


def flattened(row: Iterable[tuple[str, object]]) -> dict[str, str]:
    """Return a JSON object by plain keys; arrays of log I/O become four values with their index.

    ``structure`` is the name of the block. Blocks of QESD have the key twice: the other one is the
    name of the coupling facility structure.
    """
    cells: dict[str, str] = {}
    for name, value in row:
        key = plain(name)
        if key == _STRUCTURE and key in cells:
            is_block = structure_called(cells[key]) is not None
            block, other = (cells[key], str(value)) if is_block else (str(value), cells[key])
            cells |= {key: block, OWN_STRUCTURE: other}
        elif isinstance(value, list):
            base, part = _split(key)
            for index, entry in enumerate(value):
                cells[f"{base}{index // 2 + 1}{index % 2 + 1}{part}"] = str(entry)
        else:
            cells[key] = "" if value is None else str(value)
    return cells


def _split(key: str) -> tuple[str, str]:
    """Return a plain key and the part that follows the name of the field."""
    for part in ("us", "date", "time"):
        base = key.removesuffix(part)
        if base != key and f"{base}11" in keys_of(layouts()["QJST"]):
            return base, part
    return key, ""


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
    words = {shape: _words(shape, cells) for shape in fitting if named in {None, shape.layout}}
    best = [shape for shape, count in words.items() if count == min(words.values())]
    return best[0] if len(best) == 1 else None


def _words(shape: Shape, cells: Sequence[str]) -> int:
    """Return the number of cells with a word where a number is usual: some codes are printed so."""
    numbers = _kinds(shape.layout)[1]
    pairs = zip(shape.headings, cells, strict=True)
    return sum(cell.endswith('"') for heading, cell in pairs if heading in numbers)


def _fits(shape: Shape, cells: Sequence[str]) -> bool:
    pairs = zip(shape.headings, cells, strict=False)
    return len(cells) == len(shape.headings) and all(
        _cell_fits(heading, cell, *_kinds(shape.layout)) for heading, cell in pairs
    )


def _cell_fits(heading: str, cell: str, texts: frozenset[str], numbers: frozenset[str]) -> bool:
    text = cell.removeprefix("=").strip('"')
    if heading in _LEADING_SHAPES:
        return _LEADING_SHAPES[heading].match(text) is not None
    if heading in texts:
        return cell.endswith('"')
    if heading in numbers:
        return cell.endswith('"') or _NUMBER.match(text) is not None
    return not heading.endswith("date") or _DAY.match(text) is not None


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
    """Return every shape of every structure; equal ones once."""
    shapes: dict[Shape, None] = {}
    for name, order in printed_columns().items():
        layout, columns = structure_called(name), order["columns"]
        if layout is None:
            continue
        interval = INTERVAL if order["interval"] else ()
        for own in (columns, _in_sql_mode(columns)):
            for leading in (LEADING, tuple(name for name in LEADING if name != _GROUP)):
                shapes[Shape(layout, (*leading, *interval, *own))] = None
    return tuple(shapes)


def _in_sql_mode(columns: Sequence[str]) -> list[str]:
    """Return the columns without the seconds of durations, which SQL mode does not print."""
    names = set(columns)
    return [name for name in columns if not (name.endswith("s") and f"{name[:-1]}us" in names)]
