"""The different values of a column, without the masked arrays that NumPy imports for them.

Importing them takes each process as long as decoding two MiB.
"""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Number = TypeVar("Number", bound=np.generic)


def distinct(values: NDArray[Number]) -> NDArray[Number]:
    """Return every value once, ascending."""
    ordered: NDArray[Any] = np.sort(values)
    first = np.ones(len(ordered), np.bool_)
    first[1:] = ordered[1:] != ordered[:-1]
    return ordered[first]


def among(values: NDArray[Number], ordered: NDArray[Number]) -> NDArray[np.bool_]:
    """Return a mask of the values that are among ``ordered``, which is unique and ascending."""
    if not len(ordered):
        return np.zeros(len(values), np.bool_)
    place = np.minimum(np.searchsorted(ordered, values), len(ordered) - 1)
    is_equal: NDArray[np.bool_] = ordered[place] == values
    return is_equal
