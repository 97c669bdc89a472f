"""Comparing decoded rows with the CSV that IBM's formatter mqsmfcsv prints for the same dump.

The formatter's own ways: every line ends with a comma; times are two columns (DATE), (TIME) and
durations two columns (S), (US); a field that the record lacks is -1, dots or 1970; text that
looks like a number is written ="..."; codes are printed as words, which cannot be compared.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final

import pyarrow as pa

from mqcap.ingest.smf.decode import column_fields
from mqcap.ingest.smf.layout import Field, FieldType, Layout, layouts
from tests.mqcap.ingest.truth import Comparison

STRUCTURE_OF: Final = {"WQ": "WQST"}
"""Files whose name is not that of the structure."""
PRINTED_OTHERWISE: Final = frozenset(
    {"qesdbfbt", "getminms", "putminms", "qcstetmn", "wtaslown", "qsphdspnm"}
)
"""The high word only (QESD); "no value yet" as -1 or 0; zeros as digits; a flag printed there."""
IN_TOD_UNITS: Final = frozenset({"qjstslptu"})
_LEFT_OVER: Final = frozenset({"QSPH", "QSGM", "QSRS"})
"""The interval columns of these are left over from another record."""


def compare_csv(tables: Mapping[str, pa.Table], name: str, lines: Iterable[str]) -> Comparison:
    """Compare one CSV (``SMF-<name>.csv``) with the rows of its structure."""
    layout = layouts()[STRUCTURE_OF.get(name, name)]
    printed = [_cells(row) for row in csv.DictReader(lines)]
    rows = tables[layout.dataset].to_pylist()
    count, mismatches = 0, []
    if len(printed) != len(rows):
        mismatches.append(f"{name}: {len(rows)} rows, {len(printed)} printed")
    for row, cells in zip(rows, printed, strict=False):
        for what, result, wanted in _pairs(layout, row, cells):
            count += 1
            if result != wanted:
                mismatches.append(f"{name}.{what}: {result!r}, printed {wanted!r}")
    return Comparison(count, mismatches)


def _cells(row: Mapping[str, str | None]) -> dict[str, str]:
    """Cells by heading, without the guard of numbers; the empty last column is dropped."""
    return {
        heading: (cell or "").removeprefix('="').removesuffix('"')
        for heading, cell in row.items()
        if heading
    }


def _pairs(
    layout: Layout, row: Mapping[str, Any], cells: Mapping[str, str]
) -> Iterator[tuple[str, Any, Any]]:
    """Name, decoded and printed value of all that can be compared."""
    yield "smfid", row["smfid"], cells["LPAR"].rstrip()
    yield "qmgr", row["qmgr"], cells["QMgr"].rstrip()
    if "Interval_Duration" in cells and layout.name not in _LEFT_OVER:
        yield "seconds", int(row["interval_seconds"]), int(cells["Interval_Duration"])
    for field in column_fields(layout):
        if field.csv_column is not None and field.column not in PRINTED_OTHERWISE:
            printed = _printed(field, cells)
            if printed is not _UNCOMPARABLE:
                yield field.column, _in_its_form(field, row[field.column], printed), printed


_UNCOMPARABLE: Final = object()


def _printed(field: Field, cells: Mapping[str, str]) -> Any:
    """The printed value of a field, in the form of our column."""
    heading = _heading(field)
    if field.type is FieldType.STCK:
        return _time(cells, heading)
    if field.type is FieldType.TIMEVAL and f"{heading}(S)" in cells:
        seconds, microseconds = int(cells[f"{heading}(S)"]), int(cells[f"{heading}(US)"])
        return -1 if microseconds < 0 else seconds * 1_000_000 + microseconds
    cell = cells.get(heading, cells.get(heading.replace("{", " {"), "")).strip()
    if field.type in {FieldType.EBCDIC, FieldType.BYTES}:
        return cell.rstrip(" .") if field.type is FieldType.EBCDIC else cell.lower()
    try:
        return int(cell)
    except ValueError:
        return _UNCOMPARABLE


def _heading(field: Field) -> str:
    """The heading of a field; those of the log I/O array carry copy and type."""
    places = [str(int(place) + 1) for place in re.findall(r"\[(\d+)\]", field.name)]
    return (field.csv_column or "") + (f"{{{'.'.join(places)}}}" if len(places) == 2 else "")


def _time(cells: Mapping[str, str], heading: str) -> Any:
    """A time of two columns; None when it is not set or the record has no such field."""
    if f"{heading} (DATE)" not in cells:
        return _UNCOMPARABLE
    day, clock = cells[f"{heading} (DATE)"], cells[f"{heading} (TIME)"]
    if not day or day == "1970/01/01":
        return None
    return datetime.strptime(f"{day} {clock}", "%Y/%m/%d %H:%M:%S,%f").replace(tzinfo=UTC)


def _in_its_form(field: Field, value: Any, printed: Any) -> Any:
    """Our value as the formatter shows it."""
    if value is None and isinstance(printed, int):
        return -1
    if value is None and isinstance(printed, str):
        return ""
    if field.type is FieldType.TIMEVAL:
        return int(value * (4096 if field.column in IN_TOD_UNITS else 1))
    if field.type is FieldType.EBCDIC:
        return value.replace("\\", ".").strip(" ").rstrip(" .")
    return value
