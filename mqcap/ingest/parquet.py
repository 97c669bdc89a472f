"""Writer of Parquet files: cheap to write, small, and readable by every tool.

Numbers and instants that mostly repeat the row before are plain and compressed by LZ4, a third of
the work of any other form. Other integers and instants are delta-packed (which bounds what a value
costs whatever it is, and needs no compression), texts and small sets of floats are dictionaries,
other floats plain. Statistics are left out: no reader filters these files by value. A column
without a null is a required one, which saves its levels; where one follows later, what was written
is written again. Instants always may be null.

``pyarrow.parquet`` imports all file systems that Arrow has: only what reads uses it.
"""

from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
from pyarrow._compute import call_function
from pyarrow._parquet import ParquetWriter

ROW_GROUP_ROWS: Final = 1 << 15
"""Rows that are collected before they are written; every written column costs some 20 us."""
PENDING_BYTES_MAX: Final = 8 << 20
"""Of one dataset, whatever its rows: bounds the memory of files with many datasets (ours)."""
_FEW_VALUES_RATIO: Final = 0.05
_REPEATED_RATIO: Final = 0.9
"""Rows like the one before from which LZ4 is both faster and smaller than packing (ours)."""
_COMPARED_ROWS: Final = 1024
_COMPARED_ROWS_MIN: Final = 4096
"""Rows from which LZ4 gains more than comparing costs (ours)."""
_SAMPLE_ROWS: Final = 4096
_SAMPLE_ROWS_MIN: Final = 64
_BITS: Final = {1: np.int8, 2: np.int16, 4: np.int32, 8: np.int64}
"""Numbers with the bits of others, by their bytes."""


class ParquetFile:
    """Writer of one file, table by table; texts may be dictionaries. Raises OSError."""

    def __init__(self, path: Path, row_group_rows: int = ROW_GROUP_ROWS) -> None:
        self._path = path
        self._row_group_rows = row_group_rows
        self._writer: Any = None
        self._schema = pa.schema([])
        self._forms: dict[str, Any] = {}
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
            self._schema, self._forms = _schema(table), _forms(table)
            self._writer = ParquetWriter(self._path, self._schema, **self._forms)
        elif any(
            column.null_count and not field.nullable
            for field, column in zip(self._schema, table.columns, strict=True)
        ):
            self._allow_nulls()
        self._write(table)

    def _write(self, table: pa.Table) -> None:
        rows = pa.Table.from_arrays(table.columns, schema=self._schema)
        self._writer.write_table(rows, row_group_size=table.num_rows)

    def _allow_nulls(self) -> None:
        """Write the file so far again, with columns that may all be null."""
        import pyarrow.parquet as pq  # noqa: PLC0415 - slow to import, and rarely needed

        self._writer.close()
        texts = [field.name for field in self._schema if pa.types.is_dictionary(field.type)]
        self._schema = pa.schema([field.with_nullable(True) for field in self._schema])
        with pa.OSFile(str(self._path)) as opened:
            self._path.unlink()  # what was opened is read until it is closed
            self._writer = ParquetWriter(self._path, self._schema, **self._forms)
            earlier = pq.ParquetFile(opened, read_dictionary=texts)
            for number in range(earlier.num_row_groups):
                self._write(earlier.read_row_group(number))


def plain(table: pa.Table) -> pa.Table:
    """Return the table with texts as strings instead of dictionaries."""
    fields = (
        pa.field(field.name, field.type.value_type) if pa.types.is_dictionary(field.type) else field
        for field in table.schema
    )
    return table.cast(pa.schema(fields))


def _schema(first: pa.Table) -> pa.Schema:
    return pa.schema(
        [
            field.with_nullable(pa.types.is_timestamp(field.type) or column.null_count > 0)
            for field, column in zip(first.schema, first.columns, strict=True)
        ]
    )


def _forms(first: pa.Table) -> dict[str, Any]:
    """Return how to write the columns of tables like this one."""
    packed: dict[str, str] = {}
    few: list[str] = []
    repeated: dict[str, str] = {}
    for field, column in zip(first.schema, first.columns, strict=True):
        is_number = pa.types.is_floating(field.type) or _is_packed(field.type)
        if is_number and _repeats(column):
            repeated[field.name] = "lz4"
        elif _is_packed(field.type):
            packed[field.name] = "DELTA_BINARY_PACKED"
        elif not is_number or _has_few_values(column):
            few.append(field.name)
    return {
        "compression": repeated or "none",
        "use_dictionary": few,
        "column_encoding": packed or None,
        "write_statistics": False,
        "write_batch_size": ROW_GROUP_ROWS,  # a tenth faster than in batches of 1024
        "store_schema": False,
        "writer_engine_version": "V2",
    }


def _is_packed(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_timestamp(kind))


def _repeats(column: pa.ChunkedArray) -> bool:
    """Return whether most numbers of a column are the one before; False with some missing."""
    chunk = column.chunk(0)
    if len(chunk) < _COMPARED_ROWS_MIN or chunk.null_count:
        return False
    width = chunk.type.bit_width // 8
    numbers = np.frombuffer(chunk.buffers()[1], _BITS[width], len(chunk), chunk.offset * width)
    step = len(numbers) // _COMPARED_ROWS
    later = numbers[step::step]
    repeated = int(np.count_nonzero(later == numbers[step - 1 : -1 : step][: len(later)]))
    return repeated >= _REPEATED_RATIO * len(later)


def _has_few_values(column: pa.ChunkedArray) -> bool:
    """Return whether a column is better written as numbers of its distinct values."""
    if len(column) < _SAMPLE_ROWS_MIN:
        return False
    sample = column.slice(0, _SAMPLE_ROWS)
    distinct = int(call_function("count_distinct", [sample]).as_py())
    return distinct <= max(1, _FEW_VALUES_RATIO * len(sample))
