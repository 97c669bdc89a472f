"""Gzip inputs, unpacked once for everything and every process that reads them."""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from mqcap.ingest.smf.dump_file import is_packed, unpack


@contextmanager
def unpacked(path: Path) -> Iterator[Path]:
    """Yield a file of the same name with the unpacked content; it is removed at the end.

    That is the file itself when it is not packed, and when it cannot be unpacked to its end: the
    readers of packed files read what there is of it, and say where it ends. Raises OSError when
    there is no room for the content.
    """
    with unpacked_once([path]) as unpacking, unpacking.opened(0) as content:
        yield content


@contextmanager
def unpacked_once(paths: Sequence[Path], processes: int = 1) -> Iterator[UnpackedFiles]:
    """Yield the unpacked contents of some files for processes that are forked within the block."""
    if not any(map(is_packed, paths)):
        yield UnpackedFiles(paths, processes)
        return
    with tempfile.TemporaryDirectory(prefix="mqcap-") as folder:
        yield UnpackedFiles(paths, processes, Path(folder))


@dataclass(frozen=True)
class UnpackedFiles:
    """Unpacks each file in the first process that opens it; the last one to leave it removes it.

    Each process opens the files in their order and one at a time, so that few of them take room.
    """

    paths: Sequence[Path]
    processes: int
    folder: Path | None = None
    """Temporary folder; ``None`` when no file is packed."""

    @contextmanager
    def opened(self, number: int) -> Iterator[Path]:
        """Yield the path of the content of a file, as ``unpacked`` does."""
        path = self.paths[number]
        if self.folder is None or not is_packed(path):
            yield path
            return
        target = self.folder / str(number) / path.name
        lock = self.folder / f"{number}.lock"
        with _locked(lock):
            if not target.parent.exists():
                target.parent.mkdir()
                if not unpack(path, target):
                    target.unlink()
        yield target if target.exists() else path
        with _locked(lock) as left:
            os.write(left, b"1")
            if os.fstat(left).st_size >= self.processes:
                target.unlink(missing_ok=True)


@contextmanager
def _locked(path: Path) -> Iterator[int]:
    """Hold the lock of a file, whose bytes count the processes that have left its content."""
    file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield file
    finally:
        os.close(file)
