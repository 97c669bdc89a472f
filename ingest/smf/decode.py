"""Decoding sections: all of one structure and one length at once, one Arrow column per field.

A field that the sections are too short for (an older product level) is null in every row; what
is longer than the layout (a newer level) is not looked at. A structure with an array (QEST)
gives one row per used entry; an entry is unused when its name is blank or binary zeros.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from domain.errors import InputError
from ingest.smf.columns import column_of, column_type, text_column
from ingest.smf.content import Bytes
from ingest.smf.layout import Field, FieldType, Layout, dtype_of


@lru_cache(maxsize=256)
def column_fields(layout: Layout) -> tuple[Field, ...]:
    """The fields that become columns, in order; those of an array once, reserved ones not."""
    fields: list[Field] = []
    for field in layout.fields:
        fields.extend(field.fields if field.type is FieldType.REPEAT else (field,))
    return tuple(field for field in fields if not field.is_reserved)


@lru_cache(maxsize=256)
def section_schema(layout: Layout) -> pa.Schema:
    """The columns of the structure, without those that every dataset has in front."""
    return pa.schema([(field.column, column_type(field)) for field in column_fields(layout)])


def decode(layout: Layout, sections: bytes, section_length: int) -> pa.Table:
    """Read all sections of one structure and one length, one row per section (or used entry).

    Raises InputError when the bytes are not a whole number of sections, or too short for any
    field.
    """
    if section_length <= 0 or len(sections) % section_length:
        raise InputError(
            f"{len(sections)} bytes are no whole number of {layout.name} sections",
            found=f"a section length of {section_length}",
        )
    raw = np.frombuffer(sections, np.uint8).reshape(-1, section_length)
    columns, _ = decode_block(layout, raw)
    return pa.Table.from_arrays(columns, schema=section_schema(layout))


def decode_block(layout: Layout, raw: Bytes) -> tuple[list[pa.Array], NDArray[np.int64]]:
    """The columns of gathered sections, and for each row the section and entry it came from.

    The second value is ``section * entries + entry``, with one entry when there is no array.
    """
    if raw.shape[1] < layout.fields[0].end:
        raise InputError(
            f"a section of {raw.shape[1]} bytes holds no field of {layout.name}",
            expected=f"at least {layout.fields[0].end} bytes",
        )
    array = layout.repeat
    if array is None:
        return _columns(layout, raw, column_fields(layout)), np.arange(len(raw))
    entries = min(array.count, (raw.shape[1] - array.offset) // array.stride)
    kept = _used_entries(array, raw, max(entries, 0))
    head = _head_of(layout)
    columns = _columns(head, raw[kept // array.count, : array.offset], column_fields(head))
    return columns + _entry_columns(array, raw, kept), kept


@lru_cache(maxsize=16)
def _head_of(layout: Layout) -> Layout:
    """The structure without its array."""
    return replace(layout, fields=tuple(f for f in layout.fields if f is not layout.repeat))


@lru_cache(maxsize=16)
def _entry_of(array: Field) -> Layout:
    """One entry of an array as a structure of its own."""
    return Layout(name=array.name, length=array.stride, fields=array.fields)


def _columns(layout: Layout, raw: Bytes, fields: tuple[Field, ...]) -> list[pa.Array]:
    """The columns of fields without array; null where the section ends before the field does."""
    rows = _rows(layout, raw)
    return [
        column_of(field, rows)
        if field.end <= raw.shape[1]
        else pa.nulls(len(raw), column_type(field))
        for field in fields
    ]


def _rows(layout: Layout, raw: Bytes) -> NDArray[Any]:
    """The bytes as records of the layout."""
    block = np.ascontiguousarray(raw)
    return block.view(dtype_of(layout, raw.shape[1])).reshape(len(raw))


def _used_entries(array: Field, raw: Bytes, entries: int) -> NDArray[np.int64]:
    """``section * count + entry`` of the entries with a name, in order."""
    names = [
        text_column(
            np.ascontiguousarray(
                raw[:, array.offset + entry * array.stride :][:, : array.fields[0].length]
            )
        )
        for entry in range(entries)
    ]
    if not names:
        return np.zeros(0, dtype=np.int64)
    used = np.stack([np.asarray(name) != "" for name in names], axis=1)
    sections, places = np.nonzero(used)
    return sections * array.count + places


def _entry_columns(array: Field, raw: Bytes, kept: NDArray[np.int64]) -> list[pa.Array]:
    """The columns of the fields inside the entries that are used."""
    starts = array.offset + (kept % array.count) * array.stride
    index = starts[:, None] + np.arange(array.stride)
    block = raw[(kept // array.count)[:, None], index]
    entry = _entry_of(array)
    return _columns(entry, block, column_fields(entry))
