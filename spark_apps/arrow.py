"""Frames as Arrow tables with the types that every reader of the lake knows."""

from __future__ import annotations

import polars as pl
import pyarrow as pa


def arrow_table(frame: pl.DataFrame) -> pa.Table:
    """Return the rows as an Arrow table in one piece."""
    table = frame.to_arrow()
    types = [pa.string() if pa.types.is_large_string(kind) else kind for kind in table.schema.types]
    return table.cast(pa.schema(zip(table.column_names, types, strict=True))).combine_chunks()
