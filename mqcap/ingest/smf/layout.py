"""The layouts of SMF structures, loaded from data files and compiled to NumPy record types.

One JSON file per structure in ``layouts/`` is the only place that knows an offset; columns,
sizes per product level, the decoder and the encoder are derived from it here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

import msgspec
import numpy as np

from mqcap.domain.errors import ConfigurationError

LAYOUT_FOLDER: Final = Path(__file__).with_name("layouts")


class FieldType(StrEnum):
    """Types of fields; numbers are big-endian."""

    U8 = "u8"
    U16 = "u16be"
    I16 = "i16be"
    U32 = "u32be"
    I32 = "i32be"
    U64 = "u64be"
    I64 = "i64be"
    EBCDIC = "ebcdic"
    STCK = "stck"
    """TOD clock value: an instant; 0 is not set."""
    STCKOFF = "stckoff"
    """Signed TOD units: a distance in time."""
    TIMEVAL = "timeval"
    """TOD units: a duration."""
    PACKED = "packed"
    HFP64 = "hfp64"
    """Hexadecimal floating point, long."""
    HFP32 = "hfp32"
    """Hexadecimal floating point, short."""
    BYTES = "bytes"
    REPEAT = "repeat"
    """An array of ``count`` entries of ``stride`` bytes, described by ``fields``."""


_NUMPY_TYPES: Final[Mapping[FieldType, str]] = MappingProxyType(
    {
        FieldType.U8: "u1",
        FieldType.U16: ">u2",
        FieldType.I16: ">i2",
        FieldType.U32: ">u4",
        FieldType.I32: ">i4",
        FieldType.U64: ">u8",
        FieldType.I64: ">i8",
        FieldType.STCK: ">u8",
        FieldType.STCKOFF: ">i8",
        FieldType.TIMEVAL: ">u8",
        FieldType.HFP64: ">u8",
        FieldType.HFP32: ">u4",
    }
)
"""Fixed NumPy types; text is ``S``, packed decimals and plain bytes are ``V`` of their length."""


class Field(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A field; ``offset`` counts from the start of the section (or of the array entry)."""

    name: str
    offset: int
    length: int
    type: FieldType
    description: str = ""
    csv_column: str | None = None
    certainty: str | None = None
    """``A`` printed by the vendor, ``B`` computed, ``C`` assumed; ``None`` checked by decoding."""
    unit: str | None = None
    """Unit of a number that is more than a plain count; times have one by their type."""
    absent: tuple[int, ...] = ()
    """Values that stand for "not available"; they become null."""
    count: int = 0
    stride: int = 0
    fields: tuple[Field, ...] = ()

    @property
    def end(self) -> int:
        """The offset behind the last byte."""
        return self.offset + self.length

    @property
    def column(self) -> str:
        """The column name: IBM's name in lower case, indices joined with ``_``."""
        return column_name(self.name)

    @property
    def is_reserved(self) -> bool:
        """True for bytes to which the vendor gives no meaning; such fields get no column."""
        return self.name.startswith("reserved_")


class Layout(msgspec.Struct, frozen=True, eq=False, forbid_unknown_fields=True):
    """A structure, hashed by identity; ``versions`` maps product levels to lengths in bytes."""

    name: str
    length: int
    fields: tuple[Field, ...]
    eyecatcher: str | None = None
    id: str | None = None
    key: tuple[str, ...] | None = None
    """Columns that identify a section of its subject and interval, none where there is one only;
    ``None``: not declared, only its place in its record identifies it."""
    other_ids: tuple[str, ...] = ()
    """Block ids that dumps have been seen with beside the usual one."""
    unexplained: int = 0
    """Bytes behind the last field that sections of known levels have, of unknown meaning."""
    versions: dict[str, int] = {}
    used_by: str = ""
    note: str = ""

    @property
    def dataset(self) -> str:
        """The name of the dataset that holds the rows of this structure."""
        return f"section_{self.name.lower()}"

    @property
    def known_bytes(self) -> int:
        """The longest section that is no sign of a newer product level."""
        return self.length + self.unexplained

    @property
    def repeat(self) -> Field | None:
        """The array of the structure, if it has one (QEST is the only one)."""
        return next((field for field in self.fields if field.type is FieldType.REPEAT), None)


