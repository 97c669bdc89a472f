"""Comparing decoded rows with the values that a synthetic dump was written from."""

import gzip
import json
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from mqcap.ingest.smf.decode import column_fields
from mqcap.ingest.smf.layout import Field, FieldType, Layout, column_name, layouts


class Comparison(NamedTuple):
    """Number of fields compared, and those that differ."""

    fields: int
    mismatches: list[str]


def compare(tables: dict[str, pa.Table], truth_file: Path) -> Comparison:
    """Compare every written value with the decoded one, and that there are no further rows."""
    written: dict[str, list[dict[str, Any]]] = defaultdict(list)
    with gzip.open(truth_file, "rt") as lines:
        for line in lines:
            row = json.loads(line)
            written[row["struct"]].append(row)
    count, mismatches = 0, []
    for structure, expected in written.items():
        layout = layouts()[structure]
        rows = tables[layout.dataset].to_pylist()
        if len(rows) != len(expected):
            mismatches.append(f"{structure}: {len(rows)} rows, {len(expected)} written")
        for row, truth in zip(rows, expected, strict=False):
            for name, result, wanted in _pairs(layout, row, truth):
                count += 1
                if result != wanted:
                    mismatches.append(f"{structure}.{name}: {result!r}, written {wanted!r}")
    return Comparison(count, mismatches)


def _pairs(
    layout: Layout, row: dict[str, Any], truth: dict[str, Any]
) -> Iterator[tuple[str, Any, Any]]:
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
