"""Copy fields out of sections scattered in a buffer, some hundred sections at a time.

Adjacent fields of one type are a *run*: they are copied, turned to the machine's byte order and
transposed as one block that stays in the processor's cache. A run becomes a matrix with a field
per row, so that every column is contiguous, or a matrix of raw bytes with a section per row.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mqcap.ingest.smf.dump_file import Bytes
from mqcap.ingest.smf.layout import Field, FieldType, Layout
from mqcap.ingest.smf.strided_read import strided_rows

_CACHED_BYTES: Final = 1 << 20
_FEWEST_ROWS: Final = 512
"""NumPy keeps the interpreter lock while it gathers 500 rows or fewer."""

_FORMS: Final[Mapping[FieldType, tuple[str, str]]] = MappingProxyType(
    {
        FieldType.U8: ("u1", "i4"),
        FieldType.U16: (">u2", "i4"),
        FieldType.I16: (">i2", "i4"),
        FieldType.I32: (">i4", "i4"),
        FieldType.U32: (">u4", "i8"),
        FieldType.U64: (">i8", "i8"),
        FieldType.I64: (">i8", "i8"),
        FieldType.STCK: (">u8", "u8"),
        FieldType.STCKOFF: (">i8", "f8"),
        FieldType.TIMEVAL: (">u8", "f8"),
        FieldType.HFP64: (">u8", "u8"),
        FieldType.HFP32: (">u4", "u4"),
    }
)
"""Type of a number in the section and in its column; other types stay raw bytes."""


@dataclass(frozen=True, eq=False)
class Run:
    """Adjacent fields of one type and length; raw bytes are one field."""

    fields: tuple[Field, ...]
    type: FieldType
    begin: int
    end: int
    source: str | None
    """NumPy type of a number in the section; ``None`` when the bytes stay as they are."""


@lru_cache(maxsize=512)
def runs_of(layout: Layout, section_length: int) -> tuple[Run, ...]:
    """Return the runs of the fields that a section of this length holds, reserved ones left out."""
    fields = [
        field
        for field in layout.fields
        if field.end <= section_length
        and not field.is_reserved
        and field.type is not FieldType.REPEAT
    ]
    return tuple(_run(part) for part in _split(fields))


def copy_runs(
    runs: Iterable[Run], buffer: Bytes, offsets: NDArray[np.int64], section_length: int
) -> list[NDArray[Any]]:
    """Return the matrix of every run of the sections that begin at ``offsets``.

    Numbers: a row per field, ``int32``, ``int64``, ``uint64`` (TOD values and hexadecimal floats),
    ``uint32`` (short ones) or ``float64`` (TOD units). Raw bytes: a row per section.
    """
    count = len(offsets)
    copies = [(run, _empty(run, count)) for run in runs]
    rows = max(_FEWEST_ROWS, _CACHED_BYTES // section_length)
    for first in range(0, count, rows):
        raw = strided_rows(buffer, offsets[first : first + rows], section_length)
        for run, matrix in copies:
            part = raw[:, run.begin : run.end]
            if run.source is None:
                matrix[first : first + rows] = part
            else:
                matrix[:, first : first + rows] = part.view(run.source).T
    return [matrix for _, matrix in copies]


def _run(fields: list[Field]) -> Run:
    kind = fields[0].type
    source = _FORMS[kind][0] if kind in _FORMS else None
    return Run(tuple(fields), kind, fields[0].offset, fields[-1].end, source)


def _empty(run: Run, count: int) -> NDArray[Any]:
    if run.source is None:
        return np.empty((count, run.end - run.begin), np.uint8)
    return np.empty((len(run.fields), count), _FORMS[run.type][1])


def _split(fields: list[Field]) -> Iterable[list[Field]]:
    """Yield the groups of adjacent fields that have one type of number."""
    part = fields[:1]
    for before, field in pairwise(fields):
        if field.type in _FORMS and field.type is before.type and field.offset == before.end:
            part.append(field)
        else:
            yield part
            part = [field]
    if part:
        yield part
