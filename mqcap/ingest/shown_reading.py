"""How much of an input has been read, shown while its tables are made.

A reader of dumps knows its share. Readers of text need not: what reads the bytes of a file for them
says where it is with ``at_position``.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Final, Protocol, runtime_checkable

from mqcap.domain.source import Reading
from mqcap.progress.shown import work

MIB_BYTES: Final = 1 << 20
"""Not that of ``mqcap.domain.units``, whose import takes as long as decoding many MiB."""
_follower: Final[ContextVar[Callable[[int], None] | None]] = ContextVar("follower", default=None)


@runtime_checkable
class WalkedReading(Protocol):
    """A reading that knows how much of its content it has read."""

    walked_share: float


def at_position(read_bytes: int) -> None:
    """Note that so many bytes of the file, as it is on disk, have been read."""
    follow = _follower.get()
    if follow is not None:
        follow(read_bytes)


@contextmanager
def followed(follow: Callable[[int], None]) -> Iterator[None]:
    """Call ``follow`` meanwhile with the bytes read of the file that is open."""
    token = _follower.set(follow)
    try:
        yield
    finally:
        _follower.reset(token)


def shown_tables(reading: Reading, path: Path, name: str) -> Iterator[tuple[str, Any]]:
    """Yield the tables of a reading and show how much of its file has been read.

    ``name`` is that of the file for people.
    """
    mib = path.stat().st_size / MIB_BYTES
    with work(f"read {name}", mib, "MiB") as shown:
        with followed(lambda read_bytes: shown.reached(min(mib, read_bytes / MIB_BYTES), mib)):
            for table in reading.tables():
                yield table
                if isinstance(reading, WalkedReading):
                    shown.reached(reading.walked_share * mib, mib)
        shown.reached(mib, mib)
