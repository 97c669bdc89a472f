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
from typing import Final, Self

import msgspec
import numpy as np

LAYOUT_FOLDER: Final = Path(__file__).with_name("layouts")


class FieldType(StrEnum):
    """Types of fields with their NumPy types; numbers are big-endian.

    Text is ``S``, packed decimals and plain bytes are ``V`` of their length.
    """

    numpy: str

    def __new__(cls, name: str, numpy: str = "") -> Self:
        """Return a member; without NumPy type it has one by its length."""
        made = str.__new__(cls, name)
        made._value_, made.numpy = name, numpy
        return made

    U8 = "u8", "u1"
    U16 = "u16be", ">u2"
    I16 = "i16be", ">i2"
    U32 = "u32be", ">u4"
    I32 = "i32be", ">i4"
    U64 = "u64be", ">u8"
    I64 = "i64be", ">i8"
    EBCDIC = "ebcdic"
    STCK = "stck", ">u8"
    """TOD clock value: an instant; 0 is not set."""
    STCKOFF = "stckoff", ">i8"
    """Signed TOD units: a distance in time."""
    TIMEVAL = "timeval", ">u8"
    """TOD units: a duration."""
    PACKED = "packed"
    HFP64 = "hfp64", ">u8"
    """Hexadecimal floating point, long."""
    HFP32 = "hfp32", ">u4"
    """Hexadecimal floating point, short."""
    BYTES = "bytes"
    REPEAT = "repeat"
    """An array of ``count`` entries of ``stride`` bytes, described by ``fields``."""


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
    Array entries are ``<array>_<index>_<field>``.
    """
    places = [field for field in flat_fields(layout) if field.end <= section_length]
    return np.dtype(
        {
            "names": [field.column for field in places],
            "formats": [numpy_type(field) for field in places],
            "offsets": [field.offset for field in places],
            "itemsize": section_length,
        }
    )


def flat_fields(layout: Layout) -> Iterator[Field]:
    """Yield the fields with every array entry written out as fields of its own."""
    for field in layout.fields:
        if field.type is not FieldType.REPEAT:
            yield field
        for index in range(field.count):
            base = field.offset + index * field.stride
            for entry in field.fields:
                name = f"{field.name}[{index}].{entry.name}"
                yield msgspec.structs.replace(entry, name=name, offset=base + entry.offset)


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


def numpy_type(field: Field) -> str:
    """Return the NumPy type code of one field in a section."""
    kind = "S" if field.type is FieldType.EBCDIC else "V"
    return field.type.numpy or f"{kind}{field.length}"
