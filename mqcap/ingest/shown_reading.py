"""How much of an input has been read, shown while its tables are made.

What reads the bytes of a file says where it is with ``at_position``, and need not know who looks.
"""

from collections.abc import Callable, Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Final

from mqcap.domain.source import Reading
from mqcap.progress.shown import Work, work

MIB_BYTES: Final = 1 << 20
"""Not that of ``mqcap.domain.units``, whose import takes as long as decoding many MiB."""
_follower: Final[ContextVar[Callable[[int], None] | None]] = ContextVar("follower", default=None)


def at_position(read_bytes: int) -> None:
    """Note that so many bytes of the file, as it is on disk, have been read."""
    follow = _follower.get()
    if follow is not None:
        follow(read_bytes)


def shown_tables(reading: Reading, path: Path, name: str) -> Iterator[tuple[str, Any]]:
    """Yield the tables of a reading as work that is shown under the ``name`` of its file."""
    mib = path.stat().st_size / MIB_BYTES
    with work(f"read {name}", mib, "MiB") as shown:
        yield from tables_shown_in(shown, reading, path, mib)


def tables_shown_in(
    shown: Work, reading: Reading, path: Path, mib: float
) -> Iterator[tuple[str, Any]]:
    """Yield the tables of a reading and advance the work by ``mib`` on the way."""
    before, size = shown.done, path.stat().st_size

    def reached(read_bytes: int) -> None:
        done = before + mib * min(1.0, read_bytes / size)
        if done > shown.done:
            shown.reached(done, shown.total)

    token = _follower.set(reached)
    try:
        yield from reading.tables()
    finally:
        _follower.reset(token)
    reached(size)
