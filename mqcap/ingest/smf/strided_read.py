"""Copying scattered pieces of equal length out of a buffer into one block, without a loop."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mqcap.ingest.smf.dump_file import Bytes
from mqcap.ingest.smf.layout import Layout, dtype_of


def gather(buffer: Bytes, offsets: NDArray[np.int64], length: int) -> Bytes:
    """Return one row of ``length`` bytes per offset.

    Offsets outside of the buffer are moved inside it, so that a caller may look before it
    judges; their rows mean nothing. A buffer shorter than ``length`` gives rows of zeros.
    """
    last = len(buffer) - length
    if last < 0 or not len(offsets):
        return np.zeros((len(offsets), length), dtype=np.uint8)
    windows: NDArray[Any] = np.ndarray(
        shape=(last + 1,), dtype=f"V{length}", buffer=buffer, strides=(1,)
    )
    taken = windows[np.minimum(np.maximum(offsets, 0), last)]
    return taken.view(np.uint8).reshape(len(offsets), length)


def gather_structure(
    buffer: Bytes, offsets: NDArray[np.int64], layout: Layout, length: int, *, behind: int = 0
) -> NDArray[np.void]:
    """Return one record of the layout per offset, of its first ``length`` bytes.

    The first ``behind`` bytes are left zero and not looked at: a record without descriptor
    word may begin before the buffer does.
    """
    block = np.zeros((len(offsets), length), dtype=np.uint8)
    block[:, behind:] = gather(buffer, offsets + behind, length - behind)
    return block.view(dtype_of(layout, length)).reshape(len(offsets))


def field_bytes(rows: NDArray[np.void], column: str) -> Bytes:
    """Return the raw bytes of one field, a row of bytes per record."""
    values = np.ascontiguousarray(rows[column])
    return values.view(np.uint8).reshape(len(rows), values.dtype.itemsize)
