"""Decoded rows of dumps against what they were written from, IBM's formatter and sound dumps.

The formatter's own ways: every line ends with a comma; times are two columns (DATE), (TIME) and
durations two columns (S), (US); a field that the record lacks is -1, dots or 1970; text that
looks like a number is written ="..."; codes are printed as words, which cannot be compared.
"""

import csv
import gzip
import json
import re
import tarfile
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

import pyarrow as pa

from mqcap.ingest.smf.decode import column_fields
from mqcap.ingest.smf.layout import Field, FieldType, Layout, column_name, layouts
from tests.mqcap.ingest.reading import is_accounted, read_all
from tests.shared import shared_dir

TRUTHS: Final = {
    "mini.rdw.smf": "mini.truth.jsonl.gz",
    "mini.rdwseg.smf": "mini.truth.jsonl.gz",
    "mini.bdw.smf": "mini.truth.jsonl.gz",
    "mini.nordw.smf": "mini.truth.jsonl.gz",
    "mini_cf.rdw.smf": "mini_cf.truth.jsonl.gz",
    "mini_cf.bdw.smf": "mini_cf.truth.jsonl.gz",
    "mini_cf.nordw.smf": "mini_cf.truth.jsonl.gz",
    "sample_3d.rdw.smf.gz": "sample_3d.cf.jsonl.gz",
}
PRINTED: Final = {
    "real/TEST115.dat.gz": "real/TEST115.csv.tar.gz",
    "real/TEST116.dat.gz": "real/TEST116.csv.tar.gz",
    "real/TESTCHL.dat.gz": "real/TESTCHL.csv.tar.gz",
    "mini.rdw.smf": "expected/mini.csv",
    "sample_3d.rdw.smf.gz": "expected/sample_3d.csv.tar.gz",
}
SHIFTED_BY_MIXED_LEVELS: Final = frozenset({"QSPH", "QSGM", "QSRS"})
"""With two levels in one file, the formatter prints these under the wrong headings."""
OWN_PLACE: Final = frozenset({"record_offset_bytes", "file_sha256"})
"""Columns that differ between a sound dump and a damaged copy."""
STRUCTURE_OF: Final = {"WQ": "WQST"}
"""Files whose name is not that of the structure."""
PRINTED_OTHERWISE: Final = frozenset(
    {"qesdbfbt", "getminms", "putminms", "qcstetmn", "wtaslown", "qsphdspnm"}
)
"""The high word only (QESD); "no value yet" as -1 or 0; zeros as digits; a flag printed there."""
IN_TOD_UNITS: Final = frozenset({"qjstslptu"})
_LEFT_OVER: Final = frozenset({"QSPH", "QSGM", "QSRS"})
"""The interval columns of these are left over from another record."""

Tables = Mapping[str, pa.Table]
Row = Mapping[str, Any]
Pairs = Iterator[tuple[str, Any, Any]]
"""Name, decoded and wanted value."""


class Comparison(NamedTuple):
    """Number of fields compared, and those that differ."""

    fields: int
    mismatches: list[str]


def _compared(
    tables: Tables,
    wanted: Mapping[str, Sequence[Row]],
    pairs: Callable[[Layout, Row, Any], Pairs],
) -> Comparison:
    """Compare all rows of some structures, and that there are no further ones."""
    count, mismatches = 0, []
    for structure, expected in wanted.items():
        layout = layouts()[STRUCTURE_OF.get(structure, structure)]
        rows = tables[layout.dataset].to_pylist()
        if len(rows) != len(expected):
            mismatches.append(f"{structure}: {len(rows)} rows, {len(expected)} wanted")
        for row, other in zip(rows, expected, strict=False):
            for name, found, value in pairs(layout, row, other):
                count += 1
                if found != value:
                    mismatches.append(f"{structure}.{name}: {found!r}, wanted {value!r}")
    return Comparison(count, mismatches)


def _tables(path: Path) -> Tables:
    tables, summary = read_all(path)
    assert is_accounted(summary)
    return tables


def comparisons(printed_as: Mapping[str, str] = PRINTED) -> Iterator[tuple[str, Comparison]]:
    """Name and result of every comparison that this machine has the data for."""
    shared = shared_dir()
    if shared is None:
        return
    samples = shared / "data" / "smf"
    for dump, truth in TRUTHS.items():
        path = samples / dump
        yield f"{dump} / written values", written(_tables(path), path.parent / "expected" / truth)
    for dump, csv_file in printed_as.items():
        yield f"{dump} / formatter", printed(_tables(samples / dump), samples / csv_file)
    for name, result in damaged(samples / "mini.rdw.smf"):
        yield f"mini.rdw.smf {name} / sound rows", result


def written(tables: Tables, truth_file: Path) -> Comparison:
    """Compare with the values that a synthetic dump was written from."""
    truths: dict[str, list[Row]] = defaultdict(list)
    with gzip.open(truth_file, "rt") as lines:
        for line in lines:
            row = json.loads(line)
            truths[row["struct"]].append(row)
    return _compared(tables, truths, _written_pairs)


