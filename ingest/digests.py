"""SHA-256 of files, computed beside other work: a second of it for every few GB."""

from __future__ import annotations

import hashlib
import mmap
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

if TYPE_CHECKING:
    from hashlib import _Hash

_PIECE_BYTES: Final = 64 << 20
"""Large, as between two pieces the hash waits for its turn with the other threads."""


def digest_of(path: Path) -> str:
    """The SHA-256 of a file in hexadecimal digits; raises OSError when it cannot be read."""
    digest = hashlib.sha256()
    if path.stat().st_size:
        with path.open("rb") as raw, mmap.mmap(raw.fileno(), 0, access=mmap.ACCESS_READ) as content:
            for begin in range(0, len(content), _PIECE_BYTES):
                _add(digest, content, begin)
    return digest.hexdigest()


class Digests:
    """Hashes files one after another in the order of ``begin``, until the block is left."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="digest")
        self._found: dict[Path, Future[str]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _type: type[BaseException] | None,
        _value: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        self._pool.shutdown(cancel_futures=True)

    def begin(self, path: Path) -> None:
        """Start hashing a file, unless that has begun."""
        file = path.resolve()
        if file not in self._found:
            self._found[file] = self._pool.submit(digest_of, file)

    def of(self, path: Path) -> str:
        """The digest in hexadecimal digits; raises OSError when the file cannot be read."""
        self.begin(path)
        return self._found[path.resolve()].result()


def _add(digest: _Hash, content: mmap.mmap, begin: int) -> None:
    """Add one piece of a content and let go of its memory."""
    with memoryview(content) as view, view[begin : begin + _PIECE_BYTES] as piece:
        digest.update(piece)
        length = len(piece)
    if hasattr(mmap, "MADV_DONTNEED"):
        content.madvise(mmap.MADV_DONTNEED, begin, length)
