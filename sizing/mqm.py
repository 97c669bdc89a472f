"""Memory of 64-bit queues of z/TPF (MQM) in blocks, as displays show it, and in MB, as defined.

MB is 10^6 bytes, as in the arithmetic of the report; its example of 500 MB has 127,997 blocks of
4 KB, which are 524 such MB, so that what is defined in MB has no fewer blocks than computed here.
"""

from math import ceil, floor
from typing import Final

from mqcap.domain.units import PAGE_BYTES

MB_BYTES: Final = 1_000_000


def megabytes_of(blocks: float) -> int:
    """Return the whole MB that hold so many blocks."""
    return ceil(blocks * PAGE_BYTES / MB_BYTES)


def blocks_of(megabytes: int) -> int:
    """Return the whole blocks in so many MB."""
    return floor(megabytes * MB_BYTES / PAGE_BYTES)
