"""A 64-bit hash of every record, over its bytes behind the descriptor word, many at a time.

Multilinear hashing: the sum of 64-bit words, each times an odd pseudo-random constant of its
place, with the length as one more word, then mixed. Records that differ in one word never share
a hash; others do with a probability of at most 2^-32 (for hardly any pair is it above 2^-56). Only
records of one queue manager and interval are ever compared with each other. It is no protection
against forgery.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mqcap.ingest.smf.dump import Records
from mqcap.ingest.smf.dump_file import Bytes
from mqcap.ingest.smf.header_pattern import DESCRIPTOR_BYTES, LONGEST_RECORD_BYTES
from mqcap.ingest.smf.strided_read import strided_rows

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
    """Return the sum of products for records of one size."""
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
    """Return a row of ``size`` bytes per offset, followed by zeros."""
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
