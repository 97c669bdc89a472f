"""Convert the values of the fields of many sections to Arrow columns, a column per field.

========= ============================================================================
type      column
========= ============================================================================
integers  ``int32`` up to 16 bits and for i32, else ``int64``; an unsigned 64-bit value
          above 2^63-1 (no counter gets there) is null, and so is "not available"
ebcdic    string without trailing blanks and binary zeros; a control character is ``?``
stck      instant in UTC, null when 0
timeval   double, microseconds; stckoff the same with a sign
packed    ``int64``, null when a nibble is no digit
hfp64     double; hfp32 the same of 24 bits
bytes     string of lower-case hexadecimal digits
========= ============================================================================

Strings are dictionaries of the distinct ones (``ENCODED``) until somebody needs them plain.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from mqcap.ingest.smf.arrow import (
    column,
    columns,
    constant_dictionary,
    encoded,
    masked,
    taken,
)
from mqcap.ingest.smf.clock import (
    NOT_SET,
    TOD_UNITS_PER_US,
    hfp_to_float,
    packed_to_int,
    short_hfp_to_float,
    tod_to_unix_us,
)
from mqcap.ingest.smf.dump_file import Bytes
from mqcap.ingest.smf.layout import Field, FieldType, Layout, numpy_type
from mqcap.ingest.smf.strided_read import strided_rows

INSTANT: Final = pa.timestamp("us", tz="UTC")
CODE_PAGE: Final = "cp037"
"""Equal to 1047 for all characters that z/OS and MQ names may contain."""
ENCODED: Final = pa.dictionary(pa.int32(), pa.string())
"""Strings as numbers of distinct ones."""
_CACHED_BYTES: Final = 1 << 20
_FEWEST_ROWS: Final = 512
"""NumPy keeps the interpreter lock while it gathers 500 rows or fewer."""
_NUMBERS: Final = MappingProxyType({4: pa.int32(), 8: pa.int64()})
"""Numbers of the width of a text, whose distinct values are found sooner than those of bytes."""
_REMEMBERED_BYTES_MAX: Final = 1024
"""Distinct bytes of a column that are remembered with their texts, 1024 columns of them (ours)."""
_BLANK: Final = ord(" ")
_BEYOND_ASCII: Final = 0x80


@dataclass(frozen=True, eq=False)
class Run:
    """Adjacent numbers of one type and length, or one field of raw bytes."""

    fields: tuple[Field, ...]
    type: FieldType
    begin: int
    end: int


def column_type(field: Field) -> pa.DataType:
    """Return the Arrow type of the column of a field."""
    return _FORMS[field.type].arrow


@lru_cache(maxsize=512)
def runs_of(layout: Layout, section_length: int) -> tuple[Run, ...]:
    """Return the runs of the fields that a section of this length holds, reserved ones left out."""
    parts: list[list[Field]] = []
    for field in layout.fields:
        if field.end > section_length or field.is_reserved or field.type is FieldType.REPEAT:
            continue
        before = parts[-1][-1] if parts else None
        follows = before is not None and (field.type, field.offset) == (before.type, before.end)
        if follows and _FORMS[field.type].number:
            parts[-1].append(field)
        else:
            parts.append([field])
    return tuple(Run(tuple(part), part[0].type, part[0].offset, part[-1].end) for part in parts)


def columns_at(
    layout: Layout, buffer: Bytes, offsets: NDArray[np.int64], section_length: int
) -> dict[str, pa.Array]:
    """Return the columns of the fields that sections of this length hold, by name of the field.

    Null where a field says "not available". The sections, scattered in the buffer, are copied some
    hundred at a time. A run is turned to the machine's byte order and transposed as one block that
    stays in the processor's cache.
    """
    count = len(offsets)
    copies: list[tuple[Run, NDArray[Any]]] = [
        (run, np.empty((len(run.fields), count), number))
        if (number := _FORMS[run.type].number)
        else (run, np.empty((count, run.end - run.begin), np.uint8))
        for run in runs_of(layout, section_length)
    ]
    rows = max(_FEWEST_ROWS, _CACHED_BYTES // section_length)
    for first in range(0, count, rows):
        raw = strided_rows(buffer, offsets[first : first + rows], section_length)
        for run, matrix in copies:
            part = raw[:, run.begin : run.end]
            if _FORMS[run.type].number:
                matrix[:, first : first + rows] = part.view(numpy_type(run.fields[0])).T
            else:
                matrix[first : first + rows] = part
    made: dict[str, pa.Array] = {}
    for run, matrix in copies:
        converted = _FORMS[run.type].convert(matrix)
        for place, (field, values) in enumerate(zip(run.fields, converted, strict=True)):
            made[field.name] = values
            for absent in field.absent:
                made[field.name] = masked(made[field.name], matrix[place] == absent)
    return made


def encoded_text(raw: Bytes) -> pa.DictionaryArray:
    """Return the column of ``text_column``, with every distinct text once."""
    return _encoded(raw, text_column)


def text_column(raw: Bytes) -> pa.Array:
    """Return EBCDIC text, one row of bytes per value, without trailing blanks and binary zeros."""
    count, width = raw.shape
    if count > 1 and (raw == raw[0]).all():
        return pa.repeat(text_column(raw[:1])[0], count)
    first = _FIRST_BYTE[raw]
    filled = first != _BLANK
    lengths = np.where(filled.any(axis=1), width - np.argmax(filled[:, ::-1], axis=1), 0)
    is_text = np.arange(width) < lengths[:, None]
    if not (first >= _BEYOND_ASCII).any():
        return _strings(first[is_text], lengths)
    present = np.stack([is_text, is_text & _TWO_BYTES[raw]], axis=2)
    return _strings(_UTF8[raw][present], present.sum(axis=(1, 2)))


def _hex_column(raw: Bytes) -> pa.Array:
    count, width = raw.shape
    return _strings(_HEX[raw].reshape(-1), np.full(count, 2 * width))


def instant_column(unix_us: NDArray[np.int64]) -> pa.Array:
    """Return instants in UTC from microseconds since 1970; ``NOT_SET`` becomes null."""
    return column(unix_us, INSTANT, unix_us == NOT_SET)


def _strings(characters: NDArray[np.uint8], lengths: NDArray[Any]) -> pa.Array:
    offsets = np.zeros(len(lengths) + 1, dtype=np.int32)
    np.cumsum(lengths, out=offsets[1:])
    return pa.StringArray.from_buffers(
        len(lengths), pa.py_buffer(offsets), pa.py_buffer(np.ascontiguousarray(characters))
    )


def _encoded(raw: Bytes, texts_of: Callable[[Bytes], pa.Array]) -> pa.DictionaryArray:
    """Return texts of rows of bytes; equal texts occur once, whatever their bytes."""
    count, width = raw.shape
    if count and (raw[-1] == raw[0]).all() and (raw == raw[0]).all():
        return constant_dictionary(_distinct_texts(raw[:1], texts_of).dictionary, count)
    kind = _NUMBERS.get(width) or pa.binary(width)
    coded = encoded(pa.Array.from_buffers(kind, count, [None, pa.py_buffer(raw)]))
    distinct = np.frombuffer(coded.dictionary.buffers()[1] or b"", np.uint8)
    first = coded.dictionary.offset * width
    size = len(coded.dictionary) * width
    texts = _distinct_texts(distinct[first : first + size].reshape(-1, width), texts_of)
    if len(texts.dictionary) == len(coded.dictionary):
        return pa.DictionaryArray.from_arrays(coded.indices, texts.dictionary)
    return pa.DictionaryArray.from_arrays(taken(texts.indices, coded.indices), texts.dictionary)


def _distinct_texts(raw: Bytes, texts_of: Callable[[Bytes], pa.Array]) -> pa.DictionaryArray:
    """Return texts of different rows of bytes; a few are remembered, as batches repeat them."""
    if raw.size > _REMEMBERED_BYTES_MAX:
        return encoded(texts_of(raw))
    return _remembered_texts(raw.tobytes(), raw.shape[1], texts_of)


@lru_cache(maxsize=1024)
def _remembered_texts(
    raw: bytes, width: int, texts_of: Callable[[Bytes], pa.Array]
) -> pa.DictionaryArray:
    return encoded(texts_of(np.frombuffer(raw, np.uint8).reshape(-1, width)))


def _utf8_of(code: int) -> bytes:
    """Return the character of one EBCDIC code in UTF-8, filled to two bytes with zero."""
    character = bytes([code]).decode(CODE_PAGE)
    if code == 0:
        character = " "
    elif ord(character) < _BLANK or 0x7F <= ord(character) < 0xA0:
        character = "?"
    return character.encode().ljust(2, b"\x00")


_UTF8: Final = np.frombuffer(b"".join(map(_utf8_of, range(256))), np.uint8).reshape(256, 2)
_FIRST_BYTE: Final = np.ascontiguousarray(_UTF8[:, 0])
_TWO_BYTES: Final = _UTF8[:, 1] != 0
_HEX: Final = np.frombuffer(bytes(range(256)).hex().encode("ascii"), np.uint8).reshape(256, 2)


def _uint64(values: NDArray[np.int64]) -> list[pa.Array]:
    if not values.shape[1] or values.min() >= 0:
        return columns(values)
    return [column(row, absent=row < 0) for row in values]


def _packed(raw: Bytes) -> list[pa.Array]:
    values, valid = packed_to_int(raw)
    return [column(values, absent=~valid)]


class _Form(NamedTuple):
    arrow: pa.DataType
    convert: Callable[[NDArray[Any]], list[pa.Array]]
    """Of a matrix with a field per row, or a section per row where they stay bytes."""
    number: str = ""
    """NumPy type of that matrix; empty for bytes."""


_FORMS: Final[Mapping[FieldType, _Form]] = MappingProxyType(
    {
        **dict.fromkeys(
            (FieldType.U8, FieldType.U16, FieldType.I16, FieldType.I32),
            _Form(pa.int32(), columns, "i4"),
        ),
        **dict.fromkeys((FieldType.U32, FieldType.I64), _Form(pa.int64(), columns, "i8")),
        FieldType.U64: _Form(pa.int64(), _uint64, "i8"),
        FieldType.STCK: _Form(
            INSTANT, lambda tods: [instant_column(tod_to_unix_us(row)) for row in tods], "u8"
        ),
        **dict.fromkeys(
            (FieldType.STCKOFF, FieldType.TIMEVAL),
            _Form(pa.float64(), lambda tods: columns(tods / TOD_UNITS_PER_US), "f8"),
        ),
        FieldType.HFP64: _Form(
            pa.float64(), lambda coded: [column(hfp_to_float(row)) for row in coded], "u8"
        ),
        FieldType.HFP32: _Form(
            pa.float64(), lambda coded: [column(short_hfp_to_float(row)) for row in coded], "u4"
        ),
        FieldType.PACKED: _Form(pa.int64(), _packed),
        FieldType.EBCDIC: _Form(pa.string(), lambda raw: [encoded_text(raw)]),
        FieldType.BYTES: _Form(pa.string(), lambda raw: [_encoded(raw, _hex_column)]),
    }
)