def printed(tables: Tables, path: Path) -> Comparison:
    """Compare with all CSV files of the formatter for one dump: a folder or an archive."""
    left_out = SHIFTED_BY_MIXED_LEVELS if path.is_dir() else ()
    cells = {
        structure: [_cells(row) for row in csv.DictReader(lines)]
        for structure, lines in csv_files(path)
        if structure not in left_out
    }
    return _compared(tables, cells, _printed_pairs)


def csv_files(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Structure and lines of every CSV in a folder or archive."""
    if path.is_dir():
        for file in sorted(path.glob("*.csv")):
            yield file.stem.removeprefix("SMF-"), file.read_text("latin-1").splitlines()
        return
    with tarfile.open(path) as members:
        for member in members:
            content = members.extractfile(member) if member.name.endswith(".csv") else None
            if content is not None:
                lines = content.read().decode("latin-1").splitlines()
                yield Path(member.name).stem.removeprefix("SMF-"), lines


def damaged(path: Path) -> Iterator[tuple[str, Comparison]]:
    """Damaged copies of a dump: every row that they still give is one of the sound dump."""
    content, sound = path.read_bytes(), _by_identity(_tables(path))
    middle = len(content) // 2
    copies = {
        "cut": content[:middle],
        "with a hole": content[:middle] + bytes(900) + content[middle + 900 :],
        "with bytes inserted": content[:middle] + b"\r\n" * 7 + content[middle:],
        "with bytes lost": content[:middle] + content[middle + 333 :],
        "with a wrong length": _with_wrong_length(content),
        "without its beginning": content[7_777:],
    }
    for name, copy in copies.items():
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "copy.smf"
            file.write_bytes(copy)
            yield name, _among(sound, _tables(file))


def whole(values: Iterable[tuple[str, Comparison]]) -> Comparison:
    """Several comparisons as one."""
    every = [comparison for _, comparison in values]
    mismatches = [text for item in every for text in item.mismatches]
    return Comparison(sum(item.fields for item in every), mismatches)


def _with_wrong_length(content: bytes) -> bytes:
    """The third record says that it is longer than it is."""
    at = 0
    for _ in range(2):
        at += int.from_bytes(content[at : at + 2], "big")
    length = int.from_bytes(content[at : at + 2], "big") + 77
    return content[:at] + length.to_bytes(2, "big") + content[at + 2 :]


Identity = tuple[str, int, int]


def _by_identity(tables: Tables) -> dict[Identity, dict[str, object]]:
    return {
        (dataset, row["record_hash"], row["section_index"]): row
        for dataset, table in tables.items()
        if dataset != "quarantine"
        for row in table.to_pylist()
    }


def _among(sound: Mapping[Identity, Mapping[str, object]], tables: Tables) -> Comparison:
    """Every row with its sound counterpart, field by field; a time that became unknown is none."""
    count, mismatches = 0, []
    for identity, row in _by_identity(tables).items():
        original = sound.get(identity)
        for name, value in row.items():
            if name in OWN_PLACE:
                continue
            count += 1
            wanted = original[name] if original else "no such row"
            lost = value is None and name.startswith(("interval_", "utc_", "record_utc"))
            if value != wanted and not lost:
                mismatches.append(f"{identity} {name}: {value!r}, not {wanted!r}")
    return Comparison(count, mismatches)


def _written_pairs(layout: Layout, row: Row, truth: Row) -> Iterator[tuple[str, Any, Any]]:
    """Name, decoded and written value of every fact about one section."""
    fields = {field.column: field for field in column_fields(layout)}
    heads = {"sid": "smfid", "qmgr": "qmgr", "rel": "mq_level", "sysplex": "sysplex", "cf": "cf"}
    for name, column in heads.items():
        if name in truth:
            yield column, row[column], truth[name]
    if row["interval_start_utc"] is not None:
        yield "start", row["interval_start_utc"], _instant(truth["start_utc"])
        yield "end", row["interval_end_utc"], _instant(truth["end_utc"])
    for name, value in truth["values"].items():
        column = column_name(name)
        yield name, row[column], _expected(fields[column], value)


def _expected(field: Field, value: Any) -> Any:
    """The written value in the form of our columns."""
    kind = field.type
    if value in field.absent:
        return None
    if kind is FieldType.STCK:
        return None if value == 0 else _instant(value)
    if kind is FieldType.PACKED:
        return int(value[:-1])
    if kind is FieldType.STCKOFF:
        return value / 4096
    return value


def _instant(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)


def _cells(row: Mapping[str, str | None]) -> dict[str, str]:
    """Cells by heading, without the guard of numbers; the empty last column is dropped."""
    return {
        heading: (cell or "").removeprefix('="').removesuffix('"')
        for heading, cell in row.items()
        if heading
    }


def _printed_pairs(
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
