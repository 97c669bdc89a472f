"""Freed memory is kept for what is allocated next, in processes that decode and then end.

The tables of a batch are as large as those of the batch before. Without this the C library gives
memory back after each, and the kernel has to fill it with zeros again. Where Arrow allocates by the
C library too (``ARROW_DEFAULT_MEMORY_POOL=system``, read when it is imported), that is a tenth of
the CPU time of decoding, and a tenth of its memory.
"""

from __future__ import annotations

import ctypes
import sys
from typing import Final

_TRIM_THRESHOLD: Final = -1
_MAPPED_FROM: Final = -3
"""Numbers that the C library gives to its parameters (malloc.h)."""
_KEPT_BYTES: Final = 1 << 30
_MAPPED_FROM_BYTES: Final = 32 << 20
"""The highest value that the C library takes."""


def keep_freed_memory() -> None:
    """Keep freed memory in this process and those that it forks; without glibc nothing happens."""
    if sys.platform != "linux":
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_TRIM_THRESHOLD, _KEPT_BYTES)
        mallopt(_MAPPED_FROM, _MAPPED_FROM_BYTES)
