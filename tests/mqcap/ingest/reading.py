"""Reading a file to the end, for tests that look at all its rows."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from mqcap.domain.source import SourceSummary
from mqcap.ingest.registry import source_for

SHA: str = "0" * 64


class Read(NamedTuple):
    """All tables of a file by dataset, in the order of the records, and its summary."""

    tables: dict[str, pa.Table]
    summary: SourceSummary


def read_all(path: Path, zones: dict[str, str] | None = None) -> Read:
    """Read a file of any kind to its end."""
    reading = source_for(path, zones).read(path, SHA)
    parts: dict[str, list[pa.Table]] = defaultdict(list)
    for dataset, table in reading.tables():
        parts[dataset].append(table)
    tables = {name: in_order(pa.concat_tables(result)) for name, result in parts.items()}
    return Read(tables, reading.summary())


def in_order(table: pa.Table) -> pa.Table:
    """Rows in the order of the file."""
    if "record_offset_bytes" not in table.column_names:
        return table
    return table.sort_by([("record_offset_bytes", "ascending"), ("section_index", "ascending")])


def is_accounted(summary: SourceSummary) -> bool:
    """Return true if every byte is decoded, skipped or quarantined."""
    parts = (summary.decoded_bytes, summary.skipped_bytes, summary.quarantined_bytes)
    return sum(parts) == summary.content_bytes and min(parts) >= 0
