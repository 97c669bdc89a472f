"""Copy scattered rows of equal length out of a buffer into one block, without a loop."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mqcap.ingest.smf.dump_file import Bytes
from mqcap.ingest.smf.layout import Field, numpy_type


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


def field_numbers(buffer: Bytes, offsets: NDArray[np.int64], field: Field) -> NDArray[Any]:
    """Return a number of the structure at every offset."""
    rows = strided_rows(buffer, offsets + field.offset, field.length)
    return rows.view(numpy_type(field)).reshape(len(offsets))
