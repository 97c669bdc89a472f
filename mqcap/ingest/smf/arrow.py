"""NumPy values as Arrow columns over the same memory.

``pyarrow.array`` would do, but it imports pandas to find out whether it was given a series, which
takes longer than decoding 100 MiB. ``pyarrow.compute`` writes a Python function with its
documentation for each of some 300 that Arrow has, which takes as long as decoding 10 MiB: the few
that are needed are called by their names.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow._compute import DictionaryEncodeOptions, TakeOptions, call_function

from mqcap.ingest.smf.clock import Flags


def column(
    values: NDArray[Any], kind: pa.DataType | None = None, absent: Flags | None = None
) -> pa.Array:
    """Return values of fixed width, in their own type unless given; null where ``absent``."""
    valid = None if absent is None or not absent.any() else _bits(~absent)
    data = pa.py_buffer(np.ascontiguousarray(values))
    kind = kind or pa.from_numpy_dtype(values.dtype)
    return pa.Array.from_buffers(kind, len(values), [valid, data])


def columns(matrix: NDArray[Any]) -> list[pa.Array]:
    """Return a column of each row of a matrix, all over its memory."""
    rows, count = matrix.shape
    every = column(matrix.reshape(-1))
    return [every.slice(row * count, count) for row in range(rows)]


def masked(array: pa.Array, absent: Flags) -> pa.Array:
    """Return the array with null where ``absent`` is set."""
    if not absent.any():
        return array
    if pa.types.is_dictionary(array.type):
        return pa.DictionaryArray.from_arrays(masked(array.indices, absent), array.dictionary)
    flags = pa.Array.from_buffers(pa.bool_(), len(absent), [None, _bits(absent)])
    return call_function("if_else", [flags, pa.nulls(1, array.type)[0], array])


def taken(array: pa.Array, rows: pa.Array) -> pa.Array:
    """Return the values of these rows, which are all inside the array."""
    return call_function("array_take", [array, rows], TakeOptions(boundscheck=False))


def encoded(array: pa.Array) -> pa.DictionaryArray:
    """Return the values as numbers of the distinct ones, in the order of their first rows."""
    return call_function("dictionary_encode", [array], DictionaryEncodeOptions())


def strings(texts: Sequence[str | None]) -> pa.Array:
    """Return a few texts as a column."""
    coded = [(text or "").encode() for text in texts]
    offsets = np.cumsum([0, *map(len, coded)], dtype=np.int32)
    array = pa.StringArray.from_buffers(
        len(coded), pa.py_buffer(offsets), pa.py_buffer(b"".join(coded))
    )
    return masked(array, np.array([text is None for text in texts], dtype=np.bool_))


def constant_dictionary(texts: pa.Array, count: int) -> pa.DictionaryArray:
    """Return the first of the texts in every row, as a dictionary."""
    return pa.DictionaryArray.from_arrays(column(np.zeros(count, np.int32)), texts)


def _bits(flags: Flags) -> pa.Buffer:
    return pa.py_buffer(np.packbits(flags, bitorder="little"))
