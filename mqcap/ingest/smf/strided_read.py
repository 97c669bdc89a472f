"""Copy scattered rows of equal length out of a buffer into one block, without a loop."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mqcap.ingest.smf.dump_file import Bytes
from mqcap.ingest.smf.layout import Field, Layout, dtype_of, numpy_type


def strided_rows(buffer: Bytes, offsets: NDArray[np.int64], length: int) -> Bytes:
    """Return a row of ``length`` bytes per offset; of zeros where the buffer is shorter than that.

    Offsets outside are moved inside, to read before validating; those rows hold anything.
    """
    last = len(buffer) - length
    if last < 0 or not len(offsets):
        return np.zeros((len(offsets), length), dtype=np.uint8)
    windows: NDArray[Any] = np.ndarray(
        shape=(last + 1,), dtype=f"V{length}", buffer=buffer, strides=(1,)
    )
    taken = windows[np.minimum(np.maximum(offsets, 0), last)]
    return taken.view(np.uint8).reshape(len(offsets), length)


def strided_structures(
    buffer: Bytes, offsets: NDArray[np.int64], layout: Layout, length: int, *, behind: int = 0
) -> NDArray[np.void]:
    """Return a record of the layout per offset, of its first ``length`` bytes.

    The first ``behind`` bytes are zero and not read: a record may begin before the buffer does.
    """
    block = np.zeros((len(offsets), length), dtype=np.uint8)
    block[:, behind:] = strided_rows(buffer, offsets + behind, length - behind)
    return block.view(dtype_of(layout, length)).reshape(len(offsets))


def field_numbers(buffer: Bytes, offsets: NDArray[np.int64], field: Field) -> NDArray[Any]:
    """Return a number of the structure at every offset."""
    rows = strided_rows(buffer, offsets + field.offset, field.length)
    return rows.view(numpy_type(field)).reshape(len(offsets))


def field_bytes(rows: NDArray[np.void], column: str) -> Bytes:
    """Return the raw bytes of a field, a row of bytes per record."""
    values = np.ascontiguousarray(rows[column])
    return values.view(np.uint8).reshape(len(rows), values.dtype.itemsize)
