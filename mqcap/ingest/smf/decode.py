"""Decode sections: all of one structure and one length at once, one Arrow column per field.

A field that the sections are too short for (an older product level) is null in every row; what
is longer than the layout (a newer version) is not read. A structure with an array (QEST)
gives one row per used entry; an entry is unused when its name is blank or binary zeros.
"""

from functools import lru_cache
from typing import Final

import msgspec
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from mqcap.ingest.smf.columns import ENCODED, column_type, columns_at
from mqcap.ingest.smf.dump_file import Bytes
from mqcap.ingest.smf.layout import Field, FieldType, Layout
from mqcap.ingest.smf.strided_read import strided_rows

_EBCDIC_BLANK: Final = 0x40


@lru_cache(maxsize=256)
def column_fields(layout: Layout) -> tuple[Field, ...]:
    """Return the fields that become columns, in order; those of an array once, none reserved."""
    fields: list[Field] = []
    for field in layout.fields:
        fields.extend(field.fields if field.type is FieldType.REPEAT else (field,))
    return tuple(field for field in fields if not field.is_reserved)


@lru_cache(maxsize=256)
def section_schema(layout: Layout) -> pa.Schema:
    """Return the columns of the structure, without those that every dataset has in front."""
    return pa.schema([(field.column, column_type(field)) for field in column_fields(layout)])


def decode_block(
    layout: Layout, buffer: Bytes, offsets: NDArray[np.int64], section_length: int
) -> tuple[list[pa.Array], NDArray[np.int64]]:
    """Return the columns of sections in a buffer, texts as dictionaries, and the place of each row.

    That is ``section * entries + entry``, with one entry when there is no array.
    """
    array = layout.repeat
    if array is None:
        return _columns(layout, buffer, offsets, section_length), np.arange(len(offsets))
    entries = max(min(array.count, (section_length - array.offset) // array.stride), 0)
    used = _used_entries(array, buffer, offsets, entries)
    starts = offsets[used // array.count]
    head, entry = _parts(layout)
    columns = _columns(head, buffer, starts, min(array.offset, section_length))
    places = starts + array.offset + (used % array.count) * array.stride
    return columns + _columns(entry, buffer, places, array.stride), used


@lru_cache(maxsize=16)
def _parts(layout: Layout) -> tuple[Layout, Layout]:
    """Return a structure without its array, and an entry of that as a structure of its own."""
    [array] = (field for field in layout.fields if field.type is FieldType.REPEAT)
    others = tuple(field for field in layout.fields if field is not array)
    head = msgspec.structs.replace(layout, fields=others)
    return head, Layout(array.name, array.stride, array.fields)


def _columns(
    layout: Layout, buffer: Bytes, offsets: NDArray[np.int64], section_length: int
) -> list[pa.Array]:
    """Return the columns of fields without array; null where the section ends before the field."""
    made = columns_at(layout, buffer, offsets, section_length)
    for field in column_fields(layout):
        if field.name not in made:
            kind = column_type(field)
            made[field.name] = pa.nulls(len(offsets), ENCODED if kind == pa.string() else kind)
    return [made[field.name] for field in column_fields(layout)]


def _used_entries(
    array: Field, buffer: Bytes, offsets: NDArray[np.int64], entries: int
) -> NDArray[np.int64]:
    if not entries or not len(offsets):
        return np.zeros(0, dtype=np.int64)
    places = offsets[:, None] + array.offset + np.arange(entries) * array.stride
    names = strided_rows(buffer, places.reshape(-1), array.fields[0].length)
    used = ((names != _EBCDIC_BLANK) & (names != 0)).any(axis=1).reshape(len(offsets), entries)
    sections, entry = np.nonzero(used)
    return sections * array.count + entry