def structure_name(dataset: str) -> str:
    """Return ``QJST`` of ``section_qjst``; datasets that are no structure keep their name."""
    is_section = dataset.startswith("section_")
    return dataset.removeprefix("section_").upper() if is_section else dataset


def column_name(field_name: str) -> str:
    """Return ``qjstio_0_qjstiotype_1_qjstioci`` for ``qjstio[0].qjstiotype[1].qjstioci``."""
    return re.sub(r"[^a-z0-9]+", "_", field_name.lower()).strip("_")


@lru_cache(maxsize=1)
def layouts() -> Mapping[str, Layout]:
    """Return all structures by their name in capitals, read once from the data files."""
    files = sorted(LAYOUT_FOLDER.glob("*.json"))
    parsed = (msgspec.json.decode(path.read_bytes(), type=Layout) for path in files)
    return MappingProxyType({layout.name: layout for layout in parsed})


@lru_cache(maxsize=256)
def field_of(structure: str, column: str) -> Field:
    """Return the field of a structure with this column name; raises KeyError when it has none."""
    fields = {field.column: field for field in layouts()[structure].fields}
    return fields[column]


@lru_cache(maxsize=1024)
def dtype_of(layout: Layout, section_length: int) -> np.dtype[np.void]:
    """Return the NumPy record type of the fields that a section of this length can hold.

    Text, packed decimals and plain bytes stay raw; TOD values and hexadecimal floats are integers.
    Array entries are ``<array>_<index>_<field>``. Raises ConfigurationError without room for any.
    """
    places = [field for field in flat_fields(layout) if field.end <= section_length]
    if not places:
        raise ConfigurationError(
            f"A section of {section_length} bytes holds no field of {layout.name}",
            expected=f"at least {layout.fields[0].end} bytes",
        )
    return np.dtype(
        {
            "names": [field.column for field in places],
            "formats": [numpy_type(field) for field in places],
            "offsets": [field.offset for field in places],
            "itemsize": section_length,
        }
    )


def column_names(layout: Layout) -> list[str]:
    """Return the columns of the record type at full length, by offset; reserved ones too."""
    return [field.column for field in flat_fields(layout)]


def flat_fields(layout: Layout) -> Iterator[Field]:
    """Yield the fields with every array entry written out as fields of its own."""
    for field in layout.fields:
        if field.type is FieldType.REPEAT:
            yield from _entries(field)
        else:
            yield field


def level_length(layout: Layout, mq_level: str) -> int:
    """Return the bytes of the structure in an MQ version such as ``9.4.0``; 0 before it existed."""
    length = 0
    for first_level, level_bytes in layout.versions.items():
        if not first_level[0].isdigit():
            return layout.length
        if level_key(first_level) <= level_key(mq_level):
            length = level_bytes
    return length if layout.versions else layout.length


def level_key(mq_level: str) -> tuple[int, ...]:
    """Return ``9.4.0`` as a tuple that sorts by age."""
    numbers = tuple(int(part) for part in mq_level.split("."))
    return numbers + (0,) * (3 - len(numbers))


def _entries(array: Field) -> Iterator[Field]:
    for index in range(array.count):
        base = array.offset + index * array.stride
        for field in array.fields:
            name = f"{array.name}[{index}].{field.name}"
            yield msgspec.structs.replace(field, name=name, offset=base + field.offset)


def numpy_type(field: Field) -> str:
    """Return the NumPy type code of one field in a section."""
    if field.type is FieldType.EBCDIC:
        return f"S{field.length}"
    return _NUMPY_TYPES.get(field.type, f"V{field.length}")
