"""Values that no record of a running system has: the sign of bits that changed on the way.

A count is no more than some hundreds of millions of millions in an interval, and never below zero.
What passes here can be added and multiplied by all that reads it. Integers of 32 bits always can.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mqcap.ingest.smf.clock import Flags, hfp_to_float
from mqcap.ingest.smf.dump_file import Bytes
from mqcap.ingest.smf.field_blocks import Run, runs_of
from mqcap.ingest.smf.layout import Field, FieldType, Layout
from mqcap.ingest.smf.strided_read import strided_rows

POSSIBLE_BELOW: Final = 1 << 48
"""No count of an interval, no number of bytes or MiB reaches it (ours: 256 TiB)."""
_HIGHEST_EXPONENT: Final = 64 + 12
"""Of hexadecimal floats below ``POSSIBLE_BELOW``; a sign makes the byte larger."""
_FLOATS: Final = frozenset({FieldType.HFP64, FieldType.HFP32})
_INTEGERS: Final = frozenset({FieldType.U64, FieldType.I64})
_NO_COUNTS: Final = frozenset({"QSRS"})
"""Its large values are limits and cushions of 64-bit storage, a tenth of all addresses and more."""
_SIGN: Final = 0x80
_SUM_OF_SQUARES: Final = "squ"


def impossible_values(
    layout: Layout, buffer: Bytes, offsets: NDArray[np.int64], section_length: int
) -> Iterator[tuple[Field, Flags, NDArray[Any]]]:
    """Yield the fields of which some sections have an impossible value, where, and the values."""
    if layout.name in _NO_COUNTS:
        return
    for run in _checked_runs(layout, section_length):
        raw = strided_rows(buffer, offsets + run.begin, run.end - run.begin)
        width = run.fields[0].length
        suspect = _suspect(run.type, raw, width)
        if not suspect.any():
            continue
        for place in np.flatnonzero(suspect.any(axis=0)).tolist():
            values = _values(run.type, raw[:, place * width : (place + 1) * width])
            wrong = suspect[:, place] & (values != 0)
            if wrong.any() and _SUM_OF_SQUARES not in run.fields[place].name.lower():
                yield run.fields[place], wrong, values


@lru_cache(maxsize=256)
def _checked_runs(layout: Layout, section_length: int) -> tuple[Run, ...]:
    runs = runs_of(layout, section_length)
    return tuple(run for run in runs if run.type in _FLOATS | _INTEGERS)


def _suspect(kind: FieldType, raw: Bytes, width: int) -> NDArray[np.bool_]:
    """Return which fields of each section may be impossible, by their first bytes."""
    first, second = raw[:, ::width], raw[:, 1::width]
    suspect: NDArray[np.bool_]
    if kind in _FLOATS:
        suspect = first > _HIGHEST_EXPONENT
        return suspect
    # A sign stands for "none", or for what went below zero: the column is null there.
    suspect = ((first | second) != 0) & (first < _SIGN)
    return suspect


def _values(kind: FieldType, raw: Bytes) -> NDArray[Any]:
    if kind in _INTEGERS:
        return np.ascontiguousarray(raw).view(">u8").reshape(-1)
    long = np.zeros((len(raw), 8), np.uint8)
    long[:, : raw.shape[1]] = raw
    return hfp_to_float(long.view(">u8").reshape(-1))
