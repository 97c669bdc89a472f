"""The files of mqsmfcsv as rows of cells: CSV line by line, JSON object by object.

CSV quirks undone here: the empty last column, ``="100000"`` around text that looks like a number,
and rows of 115.5, 6 and 7 that have three columns more or fewer than the headings when one file
holds records of several product levels (their cells are counted from the right-hand side;
such JSON objects cannot be put right).
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from mqcap.ingest.json_documents import JsonDocument
from mqcap.ingest.mqsmfcsv.headless import shape_of
from mqcap.ingest.mqsmfcsv.names import (
    INTERVAL,
    LEADING,
    OWN_STRUCTURE,
    flattened,
    plain,
    structure_called,
    structure_of,
    unknown_of,
)
from mqcap.ingest.smf.layout import Layout

_STRUCTURE: Final = '"structure"'
_PAIRS: Final = json.JSONDecoder(object_pairs_hook=list, strict=False)
"""Blocks with the name of a coupling facility structure have that key twice."""
_LEFT_OVER: Final = len(INTERVAL)
_DAY: Final = re.compile(r"\d{4}.\d\d.\d\d$|$")


@dataclass(frozen=True)
class Printed:
    """A printed row; ``layout`` is None when the text is none, and ``problem`` is the reason.

    Without layout and problem they are headings, blanks or a structure that we do not decode.
    """

    line_number: int
    offset: int
    """Bytes in front of it, as UTF-8."""
    text: str
    layout: Layout | None = None
    cells: dict[str, str] | None = None
    problem: str = ""
    lost: str = ""
    """Reason why a sound row gives nothing; empty where it gives a row."""


def csv_rows(lines: Iterable[str], file_name: str = "") -> Iterator[Printed]:
    """Yield every line of a CSV file; its first line has the headings or implies them."""
    headings: list[str] = []
    layout: Layout | None = None
    offset = 0
    for number, line in enumerate(lines, start=1):
        cells = _cells(line)
        place = number, offset, line
        offset += len(line.encode()) + 1
        if [plain(cell) for cell in cells[:4]] == list(LEADING[:4]):
            headings = [plain(cell) for cell in cells]
            layout = structure_of(headings)
            unknown = unknown_of(layout, headings) if layout else ()
            named = ", ".join(cell for cell in cells if plain(cell) in unknown)
            yield Printed(*place, lost=f"columns that are not known ({named})" if named else "")
            continue
        if layout is None and number == 1 and (shape := shape_of(line, file_name)):
            layout, headings = shape.layout, list(shape.headings)
        if not any(cells) or layout is None:
            yield Printed(*place)
        elif (row := _matched(headings, cells)) is None:
            problem = f"a line of {len(cells)} cells under {len(headings)} headings"
            yield Printed(*place, problem=problem)
        else:
            yield Printed(*place, layout, row)


def json_rows(found: Iterable[JsonDocument]) -> Iterator[Printed]:
    """Yield every object of a JSON file."""
    for document in found:
        place = document.line_number, document.offset, document.text
        value = document.value
        if not isinstance(value, dict):
            yield Printed(*place, problem=f"no JSON object ({document.problem or 'a text'})")
        elif not isinstance(value.get("structure"), str):
            yield Printed(*place, problem="an object without a structure")
        else:
            yield _object(place, value)


def _object(place: tuple[int, int, str], value: dict[str, Any]) -> Printed:
    """Return the row of one object."""
    pairs: list[tuple[str, Any]] = list(value.items())
    if place[2].count(_STRUCTURE) > 1:
        pairs = _PAIRS.raw_decode(place[2])[0]
    cells = flattened(pairs)
    if INTERVAL[0] in cells and not _DAY.match(cells[INTERVAL[0]]):
        return Printed(*place, lost="an object whose values are under wrong names")
    layout = structure_called(cells["structure"])
    if OWN_STRUCTURE in cells:
        cells["structure"] = cells.pop(OWN_STRUCTURE)
    return Printed(*place, layout, cells, lost="" if layout else "an unknown structure")


def _cells(line: str) -> list[str]:
    """Return the cells of a line, without guards and the empty one behind the last comma."""
    try:
        cells = next(csv.reader([line]), [])
    except csv.Error:
        cells = line.split(",")
    if cells and not cells[-1]:
        cells.pop()
    return [cell.removeprefix('="').removesuffix('"') for cell in cells]


def _matched(headings: list[str], cells: list[str]) -> dict[str, str] | None:
    """Return cells by heading; None when their numbers do not fit."""
    extra = len(cells) - len(headings)
    if extra == 0:
        return dict(zip(headings, cells, strict=True))
    leading = sum(name in LEADING for name in headings)
    if abs(extra) != _LEFT_OVER or len(cells) < leading:
        return None
    own = [name for name in headings if name not in {*LEADING, *INTERVAL}]
    front = dict(zip(headings[:leading], cells, strict=False))
    return front | dict(zip(own, cells[-len(own) :], strict=True))
