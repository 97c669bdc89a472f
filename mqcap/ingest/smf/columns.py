"""Convert the values of one field in many sections to one Arrow column.

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

The different values of a column, without the masked arrays that NumPy imports for them.

Importing them takes each process as long as decoding two MiB.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from mqcap.ingest.smf.arrow import (
    column,
    columns,
    constant_dictionary,
    encoded,
    masked,
    strings,
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
from mqcap.ingest.smf.field_blocks import Run
from mqcap.ingest.smf.layout import Field, FieldType

INSTANT: Final = pa.timestamp("us", tz="UTC")
CODE_PAGE: Final = "cp037"
"""Equal to 1047 for all characters that z/OS and MQ names may contain."""

ENCODED: Final = pa.dictionary(pa.int32(), pa.string())
"""Strings as numbers of distinct ones."""

_NUMBERS: Final = MappingProxyType({4: pa.int32(), 8: pa.int64()})
"""Numbers of the width of a text, whose distinct values are found sooner than those of bytes."""

_REMEMBERED_BYTES_MAX: Final = 1024
"""Distinct bytes of a column that are remembered with their texts, 1024 columns of them (ours)."""

_BLANK: Final = ord(" ")
_BEYOND_ASCII: Final = 0x80


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


def column_type(field: Field) -> pa.DataType:
    """Return the Arrow type of the column of a field."""
    return _TYPES[field.type]


def columns_of(run: Run, values: NDArray[Any]) -> list[pa.Array]:
    """Return the columns of the fields of a run, from the matrix that ``copy_runs`` gives.

    Null where a field says "not available".
    """
    made = _CONVERTERS[run.type](values)
    for place, field in enumerate(run.fields):
        for number in field.absent:
            made[place] = masked(made[place], values[place] == number)
    return made


def encoded_text(raw: Bytes) -> pa.DictionaryArray:
    """Return the column of ``text_column``, with every distinct text once."""
    return _encoded(raw, text_column)


def repeated_text(text: str | None, count: int) -> pa.DictionaryArray:
    """Return the same text (or null) in every row."""
    if text is None:
        return pa.nulls(count, ENCODED)
    return constant_dictionary(strings([text]), count)


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


def hex_column(raw: Bytes) -> pa.Array:
    """Return bytes as lower-case hexadecimal digits."""
    count, width = raw.shape
    return _strings(_HEX[raw].reshape(-1), np.full(count, 2 * width))


def instant_column(unix_us: NDArray[np.int64]) -> pa.Array:
    """Return instants in UTC from microseconds since 1970; ``NOT_SET`` becomes null."""
    return column(unix_us, INSTANT, unix_us == NOT_SET)


def _strings(characters: NDArray[np.uint8], lengths: NDArray[Any]) -> pa.Array:
    """Return a string array from its characters one after another and the length of each value."""
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


def _uint64(values: NDArray[np.int64]) -> list[pa.Array]:
    if not values.shape[1] or values.min() >= 0:
        return columns(values)
    return [column(row, absent=row < 0) for row in values]


def _durations(values: NDArray[np.float64]) -> list[pa.Array]:
    return columns(np.divide(values, TOD_UNITS_PER_US, out=values))


def _instants(values: NDArray[np.uint64]) -> list[pa.Array]:
    return [instant_column(tod_to_unix_us(row)) for row in values]


def _floats(values: NDArray[np.uint64]) -> list[pa.Array]:
    return [column(hfp_to_float(row)) for row in values]


def _short_floats(values: NDArray[np.uint32]) -> list[pa.Array]:
    return [column(short_hfp_to_float(row)) for row in values]


def _packed(raw: Bytes) -> list[pa.Array]:
    values, valid = packed_to_int(raw)
    return [column(values, absent=~valid)]


def _text(raw: Bytes) -> list[pa.Array]:
    return [_encoded(raw, text_column)]


def _hex(raw: Bytes) -> list[pa.Array]:
    return [_encoded(raw, hex_column)]


_TYPES: Final[Mapping[FieldType, pa.DataType]] = MappingProxyType(
    {
        FieldType.U8: pa.int32(),
        FieldType.U16: pa.int32(),
        FieldType.I16: pa.int32(),
        FieldType.I32: pa.int32(),
        FieldType.U32: pa.int64(),
        FieldType.U64: pa.int64(),
        FieldType.I64: pa.int64(),
        FieldType.EBCDIC: pa.string(),
        FieldType.STCK: INSTANT,
        FieldType.STCKOFF: pa.float64(),
        FieldType.TIMEVAL: pa.float64(),
        FieldType.PACKED: pa.int64(),
        FieldType.HFP64: pa.float64(),
        FieldType.HFP32: pa.float64(),
        FieldType.BYTES: pa.string(),
    }
)

_CONVERTERS: Final[Mapping[FieldType, Callable[[NDArray[Any]], list[pa.Array]]]] = MappingProxyType(
    {
        FieldType.U8: columns,
        FieldType.U16: columns,
        FieldType.I16: columns,
        FieldType.I32: columns,
        FieldType.U32: columns,
        FieldType.U64: _uint64,
        FieldType.I64: columns,
        FieldType.EBCDIC: _text,
        FieldType.STCK: _instants,
        FieldType.STCKOFF: _durations,
        FieldType.TIMEVAL: _durations,
        FieldType.PACKED: _packed,
        FieldType.HFP64: _floats,
        FieldType.HFP32: _short_floats,
        FieldType.BYTES: _hex,
    }
)


Number = TypeVar("Number", bound=np.generic)


def distinct(values: NDArray[Number]) -> NDArray[Number]:
    """Return every value once, ascending."""
    ordered: NDArray[Any] = np.sort(values)
    first = np.ones(len(ordered), np.bool_)
    first[1:] = ordered[1:] != ordered[:-1]
    return ordered[first]


def among(values: NDArray[Number], ordered: NDArray[Number]) -> NDArray[np.bool_]:
    """Return a mask of the values that are among ``ordered``, which is unique and ascending."""
    if not len(ordered):
        return np.zeros(len(values), np.bool_)
    place = np.minimum(np.searchsorted(ordered, values), len(ordered) - 1)
    is_equal: NDArray[np.bool_] = ordered[place] == values
    return is_equal
