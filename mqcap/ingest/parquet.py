"""Writer of Parquet files: cheap to write, small, and readable by every tool.

Texts are dictionaries, all else is plain, and LZ4 packs both. Statistics are left out: no reader
filters these files by value. ``pyarrow.parquet`` imports all file systems that Arrow has: only what
reads uses it.
"""

from pathlib import Path
from typing import Any, Final

import pyarrow as pa
from pyarrow._parquet import ParquetWriter

ROW_GROUP_ROWS: Final = 1 << 15
"""Rows that are collected before they are written; every written column costs some 20 us."""
PENDING_BYTES_MAX: Final = 8 << 20
"""Of one dataset, whatever its rows: bounds the memory of files with many datasets (ours)."""


class ParquetFile:
    """Writer of one file, table by table; texts may be dictionaries. Raises OSError."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._writer: Any = None
        self._pending: list[pa.Table] = []
        self._pending_rows = self._pending_bytes = 0

    def write_table(self, table: pa.Table) -> None:
        """Append rows."""
        self._pending.append(table)
        self._pending_rows += table.num_rows
        self._pending_bytes += table.get_total_buffer_size()
        if self._pending_rows >= ROW_GROUP_ROWS or self._pending_bytes >= PENDING_BYTES_MAX:
            self._flush()

    def close(self) -> None:
        """Write what is left, and the end of the file."""
        if self._pending:
            self._flush()
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def _flush(self) -> None:
        table = pa.concat_tables(self._pending).unify_dictionaries()
        self._pending, self._pending_rows, self._pending_bytes = [], 0, 0
        if self._writer is None:
            texts = [field.name for field in table.schema if pa.types.is_dictionary(field.type)]
            self._writer = ParquetWriter(
                self._path,
                table.schema,
                compression="lz4",
                use_dictionary=texts,
                write_statistics=False,
                write_batch_size=ROW_GROUP_ROWS,  # a tenth faster than in batches of 1024
                store_schema=False,
                writer_engine_version="V2",
            )
        self._writer.write_table(table, row_group_size=table.num_rows)


def plain(table: pa.Table) -> pa.Table:
    """Return the table with texts as strings instead of dictionaries."""
    fields = (
        pa.field(field.name, field.type.value_type) if pa.types.is_dictionary(field.type) else field
        for field in table.schema
    )
    return table.cast(pa.schema(fields))
