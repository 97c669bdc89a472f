"""Elements of a coupling facility structure that the messages of a shared queue take."""

from __future__ import annotations

from typing import Final

import numpy as np

from sizing.calculators.cf_structures import CF_MESSAGE_MAX_BYTES, ELEMENT_BYTES, HEADER_BYTES
from spark_apps.attribution.arrays import Ints

LEAST_ELEMENTS: Final = -(-HEADER_BYTES // ELEMENT_BYTES)
"""Elements of the header of a message, which stay in the structure when its data is offloaded."""


def elements_per_message(puts: Ints, put_bytes: Ints) -> Ints:
    """Return the elements of a message of the mean length put (CFS-ELEMENTS).

    Those of its header only where nothing was put, so that its length is not known, and where the
    mean length is above what a structure holds (CFS-OFFLOAD-TIER).

    Args:
        puts: Messages put to each queue.
        put_bytes: Bytes put to each queue.
    """
    length = np.ceil(put_bytes / np.maximum(puts, 1)).astype(np.int64)
    in_structure = np.where(length > CF_MESSAGE_MAX_BYTES, 0, length)
    elements: Ints = -(-(in_structure + HEADER_BYTES) // ELEMENT_BYTES)
    return elements
