"""Frames as Arrow tables with the types that every reader of the lake knows."""

from __future__ import annotations

import polars as pl
import pyarrow as pa


def arrow_table(frame: pl.DataFrame, *, encode: bool = False) -> pa.Table:
    """Return the rows as an Arrow table, with texts as a dictionary if they are to be encoded."""
    table = frame.to_arrow()
    text = pa.dictionary(pa.int32(), pa.string()) if encode else pa.string()
    fields = [
        pa.field(field.name, text if pa.types.is_large_string(field.type) else field.type)
        for field in table.schema
    ]
    return table.cast(pa.schema(fields)).combine_chunks()
