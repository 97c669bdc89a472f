"""Writer of Parquet files: cheap to write, small, and readable by every tool.

Integers and instants are delta-packed (which bounds what a value costs whatever it is, and needs
no compression), texts and small sets of floats are dictionaries, other floats plain.
Statistics are left out: no reader filters these files by value.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

ROW_GROUP_ROWS: Final = 1 << 15
"""Rows that are collected before they are written; every written column costs some 20 us."""
PENDING_BYTES_MAX: Final = 8 << 20
"""Of one dataset, whatever its rows: bounds the memory of files with many datasets (ours)."""
_FEW_VALUES_RATIO: Final = 0.05
_SAMPLE_ROWS: Final = 4096
_SAMPLE_ROWS_MIN: Final = 64


class ParquetFile:
    """Writer of one file, table by table; tables may have texts as dictionaries.

    Raises OSError when it cannot be written.
    """

    def __init__(self, path: Path, row_group_rows: int = ROW_GROUP_ROWS) -> None:
        self._path = path
        self._row_group_rows = row_group_rows
        self._writer: Any = None
        self._pending: list[pa.Table] = []
        self._pending_rows = 0
        self._pending_bytes = 0

    def write_table(self, table: pa.Table) -> None:
        """Append rows."""
        self._pending.append(table)
        self._pending_rows += table.num_rows
        self._pending_bytes += table.get_total_buffer_size()
        if self._pending_rows >= self._row_group_rows or self._pending_bytes >= PENDING_BYTES_MAX:
            self._flush()

    def close(self) -> None:
        """Write what is left, and the end of the file."""
        self._flush()
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def _flush(self) -> None:
        if not self._pending:
            return
        first, *others = self._pending
        table = pa.concat_tables(self._pending).unify_dictionaries() if others else first
        self._pending, self._pending_rows, self._pending_bytes = [], 0, 0
        if self._writer is None:
            self._writer = _writer(self._path, table)
        self._writer.write_table(table, row_group_size=table.num_rows)


def plain(table: pa.Table) -> pa.Table:
    """Return the table with texts as strings instead of dictionaries."""
    fields = (
        pa.field(field.name, field.type.value_type) if pa.types.is_dictionary(field.type) else field
        for field in table.schema
    )
    return table.cast(pa.schema(fields))


def _writer(path: Path, first: pa.Table) -> Any:
    """Return a writer for tables like this one."""
    packed: dict[str, str] = {}
    few: list[str] = []
    for field in first.schema:
        if pa.types.is_integer(field.type) or pa.types.is_timestamp(field.type):
            packed[field.name] = "DELTA_BINARY_PACKED"
        elif not pa.types.is_floating(field.type) or _has_few_values(first[field.name]):
            few.append(field.name)
    return pq.ParquetWriter(
        path,
        first.schema,
        compression="none",
        use_dictionary=few,
        column_encoding=packed or None,
        write_statistics=False,
        write_batch_size=ROW_GROUP_ROWS,  # a tenth faster than in batches of 1024
        store_schema=False,
    )


def _has_few_values(column: pa.ChunkedArray) -> bool:
    """Return whether a column is better written as numbers of its distinct values."""
    if len(column) < _SAMPLE_ROWS_MIN:
        return False
    sample = column.slice(0, _SAMPLE_ROWS)
    distinct = int(pc.count_distinct(sample).as_py())
    return distinct <= max(1, _FEW_VALUES_RATIO * len(sample))
