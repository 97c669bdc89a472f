"""Output of the formatter mqsmfcsv as a source: CSV (one structure per file) and JSON.

The rows get the datasets of the dump itself. Three things are lost in print: the UTC offset of
the system (given by ``zones``; a system that is not in it is taken to run in UTC), codes
that are printed as words (null here), and the record hash (see ``mqcap.ingest.mqsmfcsv.rows``).

CSV quirks undone here: the empty last column, ``="100000"`` around text that looks like a number,
and rows of 115.5, 6 and 7 that have three columns more or fewer than the headings when one file
holds several product levels (their cells are counted from the right; such JSON stays wrong).
"""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final

import pyarrow as pa

from mqcap.domain.datasets import QUARANTINE
from mqcap.domain.errors import InputError
from mqcap.ingest.json_documents import JsonDocument
from mqcap.ingest.mqsmfcsv.names import (
    INTERVAL,
    LEADING,
    OWN_STRUCTURE,
    flattened,
    plain,
    shape_of,
    structure_called,
    structure_of,
    unknown_of,
)
from mqcap.ingest.mqsmfcsv.rows import RowMaker
from mqcap.ingest.smf.layout import Layout
from mqcap.ingest.smf.quarantine import AlikeProblems
from mqcap.ingest.text_reading import TextInput, TextReading

ROWS_PER_TABLE: Final = 5_000
_OBJECT: Final = frozenset({"recordType", "recordSubType"})
_ROW: Final = re.compile(r'\s*"\d{4}/\d\d/\d\d","?\d\d:\d\d:\d\d')


@dataclass
class _FormatterReading(TextReading):
    maker: RowMaker = field(init=False)
    decoded_bytes: int = 0
    quarantined: AlikeProblems = field(default_factory=AlikeProblems)
    lost: Counter[str] = field(default_factory=Counter)
    unzoned: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.maker = RowMaker(self.file_sha256, self.zones)

    @property
    def framing(self) -> str:
        return "json" if self.text.is_json else "csv"

    def tables(self) -> Iterator[tuple[str, pa.Table]]:
        """Yield tables of at most 5,000 rows; raises InputError where no row can be assigned."""
        printed = (
            json_rows(self.text.documents())
            if self.text.is_json
            else csv_rows(self.text.lines(), self.name)
        )
        yield from self.in_tables(filter(None, map(self._row, printed)), ROWS_PER_TABLE)
        if not self.rows:
            raise self._unusable()

    @property
    def record_count(self) -> int:
        return self.rows.total() - self.rows[QUARANTINE.name]

    def _row(self, printed: Printed) -> tuple[str, dict[str, Any]] | None:
        """Return dataset and row of one line or object; None when there is nothing to keep."""
        if printed.problem:
            return self._quarantine(printed, printed.problem)
        if printed.layout is None or printed.cells is None:
            self.lost[printed.lost] += 1
            return None
        try:
            row = self.maker.row(printed.layout, printed.cells, printed.offset)
        except (ValueError, KeyError, OverflowError) as error:
            return self._quarantine(printed, f"a row that cannot be read ({error})")
        self.decoded_bytes += _size(printed.text)
        if row["smfid"] not in self.maker.zones:
            self.unzoned.add(row["smfid"])
        if row["interval_start_utc"] is not None:
            self.note_dates(row["interval_start_utc"], row["interval_end_utc"])
        return printed.layout.dataset, row

    def _quarantine(self, printed: Printed, reason: str) -> tuple[str, dict[str, Any]]:
        self.quarantined.add(reason, lambda: f"{self.name}: line {printed.line_number}: {reason}.")
        return self.quarantined_row(printed.offset, _size(printed.text), printed.text, reason)

    def problems(self) -> Iterator[str]:
        yield from super().problems()
        yield from self.quarantined.sentences()
        for reason, count in sorted(self.lost.items()):
            if reason:
                yield f"{count} times {reason}: skipped."
        if self.unzoned:
            yield (
                f"The time zone of {', '.join(sorted(self.unzoned))} is not known (settings:"
                " estate): times of the formatter are local and were taken for UTC."
            )
        if shifts := sorted(self.maker.shifts - {timedelta(0)}):
            hours = ", ".join(f"{shift / timedelta(hours=1):+g}" for shift in shifts)
            yield (
                f"The formatter had shifted times by {hours} hours, the zone of the machine it ran"
                " on; that was undone. Run it with -g yes."
            )

    def _unusable(self) -> InputError:
        if self.text.is_json:
            return self.unusable(
                "JSON of mqsmfcsv of which no object can be used",
                found="; ".join(filter(None, self.lost)),
                expected="objects with the name of a structure that holds figures",
                remedy="Send the files as the formatter wrote them, or the dump.",
            )
        return self.unusable(
            "a CSV file of mqsmfcsv that cannot be assigned to a structure",
            found="headings that no structure has, or no rows"
            if _has_headings(self.text.first_line.split(","))
            else "no headings, and a first row that fits no structure or several",
            expected="headings in the first line, or the name that the formatter gave the file"
            " (SMF-QJST.csv)",
            remedy="Run the formatter without -h no, keep its file names, or send the dump.",
        )


def _size(text: str) -> int:
    return len(text.encode()) + 1


def _has_headings(cells: Sequence[str]) -> bool:
    return tuple(map(plain, cells[:4])) == LEADING[:4]


SOURCE: Final = TextInput(
    name="formatter",
    order=10,
    title="output of mqsmfcsv",
    description="CSV or JSON of mqsmfcsv",
    recognises=lambda text: (
        _has_headings(text.first_line.split(",")) or _ROW.match(text.first_line) is not None
    ),
    recognises_json=lambda text: text.keys >= _OBJECT,
    begin=_FormatterReading,
)


_STRUCTURE: Final = '"structure"'
_PAIRS: Final = json.JSONDecoder(object_pairs_hook=list, strict=False)
"""Blocks with the name of a coupling facility structure have that key twice."""
_LEFT_OVER: Final = len(INTERVAL)
_DAY: Final = re.compile(r"\d{4}.\d\d.\d\d$|$")


@dataclass(frozen=True)
class Printed:
    """A printed row, or why there is none; neither for headings, blanks, structures not decoded."""

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
        if _has_headings(cells):
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
