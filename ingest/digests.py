"""SHA-256 of files, computed beside other work: a second of it for every few GB."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Self

from ingest.smf.content import digest_of


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
