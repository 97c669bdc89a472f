"""Encode values to the bytes of sections: the inverse of the decoder, from the same layouts."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mqcap.domain.errors import ConfigurationError
from mqcap.ingest.smf.clock import (
    NOT_SET,
    TOD_UNITS_PER_US,
    float_to_hfp,
    float_to_short_hfp,
    unix_us_to_tod,
)
from mqcap.ingest.smf.layout import Field, FieldType, Layout, dtype_of, flat_fields

CODE_PAGE: Final = "cp037"

Columns = Mapping[str, Any]
Bytes2D = NDArray[np.uint8]


def encode_sections(layout: Layout, columns: Columns, length: int, count: int) -> NDArray[np.void]:
    """Return ``count`` sections of ``length`` bytes.

    ``columns`` maps column names to scalars or one-dimensional arrays: text as ``str``, TOD
    instants in microseconds since 1970, durations in microseconds, raw fields as hexadecimal text
    or ``bytes``, everything else as numbers. Block id, block length and eye catcher are filled in
    unless given; columns that do not fit into ``length`` are left out, as an older product level
    does. Raises ConfigurationError for a column that the structure does not have.
    """
    dtype = dtype_of(layout, length)
    fields = _fields_by_column(layout)
    unknown = sorted(set(columns) - set(fields))
    if unknown:
        raise ConfigurationError(
            f"{layout.name} has no column {', '.join(unknown)}",
            remedy="Use the column names of mqcap.ingest.smf.layout.column_names.",
        )
    sections = np.zeros(count, dtype=dtype)
    for column, value in {**_block_head(layout, length), **columns}.items():
        if column in (dtype.names or ()):
            convert = _CONVERTERS.get(fields[column].type)
            sections[column] = convert(fields[column], value) if convert else value
    return sections


def section_bytes(sections: NDArray[np.void]) -> Bytes2D:
    """Return the same sections as a matrix of bytes, one section per row."""
    return sections.view(np.uint8).reshape(len(sections), sections.dtype.itemsize)


def _block_head(layout: Layout, length: int) -> dict[str, Any]:
    """Return block id, length and eye catcher of a block; empty for structures without them."""
    if layout.eyecatcher is None:
        return {}
    first, block_length, eyecatcher = layout.fields[:3]
    head: dict[str, Any] = {
        block_length.column: min(length, layout.length),
        eyecatcher.column: layout.eyecatcher,
    }
    if layout.id is not None and first.type is FieldType.BYTES:
        head[first.column] = layout.id
    elif layout.id is not None:
        number = int(layout.id, 16)
        is_negative = first.type is FieldType.I16 and number >= 1 << 15
        head[first.column] = number - (1 << 16) if is_negative else number
    return head


def tod_of(unix_us: Any) -> NDArray[np.uint64]:
    """Return TOD clock values of Unix microseconds; 0 becomes 0, "not set"."""
    instants = np.asarray(unix_us, dtype=np.int64)
    return unix_us_to_tod(np.where(instants == 0, NOT_SET, instants))


def packed_of(number: Any, length: int) -> Bytes2D:
    """Return non-negative packed decimals of ``length`` bytes (sign nibble F), one per row."""
    digits = np.atleast_1d(np.asarray(number, dtype=np.int64))
    rows = np.zeros((len(digits), length), dtype=np.uint8)
    rows[:, -1] = (digits % 10) << 4 | 0x0F
    rest = digits // 10
    for place in range(length - 2, -1, -1):
        rows[:, place] = (rest // 10 % 10) << 4 | rest % 10
        rest = rest // 100
    return rows


def _text(field: Field, value: Any) -> Any:
    """Return EBCDIC text padded with blanks; ``None`` gives binary zeros (an unused slot)."""
    if isinstance(value, (str, bytes)) or value is None:
        return _one_text(value, field.length)
    return np.array([_one_text(item, field.length) for item in value], dtype=f"S{field.length}")


@lru_cache(maxsize=4096)
def _one_text(value: str | bytes | None, length: int) -> bytes:
    if value is None:
        return b""
    raw = value if isinstance(value, bytes) else value.ljust(length).encode(CODE_PAGE)
    if len(raw) > length:
        raise ConfigurationError(f"text {value!r} is too long", expected=f"{length} characters")
    return raw


def _raw(field: Field, value: Any) -> Any:
    if isinstance(value, (str, bytes)):
        return _raw(field, [value])[0]
    if not isinstance(value, np.ndarray):
        raw = [bytes.fromhex(item) if isinstance(item, str) else item for item in value]
        value = np.frombuffer(b"".join(item.ljust(field.length, b"\0") for item in raw), np.uint8)
    return np.ascontiguousarray(value).reshape(-1).view(f"V{field.length}")


def _packed(field: Field, value: Any) -> Any:
    """Return packed decimals from non-negative numbers, or raw as ``_raw`` takes it."""
    array = np.asarray(value)
    is_number = array.dtype.kind in "iu" and array.dtype != np.uint8
    return _raw(field, packed_of(array, field.length) if is_number else value)


def _duration(_field: Field, value: Any) -> Any:
    return np.rint(np.multiply(value, float(TOD_UNITS_PER_US))).astype(np.int64)


_CONVERTERS: Final[Mapping[FieldType, Callable[[Field, Any], Any]]] = {
    FieldType.EBCDIC: _text,
    FieldType.BYTES: _raw,
    FieldType.PACKED: _packed,
    FieldType.STCK: lambda _, value: tod_of(value),
    FieldType.HFP64: lambda _, value: float_to_hfp(np.asarray(value, dtype=np.float64)),
    FieldType.HFP32: lambda _, value: float_to_short_hfp(np.asarray(value, dtype=np.float64)),
    FieldType.TIMEVAL: _duration,
    FieldType.STCKOFF: _duration,
}
"""Values of a column in the form of its NumPy type, for types whose values are not numbers."""


@lru_cache(maxsize=128)
def _fields_by_column(layout: Layout) -> Mapping[str, Field]:
    return MappingProxyType({field.column: field for field in flat_fields(layout)})
