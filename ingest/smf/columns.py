"""Turning the bytes of one field in many sections into one Arrow column.

========= ============================================================================
type      column
========= ============================================================================
integers  ``int32`` up to 16 bits and for i32, else ``int64``; an unsigned 64-bit value
          above 2^63-1 (no counter gets there) is null, and so is "not available"
ebcdic    string without trailing blanks and binary zeros; a control character is ``?``
stck      instant in UTC, null when 0
timeval   double, microseconds; stckoff the same with a sign
packed    ``int64``, null when a nibble is no digit
hfp64     double
bytes     string of lower-case hexadecimal digits
========= ============================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ingest.smf.clock import NOT_SET, TOD_UNITS_PER_US, hfp_to_float, packed_to_int, tod_to_unix_us
from ingest.smf.content import Bytes
from ingest.smf.gather import field_bytes
from ingest.smf.layout import Field, FieldType

INSTANT: Final = pa.timestamp("us", tz="UTC")
CODE_PAGE: Final = "cp037"
"""Equal to 1047 for all characters that z/OS and MQ names may contain."""

_BLANK: Final = ord(" ")
_BEYOND_ASCII: Final = 0x80


def _utf8_of(code: int) -> bytes:
    """The character of one EBCDIC code in UTF-8, filled to two bytes with zero."""
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
    """The Arrow type of the column of a field."""
    return _TYPES[field.type]


def column_of(field: Field, rows: NDArray[np.void]) -> pa.Array:
    """The column of one field of gathered sections; null where it says "not available"."""
    column = _CONVERTERS[field.type](rows, field.column)
    if not field.absent:
        return column
    absent = pc.is_in(column, value_set=pa.array(field.absent, column.type))
    return pc.if_else(absent, pa.scalar(None, column.type), column)


def text_column(raw: Bytes) -> pa.Array:
    """EBCDIC text, one row of bytes per value, without trailing blanks and binary zeros."""
    count, width = raw.shape
    if count > 1 and (raw == raw[0]).all():
        return pa.repeat(text_column(raw[:1])[0], count)
    first = _FIRST_BYTE[raw]
    filled = first != _BLANK
    lengths = np.where(filled.any(axis=1), width - np.argmax(filled[:, ::-1], axis=1), 0)
    kept = np.arange(width) < lengths[:, None]
    if not (first >= _BEYOND_ASCII).any():
        return _strings(first[kept], lengths)
    present = np.stack([kept, kept & _TWO_BYTES[raw]], axis=2)
    return _strings(_UTF8[raw][present], present.sum(axis=(1, 2)))


def hex_column(raw: Bytes) -> pa.Array:
    """Bytes as lower-case hexadecimal digits."""
    count, width = raw.shape
    return _strings(_HEX[raw].reshape(-1), np.full(count, 2 * width))


def instant_column(unix_us: NDArray[np.int64]) -> pa.Array:
    """Instants in UTC from microseconds since 1970; ``NOT_SET`` becomes null."""
    return pa.array(unix_us, INSTANT, mask=unix_us == NOT_SET)


def _strings(characters: NDArray[np.uint8], lengths: NDArray[Any]) -> pa.Array:
    """A string array from its characters one after another and the length of each value."""
    offsets = np.zeros(len(lengths) + 1, dtype=np.int32)
    np.cumsum(lengths, out=offsets[1:])
    return pa.StringArray.from_buffers(
        len(lengths), pa.py_buffer(offsets), pa.py_buffer(np.ascontiguousarray(characters))
    )


def _int32(rows: NDArray[np.void], column: str) -> pa.Array:
    return pa.array(rows[column].astype(np.int32))


def _int64(rows: NDArray[np.void], column: str) -> pa.Array:
    return pa.array(rows[column].astype(np.int64))


def _uint64(rows: NDArray[np.void], column: str) -> pa.Array:
    values = rows[column].astype(np.int64)
    return pa.array(values, mask=values < 0) if (values < 0).any() else pa.array(values)


def _duration(rows: NDArray[np.void], column: str) -> pa.Array:
    return pa.array(rows[column].astype(np.float64) / TOD_UNITS_PER_US)


def _instant(rows: NDArray[np.void], column: str) -> pa.Array:
    return instant_column(tod_to_unix_us(rows[column]))


def _float(rows: NDArray[np.void], column: str) -> pa.Array:
    return pa.array(hfp_to_float(rows[column]))


def _packed(rows: NDArray[np.void], column: str) -> pa.Array:
    values, valid = packed_to_int(field_bytes(rows, column))
    return pa.array(values, mask=~valid)


def _text(rows: NDArray[np.void], column: str) -> pa.Array:
    return text_column(field_bytes(rows, column))


def _hex(rows: NDArray[np.void], column: str) -> pa.Array:
    return hex_column(field_bytes(rows, column))


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
        FieldType.BYTES: pa.string(),
    }
)

_CONVERTERS: Final[Mapping[FieldType, Callable[[NDArray[np.void], str], pa.Array]]] = (
    MappingProxyType(
        {
            FieldType.U8: _int32,
            FieldType.U16: _int32,
            FieldType.I16: _int32,
            FieldType.I32: _int32,
            FieldType.U32: _int64,
            FieldType.U64: _uint64,
            FieldType.I64: _int64,
            FieldType.EBCDIC: _text,
            FieldType.STCK: _instant,
            FieldType.STCKOFF: _duration,
            FieldType.TIMEVAL: _duration,
            FieldType.PACKED: _packed,
            FieldType.HFP64: _float,
            FieldType.BYTES: _hex,
        }
    )
)
