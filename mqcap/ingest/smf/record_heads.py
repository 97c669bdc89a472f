"""Heads of records of one kind: faults, triplets, intervals, front columns and hashes.

Hashes have 64 bits, over the bytes behind the descriptor word. Multilinear hashing: the sum of
64-bit words, each times an odd pseudo-random constant of its place, with the length as one more
word, then mixed. Records that differ in one word never share a hash; others do with a probability
of at most 2^-32 (hardly any pair above 2^-56). It is no protection against forgery.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import repeat
from types import MappingProxyType
from typing import Final, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from mqcap.domain.datasets import Dataset
from mqcap.ingest.smf.arrow import column, constant_dictionary, encoded, strings
from mqcap.ingest.smf.clock import NOT_SET, Flags, Ints, minus
from mqcap.ingest.smf.columns import INSTANT, instant_column
from mqcap.ingest.smf.corruption import Corruption
from mqcap.ingest.smf.dump import Records
from mqcap.ingest.smf.dump_file import Bytes
from mqcap.ingest.smf.header_pattern import DESCRIPTOR_BYTES, LONGEST_RECORD_BYTES
from mqcap.ingest.smf.kinds import FIRST_TRIPLET_AT, TRIPLET_BYTES, Kind
from mqcap.ingest.smf.strided_read import strided_rows

LONGEST_INTERVAL_US: Final = 25 * 3600 * 1_000_000
"""No site collects over more than a day (25 hours when the clocks go back)."""

ARROW_TYPES: Final[Mapping[str, pa.DataType]] = MappingProxyType(
    {
        "string": pa.string(),
        "int": pa.int32(),
        "bigint": pa.int64(),
        "double": pa.float64(),
        "timestamp": INSTANT,
        "decimal(20,0)": pa.decimal128(20, 0),
    }
)
"""Arrow types of the Spark SQL types that the dataset declarations use."""


def schema_of(dataset: Dataset) -> pa.Schema:
    """Return the columns of a dataset as a schema."""
    return pa.schema([(name, ARROW_TYPES[kind]) for name, kind in dataset.columns.items()])


_TRIPLET: Final = np.dtype([("offset", ">u4"), ("length", ">u2"), ("count", ">u2")])


class Faults:
    """The records of a group that cannot be decoded, each with its first reason."""

    def __init__(self, count: int) -> None:
        self.sound: Flags = np.ones(count, dtype=np.bool_)
        self.found: dict[int, tuple[str, Corruption | None]] = {}
        """Reason, and what it shows of the file where it shows something, by row."""

    def add(self, faulty: Flags, reason: str, kind: Corruption | None = None) -> None:
        """Exclude the records where ``faulty`` is set."""
        if faulty.any():
            rows = np.flatnonzero(faulty)
            self.add_each(rows, repeat(reason, len(rows)), kind)

    def add_each(self, rows: Ints, reasons: Iterable[str], kind: Corruption | None) -> None:
        """Exclude some records, each with a reason that names its own value."""
        for row, reason in zip(rows.tolist(), reasons, strict=True):
            if self.sound[row]:
                self.sound[row] = False
                self.found[row] = reason, kind


@dataclass(frozen=True)
class Triplets:
    """A self-defining triplet of every record; offsets count from the base of the record."""

    offset: Ints
    length: Ints
    count: Ints

    def outside(self, size: Ints) -> Flags:
        """Return the records whose sections end behind them or begin in their header."""
        return (self.offset < FIRST_TRIPLET_AT) | (self.offset + self.length * self.count > size)

    def holds(self, section_bytes: int, size: Ints) -> Flags:
        """Return the records that have a section of so many bytes inside them."""
        return (self.count > 0) & (self.length >= section_bytes) & ~self.outside(size)


class Interval(NamedTuple):
    """Start and end in UTC, length and UTC offset of every record; ``NOT_SET`` where unknown."""

    start_us: Ints
    end_us: Ints
    length_us: Ints
    offset_us: Ints

    def columns(self) -> dict[str, pa.Array]:
        """Return the columns of the datasets; null where unknown."""
        unknown, no_offset = self.length_us == NOT_SET, self.offset_us == NOT_SET
        minutes = np.where(no_offset, 0, self.offset_us) // 60_000_000
        return {
            "interval_start_utc": instant_column(self.start_us),
            "interval_end_utc": instant_column(self.end_us),
            "interval_seconds": column(self.length_us / 1e6, absent=unknown),
            "utc_offset_minutes": column(minutes.astype(np.int32), absent=no_offset),
        }


@dataclass(frozen=True)
class Heads:
    """The records of one kind with the content of their headers, a value per record."""

    records: Records
    kind: Kind
    faults: Faults
    triplet_count: Ints
    interval: Interval
    local_us: Ints
    """Time at which the record was written, on the clock of its system."""
    columns: Mapping[str, pa.Array]
    """Columns that differ between MQ and coupling facility records, by name."""
    longer: Counter[str] = field(default_factory=Counter)
    """MQ structures whose sections are longer than their layout: a newer product level."""


def triplets(records: Records, position: int) -> Triplets:
    """Return one triplet of every record; all zero where the record ends before it."""
    at = FIRST_TRIPLET_AT + position * TRIPLET_BYTES
    raw = strided_rows(records.buffer, records.base + at, TRIPLET_BYTES)
    values = np.ascontiguousarray(raw).view(_TRIPLET).reshape(len(records))
    inside = records.size >= at + TRIPLET_BYTES
    return Triplets(
        *(np.where(inside, values[name].astype(np.int64), 0) for name in _TRIPLET.names or ())
    )


def front_columns(
    heads: Heads, declared: Mapping[str, str], file_sha256: str
) -> dict[str, pa.Array]:
    """Return the columns in front of those of the layout, without section_index."""
    count, records = len(heads.records), heads.records
    columns: dict[str, pa.Array] = {
        **heads.columns,
        **heads.interval.columns(),
        "record_utc": instant_column(minus(heads.local_us, heads.interval.offset_us)),
        "record_type": column(np.full(count, heads.kind.record_type, np.int32)),
        "record_subtype": column(np.full(count, heads.kind.record_subtype, np.int32)),
        "record_hash": column(record_hashes(records)),
        "record_offset_bytes": column(records.file_offset),
        "file_sha256": constant_dictionary(strings([file_sha256]), count),
    }
    for name, values in columns.items():
        if values.type == pa.string():
            columns[name] = encoded(values)
    return {name: columns[name] for name in declared if name != "section_index"}


_WORD_BYTES: Final = 8
_CACHED_BYTES: Final = 1 << 19
_HALF: Final = np.uint64(32)
_Words = NDArray[np.uint64]


def record_hashes(records: Records) -> NDArray[np.int64]:
    """Return a hash per record; equal for records with equal bytes in whatever framing."""
    sums = np.empty(len(records), np.uint64)
    sizes = records.size - DESCRIPTOR_BYTES
    order = np.argsort(sizes, kind="stable")
    bounds = np.flatnonzero(np.diff(sizes[order], prepend=-1, append=-1))
    for begin, end in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        rows = order[begin:end]
        size = int(sizes[rows[0]])
        sums[rows] = _sums(records.buffer, records.base[rows] + DESCRIPTOR_BYTES, size)
    return _mixed(sums).view(np.int64)


def _sums(buffer: Bytes, offsets: NDArray[np.int64], size: int) -> _Words:
    words = -(-size // _WORD_BYTES)
    step = max(1, _CACHED_BYTES // max(size, 1))
    keys = _keys()[:words]
    padded_size = words * _WORD_BYTES
    length = np.uint64(size * int(_keys()[-1]) % (1 << 64))
    sums = np.empty(len(offsets), np.uint64)
    halves = np.empty((min(step, len(offsets)), words), np.uint64)
    for first in range(0, len(offsets), step):
        some = offsets[first : first + step]
        padded = _padded(buffer, some, size, padded_size)
        block = padded.view("<u8").astype(np.uint64, copy=False)
        block ^= np.right_shift(block, _HALF, out=halves[: len(some)])
        sums[first : first + step] = np.einsum("ij,j->i", block, keys) + length
    return sums


def _padded(buffer: Bytes, offsets: NDArray[np.int64], size: int, padded_size: int) -> Bytes:
    if int(offsets.max()) + padded_size <= len(buffer):  # else some would be moved
        rows = strided_rows(buffer, offsets, padded_size)
        rows[:, size:] = 0
        return rows
    rows = np.zeros((len(offsets), padded_size), np.uint8)
    rows[:, :size] = strided_rows(buffer, offsets, size)
    return rows


@lru_cache(maxsize=1)
def _keys() -> _Words:
    """Return an odd constant for every word of the longest record, and one for the length."""
    count = LONGEST_RECORD_BYTES // _WORD_BYTES + 2
    golden = np.uint64(0x9E37_79B9_7F4A_7C15)
    return _mixed(np.arange(1, count + 1, dtype=np.uint64) * golden) | np.uint64(1)


def _mixed(words: _Words) -> _Words:
    """Return words of which every bit depends on every input bit (finaliser of SplitMix64)."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58_476D_1CE4_E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D0_49BB_1331_11EB)
    return words ^ (words >> np.uint64(31))
