"""Detect whether files can hold the same section twice: only then are rows compared.

Most dumps follow one another without overlap. Detecting that from the manifests is cheap;
sorting all rows of a history by their key is not. Within one file, repeated keys are detected
while it is decoded, with 8 bytes per row; the result is in its manifest.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from mqcap.domain.datasets import CONSOLE_EVENT
from mqcap.ingest.smf.arrow import column as arrow_column
from mqcap.lake.manifest import Manifest
from spark_apps.transforms.keys import has_declared_key, key_of

_NULL: Final = 0x5BD1_E995_7F4A_7C15
_FACTOR: Final = np.uint64(0x9E37_79B9_7F4A_7C15)
_SHIFT: Final = np.uint64(29)
_Hashes = NDArray[np.uint64]


def may_hold_duplicates(
    dataset: str, sources: Iterable[Manifest], sysplexes: Mapping[str, str] | None = None
) -> bool:
    """Return whether the files may hold a row of ``dataset`` more than once.

    A file may by itself where its manifest lists the dataset as repeated; two files may when they
    are about the same system and their times overlap. A file without known times may overlap with
    any other. Of a dataset without a declared key the manifests do not list what is repeated.

    ``sysplexes`` has the sysplex of files that are all of one, by content hash: systems of two
    sysplexes may have the same name.
    """
    holders = [source for source in sources if source.rows.get(dataset)]
    if any(dataset in source.repeated for source in holders):
        return True
    if holders and not has_declared_key(dataset):
        return True
    if len(holders) < 2:
        return False
    if any(source.first_interval_utc is None for source in holders):
        return True
    spans: dict[tuple[str, str], list[tuple[datetime, datetime]]] = {}
    sysplexes = sysplexes or {}
    are_placed = all(sysplexes.get(source.sha256) for source in holders)
    for source in holders:
        first, last = source.first_interval_utc, source.last_interval_utc
        for smfid in source.smfids or ("",):
            if first is not None and last is not None:
                key = (sysplexes[source.sha256] if are_placed else "", smfid)
                spans.setdefault(key, []).append((first, last))
    touching = dataset == CONSOLE_EVENT.name
    return any(_overlap(sorted(of_system), touching) for of_system in spans.values())


def _overlap(spans: list[tuple[datetime, datetime]], touching: bool) -> bool:
    """Return whether a span starts before the end of an earlier one, or if ``touching`` at it."""
    end = spans[0][1]
    for first, last in spans[1:]:
        if first < end or (touching and first == end):
            return True
        end = max(end, last)
    return False


class RepeatedKeys:
    """Detector of keys that occur more than once in a dataset of one file.

    Equal keys have equal hashes, so that no repetition is missed. Two different keys of one file
    share a hash by accident about once in 10^7 files of a million rows; then the rows are compared
    in vain.
    """

    def __init__(self) -> None:
        self._hashes: dict[str, list[_Hashes]] = defaultdict(list)

    def add(self, dataset: str, table: pa.Table) -> None:
        """Add the keys of a table, if one is declared for the dataset."""
        if not has_declared_key(dataset):
            return
        names = [name for name in key_of(dataset) if name in table.column_names]
        hashes = np.zeros(table.num_rows, np.uint64)
        for name in names:
            hashes = (hashes ^ (hashes >> _SHIFT)) * _FACTOR
            hashes += _column_hashes(table[name].combine_chunks())
        self._hashes[dataset].append((hashes ^ (hashes >> _SHIFT)) * _FACTOR)

    def datasets(self) -> tuple[str, ...]:
        """Return the datasets in which a key occurs more than once, in order of name."""
        return tuple(name for name, parts in sorted(self._hashes.items()) if _has_repeats(parts))


def _has_repeats(parts: list[_Hashes]) -> bool:
    hashes = np.concatenate(parts)
    hashes.sort()
    return bool((hashes[1:] == hashes[:-1]).any())


def _column_hashes(column: Any) -> _Hashes:
    """Return a number per value; equal values have equal numbers."""
    if pa.types.is_integer(column.type) or pa.types.is_timestamp(column.type):
        return _filled(column.cast(pa.int64()), _NULL).view(np.uint64)
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    values = [_value_hash(str(value)) for value in column.dictionary.to_pylist()]
    of_value: _Hashes = np.array([*values, _NULL], np.uint64)
    return of_value[_filled(column.indices.cast(pa.int64()), len(values))]


def _filled(numbers: pa.Array, null: int) -> NDArray[np.int64]:
    """Return the 64-bit numbers with ``null`` for nulls; ``to_numpy`` would import pandas."""
    if numbers.null_count:
        numbers = pc.fill_null(numbers, arrow_column(np.array([null], np.int64))[0])
    values = np.frombuffer(numbers.buffers()[1] or b"", np.int64)
    return values[numbers.offset : numbers.offset + len(numbers)]


@lru_cache(maxsize=1 << 14)
def _value_hash(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")
