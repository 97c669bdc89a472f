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
from typing import Final

from mqcap.ingest.mqsmfcsv.headless import Shape, shape_of
from mqcap.ingest.mqsmfcsv.names import (
    INTERVAL,
    LEADING,
    flattened,
    plain,
    structure_called,
    structure_of,
)
from mqcap.ingest.smf.layout import Layout

LONGEST_OBJECT_BYTES: Final = 1 << 20
_CODE_PAGE: Final = "latin-1"
_LEFT_OVER: Final = len(INTERVAL)
_DAY: Final = re.compile(r"\d{4}.\d\d.\d\d$|$")
_STRAY: Final = b"[], \r\n\t"


@dataclass(frozen=True)
class Printed:
    """A printed row; ``layout`` is None when the bytes are none, and ``problem`` is the reason.

    Without layout and problem they are headings, blanks or a structure that we do not decode.
    """

    byte_offset: int
    raw: bytes
    layout: Layout | None = None
    cells: dict[str, str] | None = None
    problem: str = ""
    lost: str = ""
    """Reason why a sound row gives nothing; empty where it gives a row."""


def csv_rows(lines: Iterable[bytes], file_name: str = "") -> Iterator[Printed]:
    """Yield every line of a CSV file; its first line has the headings or implies them."""
    headings: list[str] = []
    layout: Layout | None = None
    offset = 0
    for raw in lines:
        cells = _cells(raw)
        if [plain(cell) for cell in cells[:4]] == list(LEADING[:4]):
            headings = [plain(cell) for cell in cells]
            layout = structure_of(headings)
            yield Printed(offset, raw)
            offset += len(raw)
            continue
        if layout is None and offset == 0 and (shape := _implied_shape(raw, file_name)):
            layout, headings = shape.layout, list(shape.headings)
        if not any(cells) or layout is None:
            yield Printed(offset, raw)
        elif (row := _matched(headings, cells)) is None:
            problem = f"a line of {len(cells)} cells under {len(headings)} headings"
            yield Printed(offset, raw, problem=problem)
        else:
            yield Printed(offset, raw, layout, row)
        offset += len(raw)


def json_rows(lines: Iterable[bytes]) -> Iterator[Printed]:
    """Yield every object of a JSON file: one per line or spread over lines, one after another."""
    offset, depth = 0, 0
    raw = b""
    for line in lines:
        raw += line
        depth += line.count(b"{") - line.count(b"}")
        if depth <= 0 or len(raw) > LONGEST_OBJECT_BYTES:
            yield _object(offset, raw)
            offset, depth, raw = offset + len(raw), 0, b""
    if raw:
        yield _object(offset, raw)


def _implied_shape(raw: bytes, file_name: str) -> Shape | None:
    """Return the columns of a file whose first line is no heading."""
    return shape_of(raw.decode(_CODE_PAGE).replace("\0", " "), file_name)


def _object(offset: int, raw: bytes) -> Printed:
    """Return the row of one object."""
    text = raw.strip(_STRAY)
    if not text:
        return Printed(offset, raw)
    try:
        document = json.loads(text.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return Printed(offset, raw, problem="no JSON object")
    if not isinstance(document, dict) or "structure" not in document:
        return Printed(offset, raw, problem="an object without a structure")
    cells = flattened(document)
    if INTERVAL[0] in cells and not _DAY.match(cells[INTERVAL[0]]):
        return Printed(offset, raw, lost="an object whose values are under wrong names")
    layout = structure_called(str(document["structure"]))
    return Printed(offset, raw, layout, cells, lost="" if layout else "an unknown structure")


def _cells(raw: bytes) -> list[str]:
    """Return the cells of a line, without guards and the empty one behind the last comma."""
    line = raw.decode(_CODE_PAGE).replace("\0", " ").rstrip("\r\n")
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
