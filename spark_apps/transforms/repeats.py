"""Whether a key stands more than once in a dataset of one file, found with 8 bytes per row."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from functools import lru_cache
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from mqcap.ingest.smf.arrow import column as arrow_column
from spark_apps.transforms.keys import SECTION_KEYS

_NULL: Final = 0x5BD1_E995_7F4A_7C15
_FACTOR: Final = np.uint64(0x9E37_79B9_7F4A_7C15)
_SHIFT: Final = np.uint64(29)
_Hashes = NDArray[np.uint64]


class Repeats:
    """Takes the tables of a file; equal keys have equal hashes, so that no repetition is missed.

    Two keys of one file share a hash by accident about once in 10^7 files of a million rows; then
    the rows are compared for nothing.
    """

    def __init__(self) -> None:
        self._hashes: dict[str, list[_Hashes]] = defaultdict(list)

    def note(self, dataset: str, table: pa.Table) -> None:
        """Remember the keys of a table, if the dataset has one."""
        names = [name for name in SECTION_KEYS.get(dataset, ()) if name in table.column_names]
        if not names:
            return
        hashes = np.zeros(table.num_rows, np.uint64)
        for name in names:
            hashes = (hashes ^ (hashes >> _SHIFT)) * _FACTOR
            hashes += _column_hashes(table[name].combine_chunks())
        self._hashes[dataset].append((hashes ^ (hashes >> _SHIFT)) * _FACTOR)

    def datasets(self) -> tuple[str, ...]:
        """The datasets in which a key stands more than once, in order of name."""
        return tuple(name for name, parts in sorted(self._hashes.items()) if _is_repeated(parts))


def _is_repeated(parts: list[_Hashes]) -> bool:
    whole = np.concatenate(parts)
    whole.sort()
    return bool((whole[1:] == whole[:-1]).any())


def _column_hashes(column: Any) -> _Hashes:
    """A number per value; equal values have equal numbers."""
    if pa.types.is_integer(column.type) or pa.types.is_timestamp(column.type):
        return _filled(column.cast(pa.int64()), _NULL).view(np.uint64)
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    values = [_value_hash(str(value)) for value in column.dictionary.to_pylist()]
    of_value: _Hashes = np.array([*values, _NULL], np.uint64)
    return of_value[_filled(column.indices.cast(pa.int64()), len(values))]


def _filled(numbers: pa.Array, null: int) -> NDArray[np.int64]:
    """The 64-bit numbers with one instead of null, without the import of pandas by ``to_numpy``."""
    if numbers.null_count:
        numbers = pc.fill_null(numbers, arrow_column(np.array([null], np.int64))[0])
    values = np.frombuffer(numbers.buffers()[1] or b"", np.int64)
    return values[numbers.offset : numbers.offset + len(numbers)]


@lru_cache(maxsize=1 << 14)
def _value_hash(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")
