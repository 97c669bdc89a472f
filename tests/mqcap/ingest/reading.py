"""Reading a file to the end, for tests that look at all its rows."""

from collections import defaultdict
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from mqcap.domain.source import SourceSummary
from mqcap.ingest.parquet import plain
from mqcap.ingest.registry import source_for

SHA: str = "f" * 64
Rows = tuple[list[dict[str, Any]], SourceSummary]
"""All rows of a file, and its summary."""


class Read(NamedTuple):
    """All tables of a file by dataset, in the order of the records, and its summary."""

    tables: dict[str, pa.Table]
    summary: SourceSummary


def read_all(path: Path, zones: dict[str, str] | None = None) -> Read:
    """Read a file of any kind to its end."""
    reading = source_for(path, zones).read(path, SHA)
    parts: dict[str, list[pa.Table]] = defaultdict(list)
    for dataset, table in reading.tables():
        parts[dataset].append(plain(table))
    tables = {name: in_order(pa.concat_tables(result)) for name, result in parts.items()}
    return Read(tables, reading.summary())


def rows_of(path: Path, zones: dict[str, str] | None = None) -> Rows:
    """Read the rows of a file of any kind, of all its datasets."""
    tables, summary = read_all(path, zones)
    return [row for table in tables.values() for row in table.to_pylist()], summary


def read_text(
    folder: Path,
    *texts: str,
    name: str = "sent.txt",
    zones: dict[str, str] | None = None,
    encoding: str = "utf-8",
) -> Rows:
    """Write texts as one file and read its rows."""
    path = folder / name
    path.write_text("".join(texts), encoding=encoding)
    return rows_of(path, zones)


def in_order(table: pa.Table) -> pa.Table:
    """Rows in the order of the file."""
    if "record_offset_bytes" not in table.column_names:
        return table
    return table.sort_by([("record_offset_bytes", "ascending"), ("section_index", "ascending")])


def is_accounted(summary: SourceSummary) -> bool:
    """Return true if every byte is decoded, skipped or quarantined."""
    parts = (summary.decoded_bytes, summary.skipped_bytes, summary.quarantined_bytes)
    return sum(parts) == summary.content_bytes and min(parts) >= 0
